/**
 * The use cases of paying: at the till, at once, and what a provider's payment comes to. A basket is completed and
 * metered in the transaction that confirms its lines, so once.
 */

import { type Authorship, thePayment } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { withAlternatives } from '../../inventory/alternatives.ts'
import { isHeldByReseller } from '../../inventory/locking.ts'
import {
  type BasketStatus,
  type Booking,
  type BookingChange,
  type Bought,
  changeBookings,
  endBasket,
  findShortages,
  type LockedBasket,
  type LockedTimeslot,
  lockPlaces,
  makeBasket,
  makeBookings,
  onWholeTimeslot,
  type PlacedBooking,
  type Shortage,
} from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toCustomer } from '../booking/customer.ts'
import type { BookingRecord } from '../booking/desk/schemas.ts'
import { getBooking } from '../booking/desk/service.ts'
import { keepUse, promotionRefused } from '../promotion/applying.ts'
import type { PromotionReason } from '../promotion/model.ts'
import { checkPlaces, findLines, priceLines, refusalOf, toBookings } from './lines.ts'
import { isPayable, isTotal, sumLines } from './model.ts'
import * as queries from './queries.ts'
import { reduceSale } from './reducing.ts'
import type { RefundReason } from './schemas.ts'
import { type Done, getLocked } from './service.ts'
import type { SaleRequest, TillPayment, TillReduction } from './till-schemas.ts'
import { readBasket } from './views.ts'

export type TillSale = { basketId: number; payment: TillPayment; reduction?: TillReduction | undefined }

/**
 * Sells a basket to whoever pays at the till, also one whose time has run out while its places can still be had.
 * @throws Problem not-found, basket-not-open, basket-empty; validation for a reduction of nothing, or of more than the
 *   total; promotion-not-applicable; insufficient-capacity or timeslot-unavailable.
 */
