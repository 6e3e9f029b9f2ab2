/** The third step of a sale: the till's reduction, the total, and the payment. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { readDescribedBasket } from '../../sales/basket/description.ts'
import { heldState } from '../../sales/basket/held-version.ts'
import { payAtTill } from '../../sales/basket/paying.ts'
import { findAgreedReduction, updateAgreedReduction } from '../../sales/basket/reduction-queries.ts'
import { type BasketView, basketPathSchema } from '../../sales/basket/schemas.ts'
import {
  basketPaymentSchema,
  type TillReduction,
  tillPaymentSchema,
  tillReductionSchema,
} from '../../sales/basket/till-schemas.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { listOpenCurrencies } from '../../sales/till/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount, readPercent } from '../parts/amounts.ts'
import { customerName } from '../parts/booking-words.ts'
import { type AboutBasket, idOf, pathOf } from './basket-pages.ts'
import { lacksAnswers } from './customer-step.ts'
import { heldField } from './held-before.ts'
import { paymentView } from './payment-views.ts'
import { paymentFaults } from './reduction-views.ts'
import { priceOf, type SalePrice } from './sale-price.ts'
import { payPath } from './steps.ts'

/**
 * `Due` is the amount on the button. A form that an older version of the service rendered does not have it.
 */
const paymentForm = Type.Object({
  ...basketPaymentSchema.properties,
  Due: Type.Optional(Type.String({ maxLength: 40 })),
  ...heldField,
  // Sent by the button that takes only the typed amount. The other button takes the total.
  Part: Type.Optional(Type.Boolean()),
})
/** `Nameless`: the page does not require the customer's name. See payPath(). */
const shownSchema = Type.Object({ Nameless: Type.Optional(Type.Enum(['true'])) })
const reductionForm = Type.Object({
  ...Type.Partial(tillPaymentSchema).properties,
  Reduction: tillReductionSchema,
})

type ShownPayment = ShownForm & { status: number; changed?: 'price' | 'lines' }

export const paymentPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, params: basketPathSchema }
  const checked = { attachValidation: true, preValidation: readTypedValues }

  app.get('/sell/:BasketID/pay', { schema: { ...schema, querystring: shownSchema } }, (request, reply) =>
    sendPayment(sql, request, reply, null, request.query.Nameless === undefined),
  )

  // Shows the total with the agreed reduction, and stores the reduction with the sale if it is open. The payment
  // then reduces the prices.
  app.post(
    '/sell/:BasketID/pay/reduction',
    { schema: { ...schema, body: reductionForm }, ...checked },
    async (request, reply) => {
      const values = request.body
      const { accountId } = request.session.user
      try {
        checkForm(request)
        const basket = await readBasket(sql, accountId, idOf(request))
        priceOf(basket, values.Reduction)
        await updateAgreedReduction(sql, accountId, idOf(request), values.Reduction)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        return sendPayment(sql, request, reply, {
          values,
          faults: paymentFaults(textsFor(request), faults),
          status,
        })
      }
      return sendPayment(sql, request, reply, { values, faults: null, status: 200 })
    },
  )

  app.post('/sell/:BasketID/pay/reduction/remove', { schema }, async (request, reply) => {
    const { accountId } = request.session.user
    // Throws not-found for a basket of another account.
    const { BasketID: id } = await readBasket(sql, accountId, idOf(request))
    await updateAgreedReduction(sql, accountId, id, null)
    return reply.redirect(payPath(pathOf(request), false), 303)
  })

  app.post(
    '/sell/:BasketID/pay',
    { schema: { ...schema, body: paymentForm }, ...checked },
    async (request, reply) => {
      const { session, body } = request
      const { Reduction: reduction, Due: shownDue, Held, Part: isPart = false, ...payment } = body
      try {
        checkForm(request)
        checkPart(isPart, payment.Amount)
        const { accountId } = session.user
        const basket = await readBasket(sql, accountId, idOf(request))
        const agreed = await findAgreedReduction(sql, accountId, idOf(request))
        const isStale = agreed !== null && !isSame(agreed, reduction)
        const isShown = () => shownDue === (priceOf(basket, reduction).due?.Amount ?? '')
        const haveLinesChanged = Held !== undefined && Held !== versionOf(heldState(basket.Lines))
        // If the amount on the button, the stored reduction or the lines have changed, the page shows the new
        // state first.
        if (isPayable(basket) && shownDue !== undefined && (isStale || haveLinesChanged || !isShown())) {
          const currentReduction = agreed ?? reduction
          if (currentReduction) await updateAgreedReduction(sql, accountId, idOf(request), currentReduction)
          return sendPayment(sql, request, reply, {
            values: { ...body, Reduction: currentReduction },
            faults: null,
            status: 409,
            changed: haveLinesChanged ? 'lines' : 'price',
          })
        }
        const sale = { basketId: idOf(request), payment, reduction, needsAnswers: true }
        await payAtTill(sql, onceOf(request, 'basket.pay'), byUser(session.user), sale)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        return sendPayment(sql, request, reply, {
          values: body,
          faults: paymentFaults(textsFor(request), faults),
          status,
        })
      }
      return reply.redirect(pathOf(request), 303)
    },
  )
}

