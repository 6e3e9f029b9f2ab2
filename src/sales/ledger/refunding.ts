/**
 * Decides what is paid back of bookings that become cheaper: by their terms, all, a part or nothing. The service itself pays
 * nothing back. Of a partner's booking nothing was paid to the operator: it keeps what its terms say, and no row.
 */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { problems } from '../../http/problems.ts'
import { refundOf } from '../../inventory/refund-terms.ts'
import type { Basket, Booking } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { type Price, toAmount, toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import {
  balanceAfter,
  chooseRefund,
  overpaidOptions,
  type RefundChoice,
  type RefundOptions,
  refundOptions,
  type TermsNow,
} from './refund-model.ts'
import { insertRefunds, listRefundTerms, type NewRefund } from './refund-queries.ts'
import type { RefundChoiceRequest } from './refund-schemas.ts'
import { openLedger, openLedgers, readLedger, type SaleLedger } from './service.ts'
import { settleByKept } from './settling.ts'

/** A booking that becomes cheaper, and by how much. */
export type PriceDrop = {
  booking: Pick<Booking, 'id' | 'basketId' | 'channel' | 'status' | 'currency'>
  goneMinor: bigint
  cause: 'cancelled' | 'amended' | 'moved' | 'closed'
}

export type RefundOrder = {
  /** Undefined: as proposed. */
  request: RefundChoiceRequest | undefined
  /** Whether the operator does not do what it sold. */
  isOperatorsOwn: boolean
}

/** What is said of a change: what the booking keeps, and what its history tells. */
export type Refunding = { refundMinor?: bigint; details: { Refund?: Price } }

export type RefundPlan = {
  /** By booking. Nothing is said of one that is not confirmed, nor where nothing says how much. */
  refundingOf: (bookingId: number) => Refunding
  /** What is to be written down. */
  refunds: NewRefund[]
}

/**
 * What a change of prices would come to, as the ledgers of the sales are.
 * @throws Problem validation for more than can be paid back, or for a decision about a partner's booking.
 */
export async function planRefunds(
  sql: Queryable,
  accountId: number,
  drops: readonly PriceDrop[],
  order: RefundOrder,
): Promise<RefundPlan> {
  const ledgers = await readLedger(sql, accountId, basketsOf(drops))
  return plan(drops, order, ledgers, await readTerms(sql, accountId, drops))
}

/**
 * Decides, under the locks of the sales' baskets and before the bookings change; keepRefunds() writes it down afterwards. It
 * opens the ledgers of the sales.
 * @throws as planRefunds().
 */
export async function decideRefunds(
  tx: Transaction,
  accountId: number,
  drops: readonly PriceDrop[],
  order: RefundOrder,
): Promise<RefundPlan> {
  const ledgers = await openLedgers(tx, accountId, basketsOf(drops))
  return plan(drops, order, ledgers, await readTerms(tx, accountId, drops))
}

/**
 * Writes down what was decided about locked sales, with the events of what is to be paid back; gives the ids. What a
 * provider paid back before is done at once.
 */
export async function keepRefunds(
  tx: Transaction,
  by: Authorship,
  refunds: readonly NewRefund[],
): Promise<number[]> {
  if (refunds.length === 0) return []
  const ids = await insertRefunds(tx, by, refunds)
  const events = refunds.flatMap(({ basketId, cause, amountMinor, currency }, index) => {
    if (amountMinor === 0n) return []
    const details = { Reason: cause, RefundID: ids[index]!, ...toMoney(amountMinor, currency) }
    return [{ ...by, type: 'refund.due' as const, basketId, details }]
  })
  await appendEvents(tx, events)
  if (events.length > 0)
    await settleByKept(tx, by.accountId, [...new Set(events.map(({ basketId }) => basketId))])
  return ids
}

/**
 * Decides about what was paid too much of a locked sale; gives the id of the decision.
 * @throws Problem nothing-overpaid; validation for more than that.
 */
export async function decideOverpaid(
  tx: Transaction,
  by: Authorship,
  basket: Basket,
  request: RefundChoiceRequest | undefined,
): Promise<number> {
  const ledger = await openLedger(tx, by.accountId, { basket })
  const options = overpaidOptions(ledger?.balance ?? 0n)
  if (!ledger || options.mostMinor === 0n) throw moneyProblems.nothingOverpaid()
  const { currency } = ledger
  const amounts = amountsOf(options, toChoice(request, currency), currency)
  const refund = { basketId: basket.id, bookingId: null, cause: 'overpaid' as const, byTermsMinor: null }
  const [id] = await keepRefunds(tx, by, [{ ...refund, ...amounts, currency }])
  return id!
}

function basketsOf(drops: readonly PriceDrop[]): number[] {
  return [...new Set(drops.filter(isOwnSale).map(({ booking }) => booking.basketId))]
}

function isOwnSale({ booking }: PriceDrop): boolean {
  return booking.channel !== 'partner'
}

async function readTerms(sql: Queryable, accountId: number, drops: readonly PriceDrop[]) {
  const ids = drops
    .filter(({ booking: { status } }) => status === 'confirmed')
    .map(({ booking }) => booking.id)
  const rows = ids.length > 0 ? await listRefundTerms(sql, accountId, ids) : []
  return new Map<number, TermsNow>(rows.map(({ bookingId, ...terms }) => [bookingId, terms]))
}

function plan(
  drops: readonly PriceDrop[],
  order: RefundOrder,
  ledgers: ReadonlyMap<number, SaleLedger>,
  terms: ReadonlyMap<number, TermsNow>,
): RefundPlan {
  const balances = new Map([...ledgers].map(([id, { balance }]) => [id, balance]))
  const refundings = new Map<number, Refunding>()
  const refunds: NewRefund[] = []
  for (const drop of drops) {
    const { booking, goneMinor, cause } = drop
    const { id: bookingId, basketId, currency } = booking
    const own = terms.get(bookingId) ?? null
    if (!isOwnSale(drop)) {
      refundings.set(bookingId, refundingOfPartner(drop, order, own))
      continue
    }
    const isSold = booking.status === 'confirmed'
    const balanceMinor = balances.get(basketId) ?? 0n
    const about = { goneMinor, balanceMinor, terms: own, isOperatorsOwn: order.isOperatorsOwn }
    const options = isSold && balances.has(basketId) ? refundOptions(about) : nothingPaid
    const amounts = amountsOf(options, toChoice(order.request, currency), currency)
    balances.set(basketId, balanceAfter(balanceMinor, goneMinor, amounts))
    const isSaid = options.mostMinor > 0n || (cause !== 'amended' && cause !== 'moved' && own !== null)
    if (isSaid) refundings.set(bookingId, toRefunding(amounts.amountMinor, currency))
    if (options.mostMinor > 0n)
      refunds.push({ basketId, bookingId, cause, ...amounts, byTermsMinor: options.byTermsMinor, currency })
  }
  return { refundingOf: (bookingId) => refundings.get(bookingId) ?? { details: {} }, refunds }
}

const nothingPaid: RefundOptions = { mostMinor: 0n, byTermsMinor: null, proposedMinor: 0n }

/** As the terms say, or all where the operator does not do what it sold; nothing is said where there are none. */
function refundingOfPartner(
  { goneMinor, cause, booking: { currency } }: PriceDrop,
  { request, isOperatorsOwn }: RefundOrder,
  terms: TermsNow | null,
): Refunding {
  if (request && cause !== 'closed') {
    const message = 'must not be given for a partner’s booking: the partner pays its customer back'
    throw problems.validation([{ field: 'Refund', message }])
  }
  if (!terms || cause === 'amended' || cause === 'moved') return { details: {} }
  return toRefunding(isOperatorsOwn ? goneMinor : refundOf(terms.steps, goneMinor, terms.msBefore), currency)
}

/** What a choice comes to in minor units. @throws as planRefunds(). */
export function chosenMinor(
  options: RefundOptions,
  request: RefundChoiceRequest | undefined,
  currency: string,
): bigint {
  return amountsOf(options, toChoice(request, currency), currency).amountMinor
}

function toRefunding(refundMinor: bigint, currency: string): Refunding {
  return { refundMinor, details: { Refund: toMoney(refundMinor, currency) } }
}

/** @throws Problem validation for more than can be paid back. */
function amountsOf(options: RefundOptions, choice: RefundChoice | null, currency: string) {
  const amounts = chooseRefund(options, choice)
  if (amounts) return amounts
  const message = `must be at most ${toAmount(options.mostMinor, currency)}, which is what was paid of it`
  throw problems.validation([{ field: 'Refund.Amount', message }])
}

/** @throws Problem validation for both or neither of its fields, and for no amount of the currency. */
function toChoice(request: RefundChoiceRequest | undefined, currency: string): RefundChoice | null {
  if (!request) return null
  const { Choice, Amount } = request
  if ((Choice === undefined) === (Amount === undefined))
    throw problems.validation([{ field: 'Refund', message: 'must have either Choice or Amount' }])
  if (Choice !== undefined) return Choice
  const amountMinor = toExactMinorUnits(Amount!, currency)
  if (amountMinor !== null) return { amountMinor }
  throw problems.validation([{ field: 'Refund.Amount', message: `must be an amount of ${currency}` }])
}
