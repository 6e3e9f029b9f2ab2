/** Previews the e-mail of a closure: exactly what the customer of one booking would get. */
import type { Queryable } from '../../platform/postgres/database.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import type { ClosureNotice } from '../../sales/closure/model.ts'
import { findBookingFacts, findSlotFacts } from './facts.ts'
import { inCustomerLanguage } from './in-language.ts'
import { toBody, toHeader } from './model.ts'
import { closureWords, type Words } from './words.ts'

/**
 * A booking after a closure. `movedTo` is the new timeslot, or null if the closure cancels the booking. A
 * cancelled booking has its refund, undefined if none was decided, and the number of bookings that remain in
 * the sale.
 */
export type BookingClosed =
  | { movedTo: number }
  | { movedTo: null; refundMinor: bigint | undefined; remainingBookings: number }

/** Null when there is no such booking or timeslot. */
export async function previewClosureEmail(
  sql: Queryable,
  accountId: number,
  { reference, notice, closed }: { reference: string; notice: ClosureNotice; closed: BookingClosed },
): Promise<Words | null> {
  const booking = await findBookingFacts(sql, accountId, { reference })
  const slot = closed.movedTo === null ? {} : await findSlotFacts(sql, accountId, closed.movedTo)
  if (!booking || !slot) return null
  const money =
    closed.movedTo === null
      ? {
          refundMinor: closed.refundMinor === undefined ? null : String(closed.refundMinor),
          sale: booking.sale && { ...booking.sale, bookings: closed.remainingBookings },
        }
      : {}
  const become = { ...booking, ...slot, ...money }
  const seller = await findSeller(sql, accountId)
  const about = { ...(await inCustomerLanguage(sql, accountId, seller, become)), accountName: seller.name }
  const { subject, text } = closureWords(about, notice)
  return { subject: toHeader(subject), text: toBody(text) }
}