/**
 * @throws Problem validation if a typed amount is sent with the button for the total, or no amount with the
 * other button.
 */
function checkPart(isPart: boolean, amount: string | undefined): void {
  const refused = (message: string) => problems.validation([{ field: 'Amount', message }])
  if (isPart && amount === undefined) throw refused('is needed: type what the customer pays now')
  if (!isPart && amount !== undefined)
    throw refused(
      'is for a part payment: press the button below it, or leave it empty to take the full amount',
    )
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  type WrittenAmounts = { Amount?: string; Reduction?: { Amount?: string; Percent?: string } }
  const body = request.body as WrittenAmounts
  const { Reduction } = body
  const { locale } = textsFor(request)
  if (body.Amount) body.Amount = readAmount(body.Amount, locale)
  if (Reduction?.Amount) Reduction.Amount = readAmount(Reduction.Amount, locale)
  if (Reduction?.Percent) Reduction.Percent = readPercent(Reduction.Percent, locale)
}

function isSame(one: TillReduction, other: TillReduction | undefined): boolean {
  return one.Amount === other?.Amount && one.Percent === other?.Percent && one.Reason === other?.Reason
}

function isPayable({ Status }: BasketView): boolean {
  return Status === 'open' || Status === 'expired'
}

/**
 * Sends the page of the payment. If required answers or the name are missing, redirects to the page of the
 * customer. If the sale cannot be paid any more, redirects to the page of the sale, with a notice if the
 * form of the payment or the reduction was refused.
 * @param needsName whether an open sale needs the name of the customer.
 */
async function sendPayment(
  sql: Sql,
  request: AboutBasket,
  reply: FastifyReply,
  again: ShownPayment | null,
  needsName = false,
) {
  const { session } = request
  const described = await readDescribedBasket(sql, session.user.accountId, idOf(request))
  const { basket } = described
  if (!isPayable(basket)) {
    const refused = basket.Status === 'completed' ? 'sale-was-completed' : 'sale-was-released'
    return reply.redirect(again?.faults ? doneAt(pathOf(request), refused) : pathOf(request), 303)
  }
  const lacksName = needsName && basket.Status === 'open' && customerName(basket.Customer) === ''
  if (lacksName || lacksAnswers(described)) return reply.redirect(`${pathOf(request)}?Next=pay`, 303)
  const t = textsFor(request)
  const agreed = await findAgreedReduction(sql, session.user.accountId, idOf(request))
  const kept = agreed && { values: { Reduction: agreed }, faults: null, status: 200 }
  const { price, shown } = shownPrice(t, basket, again ?? kept)
  const status = again === null ? 200 : (shown?.status ?? 200)
  const changed = shown?.changed ?? null
  const tills = await listOpenCurrencies(sql, session.user)
  const step = { described, price, tills, changed, hasAgreed: agreed !== null, now: Date.now() }
  const body = paymentView(session, t, step, shown)
  return sendDashboard(reply, session, {
    title: t.say('sell.title'),
    ...{ status, body, assets: ['bookings.css', 'sell.css'] },
  })
}

/** The total with the reduction in `again`. An invalid reduction is left out, and the form shows its fault. */
function shownPrice(
  t: Texts,
  basket: BasketView,
  again: ShownPayment | null,
): { price: SalePrice; shown: ShownPayment | null } {
  const { Reduction } = (again?.values ?? {}) as { Reduction?: TillReduction }
  const isWrong = namesReduction(again?.faults ?? null)
  try {
    return { price: priceOf(basket, isWrong ? undefined : Reduction), shown: again }
  } catch (error) {
    const { faults, status } = faultsOf(error)
    const shown = { values: again?.values, faults: paymentFaults(t, faults), status }
    return { price: priceOf(basket, undefined), shown }
  }
}

function namesReduction(faults: FormFaults): boolean {
  return [...(faults?.fields.keys() ?? [])].some((field) => field.startsWith('Reduction'))
}
