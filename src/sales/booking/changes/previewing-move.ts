/** Computes the prices and refunds of a possible move for the page that offers it, without locks. */
import { listPriceLists } from '../../../inventory/price-list-queries.ts'
import { type Bought, totalOf } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { planSetOff } from '../../ledger/deciding-refunds.ts'
import { keptUnpaid, sumOf, withoutUndone } from '../../ledger/model.ts'
import { readLedger } from '../../ledger/service.ts'
import { findTakenOff } from '../../promotion/applying.ts'
import { findBooking } from '../desk/queries.ts'
import { priceAnew, unitsNotSold } from './pricing-anew.ts'
import { type OwnRefundPreview, previewRefund } from './refund-preview.ts'

export type MovePreview = {
  currency: string
  /** The total at the booking's own prices. */
  keptMinor: bigint
  /** The balance of the sale now; below 0 if too much was paid. Null for a partner's booking. */
  balanceMinor: bigint | null
  /**
   * The money that the operator kept when this booking became cheaper before, less later payments. It is not set off
   * when the booking becomes dearer.
   */
  keptBeforeMinor: bigint
  current: CurrentPrice | PriceFault | null
}

/** The result of a move at today's prices. */
export type CurrentPrice = {
  fault: null
  bought: Bought
  minor: bigint
  /** The possible refunds; null if the booking does not become cheaper, or no payment is left to pay back. */
  refund: OwnRefundPreview | null
  /** How much of the due refunds is set off if the booking becomes dearer. */
  setOffMinor: bigint
}

/** Why today's prices are not possible. `missingUnits`: the units of the booking that the timeslot does not sell. */
export type PriceFault = { fault: string; missingUnits: readonly string[] }

/** Null for an unknown booking or timeslot. `current` is null for a partner's booking, which keeps its price. */
export async function previewMove(
  sql: Queryable,
  accountId: number,
  { reference, slot }: { reference: string; slot: { id: number; capacity: number } },
): Promise<MovePreview | null> {
  const booking = await findBooking(sql, accountId, reference)
  const list = (await listPriceLists(sql, accountId, [slot.id])).get(slot.id)
  if (!booking || !list) return null
  const { currency, basketId, channel } = booking
  const keptMinor = totalOf(booking)
  if (channel === 'partner')
    return { currency, keptMinor, balanceMinor: null, keptBeforeMinor: 0n, current: null }
  const ledger = (await readLedger(sql, accountId, [basketId])).get(basketId)
  const balanceMinor = ledger?.balance ?? null
  const decided = ledger?.refunds.filter(({ bookingId }) => bookingId === booking.id) ?? []
  const keptBeforeMinor = keptUnpaid(decided, withoutUndone(ledger?.payments ?? []))
  const now = { currency, keptMinor, balanceMinor, keptBeforeMinor }
  const { bought, errors } = priceAnew(booking, null, list, {
    capacity: slot.capacity,
    ...(await findTakenOff(sql, booking)),
  })
  if (errors) {
    const { field, message } = errors[0]!
    const missingUnits = field === 'Units' ? unitsNotSold(booking, list) : []
    return { ...now, current: { fault: reasonOf(message), missingUnits } }
  }
  const minor = totalOf(bought)
  const { own } = minor < keptMinor ? await previewRefund(sql, accountId, reference, bought) : { own: null }
  const setOff = ledger ? planSetOff(ledger, minor - keptMinor) : []
  const setOffMinor = sumOf(setOff, ({ partMinor }) => partMinor)
  return { ...now, current: { fault: null, bought, minor, refund: own, setOffMinor } }
}

/** The total of a booking now, and its totals on timeslots at today's prices. */
export type MoveTotals = {
  currency: string
  keptMinor: bigint
  /** By the id of the timeslot, without timeslots that cannot sell this party at today's prices. */
  current: ReadonlyMap<number, bigint>
}

/**
 * The totals of a possible move to each of these timeslots. The number of queries does not depend on the
 * number of timeslots. Null for an unknown booking, and for a partner's booking, which keeps its price.
 */
export async function previewTotals(
  sql: Queryable,
  accountId: number,
  { reference, slots }: { reference: string; slots: readonly { id: number; capacity: number }[] },
): Promise<MoveTotals | null> {
  const booking = await findBooking(sql, accountId, reference)
  if (!booking || booking.channel === 'partner') return null
  const ids = slots.map(({ id }) => id)
  const lists = await listPriceLists(sql, accountId, ids)
  const taken = await findTakenOff(sql, booking)
  const current = slots.flatMap(({ id, capacity }): [number, bigint][] => {
    const list = lists.get(id)
    const bought = list && priceAnew(booking, null, list, { capacity, ...taken }).bought
    return bought ? [[id, totalOf(bought)]] : []
  })
  return { currency: booking.currency, keptMinor: totalOf(booking), current: new Map(current) }
}

/**
 * The part of a message after its first colon: the reason, without what an API caller must send. A message without a
 * colon stays whole.
 */
function reasonOf(message: string): string {
  return message.replace(/^.*?: /, '')
}
