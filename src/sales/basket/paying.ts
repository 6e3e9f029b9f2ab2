/**
 * The use cases of paying at the till: for a basket, for places that are sold in one step, or for the balance of a
 * completed sale. When a basket is sold, one transaction confirms the lines, completes and meters the basket, and
 * writes its payment, so that each happens once.
 */

import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { withAlternatives } from '../../inventory/alternatives.ts'
import { makeBasket } from '../../inventory/baskets.ts'
import {
  type Booking,
  type BookingChange,
  type Bought,
  changeBookings,
  findShortages,
  type LockedBasket,
  type LockedTimeslot,
  lockPlaces,
  makeBookings,
  onWholeTimeslot,
  type PlacedBooking,
  type Shortage,
  totalOf,
} from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toCustomer } from '../booking/customer.ts'
import type { BookingRecord } from '../booking/desk/schemas.ts'
import { getBooking } from '../booking/desk/service.ts'
import type { PaymentRequest } from '../ledger/schemas.ts'
import { takePayment } from '../ledger/taking.ts'
import { ensureUse, promotionRefused } from '../promotion/applying.ts'
import type { PromotionReason } from '../promotion/model.ts'
import { checkAnswered } from './description.ts'
import { addFirstPayment, type FirstPayment, readPayment, toStoredPayment } from './first-payment.ts'
import { checkPlaces, findLines, priceLines, refusalOf, toBookings } from './lines.ts'
import { getLocked } from './locking.ts'
import { isPayable, sumLines, type Total } from './model.ts'
import * as queries from './queries.ts'
import { readReduction, reduceSale } from './reducing.ts'
import type { BasketResult } from './service.ts'
import type { SaleRequest, TillPayment, TillReduction } from './till-schemas.ts'
import { readBasket } from './views.ts'

export type TillSale = {
  basketId: number
  payment: TillPayment
  reduction?: TillReduction | undefined
  /** Whether every required question must be answered. Callers of the API check that themselves. */
  needsAnswers?: boolean
}

/**
 * Sells a basket at the till. An expired basket is sold too, if its places are still free.
 * @throws Problem not-found, held-by-reseller, basket-not-open, basket-empty; validation for a reduction of
 *   0, for a reduction or a payment above the total, and for a required question without an answer;
 *   promotion-not-applicable; insufficient-capacity or timeslot-unavailable.
 */
export function payAtTill(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, payment, reduction, needsAnswers = false }: TillSale,
): Promise<BasketResult> {
  const { accountId } = by
  return withAlternatives(sql, () =>
    runOnce(sql, request, async (tx) => {
      const locked = await getLocked(tx, accountId, basketId, { promotionIds: [] })
      const { status } = locked.basket
      if (!isForSale(locked)) throw problems.basketNotOpen(status)
      const payable = locked.lines.filter(isPayable)
      if (payable.length === 0) throw problems.basketEmpty()
      if (needsAnswers) await checkAnswered(tx, { accountId, basketId }, payable)
      const lines = await reduceSale(tx, by, payable, reduction)
      const total = sumLines(lines.filter(isPayable))!
      const paid = readPayment(payment, total, 'Amount')
      const obstacle = await complete(tx, by, { ...locked, lines }, paid)
      if (obstacle?.promotion) throw promotionRefused(obstacle.promotion)
      if (obstacle) {
        const lines = await queries.listLines(tx, accountId, [basketId])
        // Only lines whose hold has expired need new places.
        const asking = lines.map((line) => {
          const { bought = line } = takeWhole(line, locked.slots.get(line.timeslotId)!)
          return { ...line, bought: line.status === 'expired' ? bought : { ...line, places: 0 } }
        })
        throw refusalOf(accountId, asking, obstacle.shortages)
      }
      return readBasket(tx, accountId, basketId)
    }),
  )
}

/** Whether a basket can be sold here: it is open or expired, and is not the basket of a partner's booking. */
export function isForSale({ basket }: LockedBasket): boolean {
  return (basket.status === 'open' || basket.status === 'expired') && basket.channel !== 'partner'
}

/**
 * Confirms every held or expired line of a basket and completes the basket. The caller has locked the basket
 * and its promotion. If places for an expired line are not free, or if the promotion can no longer be used,
 * it confirms nothing and returns the reason.
 */
