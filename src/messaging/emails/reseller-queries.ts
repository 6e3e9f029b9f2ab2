/** The SQL that finds who notifies a customer: the operator, or the reseller of the booking (OCTO). */
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'

/**
 * Whether a reseller notifies the customer of a booking. A reseller does so for its own bookings, unless it
 * requested e-mails from this service (`emailReceipt` of OCTO).
 */
export function isNotifiedByReseller(
  sql: Queryable,
  booking: { accountId: number | Fragment; id: number | Fragment },
) {
  return sql`exists (
    select from reservations
    where reservations.account_id = ${booking.accountId} and reservations.booking_id = ${booking.id}
      and not email_receipt)`
}

/** Whether a reseller notifies the customer of one booking. */
export async function findIsNotifiedByReseller(
  sql: Queryable,
  accountId: number,
  bookingId: number,
): Promise<boolean> {
  const [row] = await sql<{ notified: boolean }[]>`
    select ${isNotifiedByReseller(sql, { accountId, id: bookingId })} as notified`
  return row!.notified
}
