/** What a move would come to in money, for the page that asks. Nothing is locked. */
import { listPriceLists } from '../../../inventory/price-list-queries.ts'
import { type Bought, totalOf } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { sumOf } from '../../ledger/model.ts'
import { planSetOff } from '../../ledger/refunding.ts'
import { readLedger } from '../../ledger/service.ts'
import { findBooking } from '../desk/queries.ts'
import { priceAnew, unitsNotSold } from './pricing-anew.ts'
import { type OwnRefundPreview, previewRefund } from './refunding.ts'

export type MovePreview = {
  currency: string
  /** At the prices that it has. */
  keptMinor: bigint
  /** What the sale owes now; below 0 so much was paid too much. Null of a partner's booking. */
  balanceMinor: bigint | null
  /** What was kept of this booking when it became cheaper before: it is not set off when it becomes dearer. */
  keptBeforeMinor: bigint
  current: CurrentPrice | PriceFault | null
}

/** At the prices of today. */
export type CurrentPrice = {
  fault: null
  bought: Bought
  minor: bigint
  /** Of the operator's own sale that becomes cheaper; null unless something was paid. */
  refund: OwnRefundPreview | null
  /** What of refunds that are due is set off, where it becomes dearer. */
  setOffMinor: bigint
}

/** Why those of today cannot be taken, and which units of the booking the timeslot does not sell. */
export type PriceFault = { fault: string; missingUnits: readonly string[] }

/** Null for a booking that is not there. `current` is null for a partner's booking, which keeps its price. */
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
  const keptBefore = ledger?.refunds.filter(({ bookingId }) => bookingId === booking.id) ?? []
  const keptBeforeMinor = sumOf(keptBefore, (refund) => refund.keptMinor)
  const now = { currency, keptMinor, balanceMinor, keptBeforeMinor }
  const { bought, errors } = priceAnew(booking, null, list, slot.capacity)
  if (errors) {
    const fault = reasonOf(errors[0]!.message)
    return { ...now, current: { fault, missingUnits: unitsNotSold(booking, list) } }
  }
  const minor = totalOf(bought)
  const { own } = minor < keptMinor ? await previewRefund(sql, accountId, reference, bought) : { own: null }
  const setOff = ledger ? planSetOff(ledger, minor - keptMinor) : []
  const setOffMinor = sumOf(setOff, ({ partMinor }) => partMinor)
  return { ...now, current: { fault: null, bought, minor, refund: own, setOffMinor } }
}

/** Without what a caller has to do about it. */
function reasonOf(message: string): string {
  return message.slice(message.indexOf(': ') + 2)
}