export async function complete(
  tx: Transaction,
  by: Authorship,
  { basket, lines, slots }: LockedBasket,
  paid: FirstPayment,
): Promise<Obstacle | null> {
  const { accountId, actor } = by
  const changes = lines.filter(isPayable).map((booking): BookingChange & { action: 'confirmed' } => {
    const to = { status: 'confirmed', ...takeWhole(booking, slots.get(booking.timeslotId)!) } as const
    return { booking, action: 'confirmed', to }
  })
  const wanted = changes.map(({ booking, to }) => {
    return { from: booking, to: { ...booking, ...to.bought, status: 'confirmed' as const } }
  })
  const shortages = await findShortages(tx, wanted)
  if (shortages.length > 0) return { shortages }
  const promotion = await ensureUse(tx, accountId, basket)
  if (promotion) return { promotion }
  const total = sumLines(lines.filter(isPayable))!
  await queries.completeBasket(tx, accountId, basket.id, toStoredPayment(paid, total.minor))
  await changeBookings(tx, actor, changes)
  await appendEvents(tx, [{ accountId, actor, type: 'basket.completed', basketId: basket.id, details: {} }])
  await addFirstPayment(tx, by, basket.id, paid)
  return null
}

/** Why a basket cannot be completed. */
type Obstacle =
  | { shortages: Shortage[]; promotion?: never }
  | { shortages?: never; promotion: PromotionReason }

/** A booking of a whole timeslot also takes the places that were added since its hold expired. */
function takeWhole(
  booking: Bought & Pick<Booking, 'status'>,
  { capacity }: LockedTimeslot,
): { bought?: Bought } {
  if (!booking.takesTimeslot || booking.status === 'held') return {}
  return { bought: onWholeTimeslot(booking, capacity) }
}

/**
 * Sells places at the till in one step: makes a confirmed booking, its completed basket, and the event that meters it.
 * @throws Problem validation, also for a reduction of 0, and for a reduction or a payment above the total;
 *   insufficient-capacity or timeslot-unavailable.
 */
export function sellAtTill(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  wanted: SaleRequest,
): Promise<{ answer: BookingRecord; replayed: boolean }> {
  const { accountId } = by
  const sell = () =>
    runOnce(sql, request, async (tx) => {
      const lines = await findLines(tx, accountId, 'pos', [wanted], () => '')
      const timeslotIds = lines.map(({ timeslotId }) => timeslotId)
      const { slots } = await lockPlaces(tx, accountId, { timeslotIds })
      const priced = priceLines(accountId, lines, slots, () => '')
      await checkPlaces(tx, accountId, priced)
      const total = totalAfterReduction(priced[0]!.bought, wanted.Reduction)
      const paid = readPayment(wanted.Payment, total, 'Payment.Amount')
      const payment = toStoredPayment(paid, total.minor)
      const basketId = await makeBasket(tx, by, { status: 'completed', channel: 'pos', payment })
      const customer = toCustomer(wanted.Customer)
      const common = { ...by, basketId, channel: 'pos', status: 'confirmed', ...customer } as const
      const placed = toBookings(priced, common)
      const [id] = await makeBookings(tx, placed)
      const [{ booking, bought, slot }] = placed as [PlacedBooking]
      await reduceSale(tx, by, [{ ...booking, ...bought, id: id!, timeslotId: slot.id }], wanted.Reduction)
      await addFirstPayment(tx, by, basketId, paid)
      return getBooking(tx, accountId, placed[0]!.booking.reference)
    })
  return withAlternatives(sql, sell, { namesLine: false })
}

/**
 * Takes a payment for a completed sale, up to its balance.
 * @throws Problem not-found, held-by-reseller; and as takePayment().
 */
export function payBalance(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, payment }: { basketId: number; payment: PaymentRequest },
): Promise<BasketResult> {
  return runOnce(sql, request, async (tx) => {
    await takePayment(tx, by, await getLocked(tx, by.accountId, basketId), payment)
    return readBasket(tx, by.accountId, basketId)
  })
}

function totalAfterReduction(bought: Bought, reduction: TillReduction | undefined): Total {
  const total = { minor: totalOf(bought), currency: bought.currency }
  return reduction ? { ...total, minor: total.minor - readReduction(reduction, total) } : total
}
