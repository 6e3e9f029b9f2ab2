/**
 * Computes, from the money of the sales, the refunds of bookings that become cheaper. Pure. The customer of a
 * partner's booking paid the partner, so there is no decision about a partner's booking. If it has refund terms,
 * only an amount is stored with it: the amount by its terms, or in a closure its whole price.
 */
import { Problem, problems } from '../../http/problems.ts'
import { refundOf } from '../../inventory/refund-terms.ts'
import type { Booking } from '../../inventory/service.ts'
import { type Price, toAmount, toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { toBasisPoints } from '../../platform/text/percent.ts'
import {
  balanceAfter,
  chooseRefund,
  type RefundAmounts,
  type RefundChoice,
  type RefundLimit,
  type RefundOptions,
  refundOptions,
  type TermsNow,
  undecidedForDrop,
} from './refund-model.ts'
import type { NewRefund } from './refund-queries.ts'
import type { RefundChoiceRequest } from './refund-schemas.ts'

/** A booking that becomes cheaper, and by how much. */
export type PriceDrop = {
  booking: Pick<Booking, 'id' | 'basketId' | 'channel' | 'status' | 'currency'>
  droppedMinor: bigint
  /** The new total of the booking. */
  newTotalMinor: bigint
  cause: 'cancelled' | 'amended' | 'moved' | 'closed'
}

/** The choice of a request. A closure, which cancels several bookings, has `Percent` instead of `Amount`. */
export type RefundRequest = RefundChoiceRequest & { Percent?: string }

export type RefundInstruction = {
  /** Undefined for the proposal. */
  request: RefundRequest | undefined
  /** Whether the operator cancels for its own reasons, by a closure. */
  isOperatorsOwn: boolean
}

/** The refund of a change, for the booking and for its history. */
export type Refunding = { refundMinor?: bigint; details: { Refund?: Price } }

export type RefundPlan = {
  /**
   * The refund of a booking. Empty if the booking is not confirmed, or if nothing can be paid back; but a
   * cancelled booking with refund terms has a refund of 0.
   */
  refundingOf: (bookingId: number) => Refunding
  /** The decisions to write. */
  refunds: NewRefund[]
}

/** The money of a sale, while its bookings become cheaper one after another. */
export type SaleSituation = {
  balanceMinor: bigint
  /** The total of its valid bookings. */
  chargedMinor: bigint
  /** The amount that a provider paid back without a decision. */
  undecidedMinor: bigint
}

/**
 * Computes the refund of each of these bookings in order, and updates `sales` after each one.
 * @throws Problem validation as amountsOf() and toChoice(), and for a decision about a partner's booking,
 *   except in a closure.
 */
export function planOf(
  drops: readonly PriceDrop[],
  order: RefundInstruction,
  sales: Map<number, SaleSituation>,
  terms: ReadonlyMap<number, TermsNow>,
): RefundPlan {
  const refundings = new Map<number, Refunding>()
  const refunds: NewRefund[] = []
  for (const drop of drops) {
    const { booking, droppedMinor, newTotalMinor, cause } = drop
    const { id: bookingId, basketId, currency } = booking
    const own = terms.get(bookingId) ?? null
    if (!isOwnSale(drop)) {
      refundings.set(bookingId, refundingOfPartner(drop, order, own))
      continue
    }
    const sale = booking.status === 'confirmed' ? sales.get(basketId) : undefined
    const options = sale
      ? optionsOf(sale, { droppedMinor, newTotalMinor, terms: own, ...order })
      : nothingPaid
    const amounts = amountsOf(options, toChoice(order.request, currency), currency)
    if (sale) sales.set(basketId, afterDrop(sale, droppedMinor, amounts))
    const hasRefunding = options.maxMinor > 0n || (cause !== 'amended' && cause !== 'moved' && own !== null)
    if (hasRefunding) refundings.set(bookingId, toRefunding(amounts.amountMinor, currency))
    if (options.maxMinor > 0n)
      refunds.push({ basketId, bookingId, cause, ...amounts, byTermsMinor: options.byTermsMinor, currency })
  }
  return { refundingOf: (bookingId) => refundings.get(bookingId) ?? { details: {} }, refunds }
}

type DropNow = Pick<PriceDrop, 'droppedMinor' | 'newTotalMinor'> & {
  terms: TermsNow | null
  isOperatorsOwn: boolean
}

/** The possible refunds of a booking that becomes cheaper by an amount. */
export function optionsOf(
  sale: SaleSituation,
  { droppedMinor, newTotalMinor, terms, isOperatorsOwn }: DropNow,
) {
  const { balanceMinor, chargedMinor, undecidedMinor } = sale
  const remainingTotalMinor = chargedMinor - droppedMinor
  const backMinor = undecidedForDrop(undecidedMinor, remainingTotalMinor - newTotalMinor)
  return refundOptions({
    droppedMinor,
    newTotalMinor,
    remainingTotalMinor,
    balanceMinor,
    backMinor,
    terms,
    isOperatorsOwn,
  })
}

function afterDrop(sale: SaleSituation, droppedMinor: bigint, amounts: RefundAmounts): SaleSituation {
  const { balanceMinor, chargedMinor, undecidedMinor } = sale
  const { amountMinor } = amounts
  return {
    balanceMinor: balanceAfter(balanceMinor, droppedMinor, amounts),
    chargedMinor: chargedMinor - droppedMinor,
    undecidedMinor: undecidedMinor > amountMinor ? undecidedMinor - amountMinor : 0n,
  }
}

const nothingPaid: RefundOptions = {
  maxMinor: 0n,
  limit: 'paid',
  leastMinor: 0n,
  byTermsMinor: null,
  proposedMinor: 0n,
}

export function isOwnSale({ booking }: PriceDrop): boolean {
  return booking.channel !== 'partner'
}

/**
 * The refund by the terms; in a closure, the whole price. There is no refund if the product has no terms, or
 * if the booking is amended or moved.
 * @throws Problem validation for a decision, except in a closure.
 */
function refundingOfPartner(
  { droppedMinor, cause, booking: { currency } }: PriceDrop,
  { request, isOperatorsOwn }: RefundInstruction,
  terms: TermsNow | null,
): Refunding {
  if (request && cause !== 'closed') {
    const message = 'must not be given for a partner’s booking: the partner pays its customer back'
    throw problems.validation([{ field: 'Refund', message }])
  }
  if (!terms || cause === 'amended' || cause === 'moved') return { details: {} }
  return toRefunding(
    isOperatorsOwn ? droppedMinor : refundOf(terms.steps, droppedMinor, terms.msBefore),
    currency,
  )
}

/** The amount of a choice in minor units. @throws Problem validation as amountsOf() and toChoice(). */
export function chosenMinor(
  options: RefundOptions,
  request: RefundChoiceRequest | undefined,
  currency: string,
): bigint {
  return amountsOf(options, toChoice(request, currency), currency).amountMinor
}

/**
 * Like chosenMinor(), but returns the proposal if the choice is not possible. For a form that is shown again.
 */
export function chosenOrProposedMinor(...choice: Parameters<typeof chosenMinor>): bigint {
  try {
    return chosenMinor(...choice)
  } catch (error) {
    if (error instanceof Problem) return choice[0].proposedMinor
    throw error
  }
}

function toRefunding(refundMinor: bigint, currency: string): Refunding {
  return { refundMinor, details: { Refund: toMoney(refundMinor, currency) } }
}

/**
 * @throws Problem validation if the choice is more than can be paid back, or less than the provider has already paid
 *   back.
 */
export function amountsOf(
  options: RefundOptions,
  choice: RefundChoice | null,
  currency: string,
): RefundAmounts {
  const amounts = chooseRefund(options, choice)
  if (amounts) return amounts
  const { maxMinor, leastMinor } = options
  const text = (minor: bigint) => `${toAmount(minor, currency)} ${currency}`
  const isLess =
    choice !== null &&
    typeof choice === 'object' &&
    'amountMinor' in choice &&
    choice.amountMinor < leastMinor
  const message = isLess
    ? `must be at least ${text(leastMinor)}, which the payment provider has paid back already`
    : `must be at most ${text(maxMinor)}${maxText(options)}`
  throw problems.validation([{ field: 'Refund.Amount', message }])
}

function maxText({ maxMinor, limit }: RefundOptions): string {
  if (limit === 'cheaper' && maxMinor === 0n) return ': the booking does not become cheaper'
  return `, ${limitWords[limit]}`
}

const limitWords: Readonly<Record<RefundLimit, string>> = {
  paid: 'the amount that was paid for it',
  cheaper: 'by which the booking becomes cheaper',
  beyond: 'the amount that was paid above the remaining price',
  overpaid: 'the overpaid amount',
}

/** The error of a choice that has both of its fields, or neither. */
export const eitherOfTwo = 'must have either Choice or Amount'

/**
 * Converts a request to a choice; null without a request. With `Percent`, the other fields are ignored.
 * @throws Problem validation if it has both of `Choice` and `Amount` or neither, or if `Amount` is not valid
 *   in the currency.
 */
export function toChoice(request: RefundRequest | undefined, currency: string): RefundChoice | null {
  if (!request) return null
  const { Choice, Amount, Percent } = request
  if (Percent !== undefined) return { basisPoints: toBasisPoints(Percent) }
  if ((Choice === undefined) === (Amount === undefined))
    throw problems.validation([{ field: 'Refund', message: eitherOfTwo }])
  if (Choice !== undefined) return Choice
  const amountMinor = toExactMinorUnits(Amount!, currency)
  if (amountMinor !== null) return { amountMinor }
  throw problems.validation([{ field: 'Refund.Amount', message: `must be an amount of ${currency}` }])
}
