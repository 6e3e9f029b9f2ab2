/** The page that marks several refunds as paid back together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Texts } from '../../languages/texts.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { maxTogether, payBackTogether, readRefunds } from '../../sales/ledger/paying-back-several.ts'
import { paidBackSchema } from '../../sales/ledger/refund-schemas.ts'
import { listOwnOpen } from '../../sales/till/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { shortTillInWords } from '../parts/till-notice.ts'
import { refundsPath } from './paths.ts'
import { severalView } from './several-views.ts'

const { Method, Reference } = paidBackSchema.properties
const markForm = Type.Object({
  Refunds: Type.Array(
    Type.Object({
      RefundID: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      Amount: Type.String({ maxLength: 30 }),
    }),
    { minItems: 1, maxItems: maxTogether },
  ),
  Method,
  Reference,
})

export const severalRefundPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  app.get('/refunds/several', { schema: { hide: true } }, (request, reply) => {
    const ids = tickedIn(request.url)
    const [only] = ids
    if (only !== undefined && ids.length === 1) return reply.redirect(`${refundsPath}/${only}`, 303)
    return sendPage(request, reply, ids, null)
  })

  app.post(
    '/refunds/several',
    { schema: { hide: true, body: markForm }, attachValidation: true },
    async (request, reply) => {
      const { Refunds: given = [], Method: method, Reference: reference = null } = request.body
      const refunds = given.map(({ RefundID: refundId, Amount: amount }) => ({ refundId, amount }))
      const by = byUser(request.session.user)
      try {
        checkForm(request)
        await payBackTogether(sql, onceOf(request, 'refund.several'), by, { refunds, method, reference })
      } catch (error) {
        const t = textsFor(request)
        const { faults, status } = faultsOf(shortTillInWords(changedInWords(error, t), t))
        // If the form does not match its schema, an id may have any value.
        const ids = refunds.map(({ refundId }) => refundId).filter((id) => Number.isSafeInteger(id) && id > 0)
        return sendPage(request, reply, ids, { form: { values: request.body, faults }, status })
      }
      return reply.redirect(doneAt(refundsPath, 'several-paid-back', refunds.length), 303)
    },
  )

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    ids: readonly number[],
    refused: { form: ShownForm; status: number } | null,
  ) {
    const { session } = request
    const t = textsFor(request)
    const [refunds, tills] = await Promise.all([
      readRefunds(sql, session.user.accountId, ids),
      listOwnOpen(sql, session.user),
    ])
    return sendDashboard(reply, session, {
      title: t.say('refunds.together.title'),
      status: refused?.status ?? 200,
      body: severalView(session, t, { refunds, tills }, refused?.form ?? null),
      assets: ['bookings.css', 'upkeep.css'],
    })
  }
}

/** The ids of the ticked refunds in an address. Invalid ids are ignored. */
function tickedIn(url: string): number[] {
  const texts = new URL(url, 'http://here').searchParams.getAll('RefundID')
  return [...new Set(texts.filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number))]
}

/**
 * If a refund has changed since the page was rendered, replaces the error with one that says what to do. Any
 * other error is returned unchanged.
 */
function changedInWords(error: unknown, t: Texts): unknown {
  if (!(error instanceof Problem)) return error
  const errors = (error.extensions.errors ?? []) as { field: string }[]
  const isChanged = error.slug === 'refund-not-due' || errors.some(({ field }) => field.endsWith('.Amount'))
  return isChanged ? new Problem('refund-not-due', t.say('refunds.together.changed')) : error
}
