/** What is paid back of bookings that are cancelled. The service itself pays nothing back. */
import { refundOf } from '../../../inventory/refund-terms.ts'
import { type Booking, type Bought, totalOf } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { type Price, toMoney } from '../../../platform/text/money.ts'
import { findBooking } from '../desk/queries.ts'
import { listRefundTerms } from './queries.ts'

/** What of a cancellation is about the refund: what the booking keeps, and what its history says. */
export type Refunding = {
  refundMinor?: bigint
  details: { Refund?: { Amount: string; Currency: string } }
}

/**
 * What is paid back of each of these bookings when it is cancelled now: by the terms that were in force when it was
 * made, or all of it where the operator cancels of its own accord. Nothing is said of one that is not confirmed, or whose
 * product had no terms.
 */
export async function refundsOf<Refundable extends Bought & Pick<Booking, 'id' | 'status'>>(
  sql: Queryable,
  accountId: number,
  bookings: readonly Refundable[],
  { all }: { all: boolean },
): Promise<(booking: Refundable) => Refunding> {
  const confirmed = bookings.filter(({ status }) => status === 'confirmed').map(({ id }) => id)
  const terms = confirmed.length > 0 ? await listRefundTerms(sql, accountId, confirmed) : []
  const byBooking = new Map(terms.map((one) => [one.bookingId, one]))
  return (booking) => {
    const found = byBooking.get(booking.id)
    if (!found) return { details: {} }
    const total = totalOf(booking)
    const refund = all ? total : refundOf(found.steps, total, found.msBefore)
    return { refundMinor: refund, details: { Refund: toMoney(refund, booking.currency) } }
  }
}

/** What cancelling a booking now would pay back, on a page; null where nothing says how much. */
export async function previewRefund(
  sql: Queryable,
  accountId: number,
  reference: string,
): Promise<Price | null> {
  const booking = await findBooking(sql, accountId, reference)
  if (booking?.status !== 'confirmed') return null
  const [terms] = await listRefundTerms(sql, accountId, [booking.id])
  return terms ? toMoney(refundOf(terms.steps, totalOf(booking), terms.msBefore), booking.currency) : null
}
