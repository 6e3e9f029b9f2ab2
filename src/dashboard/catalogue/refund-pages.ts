/** The page that changes all refund terms of a product together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getProduct } from '../../catalogue/reading.ts'
import { type RefundTerm, refundTermsSchema } from '../../catalogue/refund-steps.ts'
import { readRefundTerms, replaceRefundTerms } from '../../catalogue/refund-terms/service.ts'
import { productPathSchema } from '../../catalogue/schemas.ts'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { byLine } from '../frame/form-lines.ts'
import { checkForm, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { readPercent } from '../parts/amounts.ts'
import { storedWords } from '../parts/stored-words.ts'
import type { CataloguePageOptions } from './paths.ts'
import { productPath } from './paths.ts'
import { refundFaults, refundFieldNames, refundPage } from './refund-views.ts'

const refundForm = Type.Object({ RefundTerms: Type.Optional(refundTermsSchema), Version: Type.String() })
const path = '/catalogue/:ProductID/refund-terms'
const listField = 'RefundTerms'
const schema = { hide: true, params: productPathSchema }

type AboutProduct = FastifyRequest<{ Params: { ProductID: string } }>

export const refundPages: Routes<CataloguePageOptions> = (app, { sql }) => {
  app.get(path, { schema }, async (request, reply) => {
    const terms = await readRefundTerms(sql, request.session.user.accountId, idOf(request))
    return send(request, reply, { values: byLine(listField, terms), faults: null, version: versionOf(terms) })
  })

  app.post(
    path,
    { schema: { ...schema, body: refundForm }, attachValidation: true, preValidation: readTypedValues },
    async (request, reply) => {
      const { session, body } = request
      const productId = idOf(request)
      const given = { Version: body.Version, ...byLine(listField, body.RefundTerms ?? []) }
      try {
        checkForm(request)
        const { RefundTerms: terms = [], Version: seen } = body
        await runOnce(sql, onceOf(request, 'refund-terms.replace'), async (tx) => ({
          terms: await replaceRefundTerms(tx, byUser(session.user), { productId, terms, seen }),
        }))
        return reply.redirect(`${doneAt(productPath(productId), 'refund-terms')}#refund-terms`, 303)
      } catch (error) {
        const { status, ...shown } = await showFormAgain(error, async () => {
          const state = await readRefundTerms(sql, session.user.accountId, productId)
          const [existing, fields] = [byLine(listField, state), refundFieldNames]
          return { given, existing, state, fields, shownAs: storedWords(textsFor(request)) }
        })
        return send(
          request,
          reply,
          { ...shown, faults: shown.faults && refundFaults(textsFor(request), shown.faults) },
          status,
        )
      }
    },
  )

  async function send(
    request: AboutProduct,
    reply: FastifyReply,
    shown: ShownForm & { version: string },
    status = 200,
  ) {
    const { session } = request
    const { name } = await getProduct(sql, session.user.accountId, idOf(request))
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('refund-terms.of', { product: name }),
      body: refundPage(session, t, idOf(request), shown),
      status,
      assets: ['catalogue.css'],
    })
  }
}

function idOf({ params }: AboutProduct): number {
  return Number(params.ProductID)
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  const { RefundTerms = [] } = request.body as { RefundTerms?: Partial<RefundTerm>[] }
  const { locale } = textsFor(request)
  for (const term of RefundTerms) if (term.Percent) term.Percent = readPercent(term.Percent, locale)
}
