/** Pages of tills: the list with the form that opens a till, and the page of a till with the form that closes it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Texts } from '../../languages/texts.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import * as schemas from '../../sales/till/schemas.ts'
import * as tills from '../../sales/till/service.ts'
import { inWords } from '../frame/fault-words.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount } from '../parts/amounts.ts'
import { closeTillLabels, tillPage } from './detail-views.ts'
import { openTillLabels, tillList } from './list-views.ts'
import { differenceText, tillPath } from './words.ts'

/** `Difference` is the difference that the page showed. */
const closeForm = Type.Object({
  ...schemas.closeTillSchema.properties,
  Difference: Type.Optional(Type.String({ maxLength: 30 })),
})

const listPath = '/dashboard/till'
const daysOutside = 31

type TillsRequest = FastifyRequest<{ Querystring: schemas.CashPageQuery }>
type AboutTill = FastifyRequest<{ Params: { TillID: string } }>
type AgainForm = (ShownForm & { status: number }) | null

export const tillPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  const querystring = schemas.cashPageSchema
  const params = schemas.tillPathSchema

  app.get('/till', { schema: { hide: true, querystring } }, (request, reply) =>
    sendTills(request, reply, null),
  )

  app.post(
    '/till',
    {
      schema: { hide: true, body: schemas.openTillSchema },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        const once = onceOf(request, 'till.open')
        await runOnce(sql, once, (tx) => tills.openTill(tx, session.user, body))
        return reply.redirect(doneAt(listPath, 'till-opened'), 303)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        return sendTills(request, reply, {
          values: body,
          faults: inWords(faults, openTillLabels(textsFor(request))),
          status,
        })
      }
    },
  )

  app.get('/till/:TillID', { schema: { hide: true, params, querystring } }, (request, reply) =>
    sendTill(request, reply, null),
  )

  // This route compares the count and closes nothing. It has its own address so that, during an update, a
  // process of an older version does not close the till instead.
  app.post(
    '/till/:TillID/compare',
    {
      schema: { hide: true, params, body: Type.Pick(closeForm, ['Counted']) },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const id = Number(request.params.TillID)
      try {
        checkForm(request)
        const counted = await tills.previewClosing(sql, request.session.user, id, request.body.Counted)
        return await sendTill(request, reply, { values: request.body, faults: null, status: 200 }, counted)
      } catch (error) {
        return sendTill(request, reply, refusedOf(request, error))
      }
    },
  )

  app.post(
    '/till/:TillID/close',
    {
      schema: { hide: true, params, body: closeForm },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const { session, body } = request
      const id = Number(request.params.TillID)
      const { Difference: shown, ...count } = body
      try {
        checkForm(request)
        const once = onceOf(request, 'till.close')
        await runOnce(sql, once, async (tx) => {
          const till = await tills.closeTill(tx, session.user, id, count)
          const fault = differenceFault(textsFor(request), till, shown)
          // Nothing is closed yet: the transaction is rolled back.
          if (fault) throw problems.validation([{ field: 'Note', message: fault }])
          return till
        })
        return reply.redirect(doneAt(tillPath({ TillID: id }), 'till-closed'), 303)
      } catch (error) {
        const refused = refusedOf(request, error)
        return sendTill(request, reply, refused, await recount(session.user, id, count.Counted, refused))
      }
    },
  )

  /**
   * If a refused form has faults only in fields other than the count, compares the count again, so that the
   * page shows the second step.
   */
  async function recount(
    user: tills.TillUser,
    id: number,
    counted: string,
    { faults }: NonNullable<AgainForm>,
  ) {
    if (!faults || faults.fields.size === 0 || faults.fields.has('Counted')) return null
    try {
      return await tills.previewClosing(sql, user, id, counted)
    } catch (error) {
      // faultsOf() throws the error again if the user cannot correct it.
      faultsOf(error)
      return null
    }
  }

  async function sendTills(request: FastifyRequest, reply: FastifyReply, again: AgainForm) {
    const { session, url } = request
    const { user } = session
    const isOwner = user.role === 'owner'
    const query = request.method === 'GET' ? (request as TillsRequest).query : {}
    const [open, own, { tills: closed, next }, currencies, outside] = await Promise.all([
      tills.browseTills(sql, user, { Status: 'open', Limit: 500 }),
      tills.listOwnOpen(sql, user),
      tills.browseTills(sql, user, { ...query, Status: 'closed' }),
      tills.listCurrencies(sql, user.accountId),
      isOwner
        ? tills.listOutsideDays(sql, user.accountId, { timeZone: user.timeZone, days: daysOutside })
        : null,
    ])
    const ownCurrencies = new Set(own.map(({ Float }) => Float.Currency))
    const t = textsFor(request)
    const body = tillList(session, t, {
      ...{ open: open.tills, closed, outside, url, next, again },
      currencies: currencies.filter((currency) => !ownCurrencies.has(currency)),
      sellsAnything: currencies.length > 0,
    })
    return sendDashboard(reply, session, {
      title: t.say('till.title'),
      status: again?.status ?? 200,
      body,
      assets: ['bookings.css', 'live.js'],
    })
  }

  async function sendTill(
    request: AboutTill,
    reply: FastifyReply,
    again: AgainForm,
    counted: tills.CountedCash | null = null,
  ) {
    const { session, url } = request
    const id = Number(request.params.TillID)
    const query = request.method === 'GET' ? (request as unknown as TillsRequest).query : {}
    const till = await tills.readTill(sql, session.user, id)
    const { movements, next } = await tills.browseMovements(sql, session.user, id, query)
    const t = textsFor(request)
    const body = tillPage(session, t, { till, movements, url, next, again, counted })
    const { Email } = till.User
    return sendDashboard(reply, session, {
      title:
        till.User.UserID === session.user.userId
          ? t.say('till.title.yours')
          : Email
            ? t.say('till.title.of', { user: Email })
            : t.say('till.title.former'),
      status: again?.status ?? 200,
      body,
      assets: ['bookings.css', 'live.js'],
    })
  }
}

/**
 * The fault if the difference is not the one that the page showed, or if there is a difference without a
 * note. Null otherwise. It is checked before the closing is committed, because a closed till cannot be
 * changed.
 */
function differenceFault(t: Texts, { Difference, Note }: TillView, shown: string | undefined): string | null {
  if (!Difference) return null
  if (shown !== undefined && shown !== Difference.Amount) return t.say('till.moved')
  if (Note || Number(Difference.Amount) === 0) return null
  return t.say('till.note.needed', { difference: differenceText(t, Difference) })
}

/** The refused form, with its faults. */
function refusedOf(request: AboutTill, error: unknown): NonNullable<AgainForm> {
  const { faults, status } = faultsOf(inTimeOf(error, request))
  const labels = closeTillLabels(textsFor(request))
  return { values: request.body, faults: inWords(faults, labels), status }
}

/** The error `till-closed` with its time in the account's time zone. Other errors are returned unchanged. */
function inTimeOf(error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof Problem) || error.slug !== 'till-closed') return error
  const at = textsFor(request).moment(String(error.extensions.ClosedAt), request.session.user.timeZone)
  return new Problem(error.slug, `The till was already closed at ${at}.`)
}

/** Converts the text of the forms to the values of the API. */
async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Float?: string; Counted?: string }
  const { locale } = textsFor(request)
  if (body.Float) body.Float = readAmount(body.Float, locale)
  if (body.Counted) body.Counted = readAmount(body.Counted, locale)
}