export function payAtTill(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, payment, reduction }: TillSale,
): Promise<Done> {
  const { accountId } = by
  return withAlternatives(sql, () =>
    runOnce(sql, request, async (tx) => {
      const locked = await getLocked(tx, accountId, basketId, { promotionIds: [] })
      const { status } = locked.basket
      if (!isForSale(locked)) throw problems.basketNotOpen(status)
      const payable = locked.lines.filter(isPayable)
      if (payable.length === 0) throw problems.basketEmpty()
      const lines = await reduceSale(tx, by, payable, reduction)
      const obstacle = await complete(tx, by, { ...locked, lines }, toPayment(payment))
      if (obstacle?.promotion) throw promotionRefused(obstacle.promotion)
      if (obstacle) {
        const lines = await queries.listLines(tx, accountId, [basketId])
        // A line that is still held, or gone from the basket, asks for nothing.
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

function toPayment({ Method, Reference }: TillPayment): queries.Payment {
  return { method: Method, reference: Reference ?? null }
}

function isForSale({ basket }: LockedBasket): boolean {
  return (basket.status === 'open' || basket.status === 'expired') && !isHeldByReseller(basket)
}

/**
 * Confirms every line of a basket, which is locked with its promotion, and completes it. Where the places of lines
 * that it held too long are gone, or the use of its promotion, it says so and has confirmed nothing.
 */
async function complete(
  tx: Transaction,
  { accountId, actor }: Authorship,
  { basket, lines, slots }: LockedBasket,
  payment: queries.Payment,
): Promise<Obstacle | null> {
  const changes = lines.filter(isPayable).map((booking): BookingChange & { action: 'confirmed' } => {
    const to = { status: 'confirmed', ...takeWhole(booking, slots.get(booking.timeslotId)!) } as const
    return { booking, action: 'confirmed', to }
  })
  const wanted = changes.map(({ booking, to }) => {
    return { from: booking, to: { ...booking, ...to.bought, status: 'confirmed' as const } }
  })
  const shortages = await findShortages(tx, wanted)
  if (shortages.length > 0) return { shortages }
  const promotion = await keepUse(tx, accountId, basket)
  if (promotion) return { promotion }
  await queries.completeBasket(tx, accountId, basket.id, payment)
  await changeBookings(tx, actor, changes)
  await appendEvents(tx, [{ accountId, actor, type: 'basket.completed', basketId: basket.id, details: {} }])
  return null
}

/** Why a basket cannot be completed. */
type Obstacle =
  | { shortages: Shortage[]; promotion?: never }
  | { shortages?: never; promotion: PromotionReason }

/** A booking of a whole timeslot takes the places that were added while nothing was held for it. */
function takeWhole(
  booking: Bought & Pick<Booking, 'status'>,
  { capacity }: LockedTimeslot,
): { bought?: Bought } {
  if (!booking.takesTimeslot || booking.status === 'held') return {}
  return { bought: onWholeTimeslot(booking, capacity) }
}

/**
 * Sells places at the till in one step: the booking, its paid basket, and the event that meters it.
 * @throws Problem validation, also for a reduction of nothing or of more than the total; insufficient-capacity or
 *   timeslot-unavailable.
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
      const payment = toPayment(wanted.Payment)
      const basketId = await makeBasket(tx, by, { status: 'completed', channel: 'pos', payment })
      const customer = toCustomer(wanted.Customer)
      const common = { ...by, basketId, channel: 'pos', status: 'confirmed', ...customer } as const
      const placed = toBookings(priced, common)
      const [id] = await makeBookings(tx, placed)
      const [{ booking, bought, slot }] = placed as [PlacedBooking]
      await reduceSale(tx, by, [{ ...booking, ...bought, id: id!, timeslotId: slot.id }], wanted.Reduction)
      return getBooking(tx, accountId, placed[0]!.booking.reference)
    })
  return withAlternatives(sql, sell, { namesLine: false })
}

export type Settlement = {
  outcome: 'completed' | 'refund-due'
  basketStatus: BasketStatus
  /** Why it has to be paid back, if so. */
  refundReason: RefundReason | null
}

/**
 * What a provider's payment of a locked basket comes to: it is completed, or the money has to go back and what it
 * still held is free. One that was completed before stays so, and only the money of this payment goes back.
 */
export async function settle(
  tx: Transaction,
  accountId: number,
  locked: LockedBasket,
  paid: { amount: string; currency: string; reference: string | null },
): Promise<Settlement> {
  const { basket, lines } = locked
  const reason = await completeOrSayWhy(tx, accountId, locked, paid)
  if (!reason) return { outcome: 'completed', basketStatus: 'completed', refundReason: null }
  const stays = basket.status === 'completed' || basket.status === 'waiting' || isHeldByReseller(basket)
  if (!stays) {
    await queries.updateRefundDue(tx, accountId, basket.id, reason)
    const held = lines.filter(({ status }) => status === 'held')
    const change = { action: 'cancelled', to: { status: 'cancelled' }, cancelReason: 'customer' } as const
    await changeBookings(
      tx,
      thePayment,
      held.map((booking) => ({ booking, ...change })),
    )
  }
  const basketStatus = stays ? basket.status : 'refund-due'
  return { outcome: 'refund-due', basketStatus, refundReason: reason }
}

async function completeOrSayWhy(
  tx: Transaction,
  accountId: number,
  locked: LockedBasket,
  { amount, currency, reference }: { amount: string; currency: string; reference: string | null },
): Promise<RefundReason | null> {
  const { id, status } = locked.basket
  if (status === 'completed' || status === 'refund-due' || status === 'refunded') return 'paid-twice'
  if (!isForSale(locked)) return 'not-payable'
  const total = sumLines(await queries.listLines(tx, accountId, [id]))
  if (!total) return 'basket-empty'
  if (!isTotal(total, amount, currency)) return 'amount-differs'
  const by = { accountId, actor: thePayment }
  const obstacle = await complete(tx, by, locked, { method: 'online', reference })
  if (!obstacle) return null
  return obstacle.promotion ? 'promotion-gone' : 'places-gone'
}

/** Completes a basket that holds its places and costs nothing, whose rows and promotion are locked; any other stays as it is. */
export async function completeFree(tx: Transaction, by: Authorship, basketId: number): Promise<void> {
  const { accountId } = by
  const locked = await getLocked(tx, accountId, basketId, { promotionIds: [] })
  if (locked.basket.status !== 'open' || locked.basket.isOver) return
  const total = sumLines(await queries.listLines(tx, accountId, [basketId]))
  if (total?.minor === 0n) await complete(tx, by, locked, { method: 'online', reference: null })
}

/** Frees what a locked basket holds whose payment failed; whether it held anything. */
export async function releaseUnpaid(
  tx: Transaction,
  accountId: number,
  { basket, lines }: LockedBasket,
): Promise<boolean> {
  if (basket.status !== 'open' || isHeldByReseller(basket)) return false
  const end = { id: basket.id, status: 'cancelled', cancelReason: 'customer' } as const
  await endBasket(tx, accountId, thePayment, end, lines)
  return true
}
