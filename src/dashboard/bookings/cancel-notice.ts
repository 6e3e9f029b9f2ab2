/** What the customer of a booking would be told if it was cancelled now. */
import { type ChangeNotice, previewChange } from '../../messaging/emails/previewing.ts'
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'
import type { RefundPreview } from '../../sales/booking/changes/refunding.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'

type Cancelling = {
  booking: Pick<BookingRecord, 'BookingReference' | 'Status'>
  /** What would be paid back, unless something else is chosen. */
  refund: RefundPreview
  renders: RenderBudget
}

/** Null of what is not sold: its customer is told nothing. */
export async function previewCancelled(
  sql: Queryable,
  accountId: number,
  { booking, refund, renders }: Cancelling,
): Promise<ChangeNotice | null> {
  if (booking.Status !== 'confirmed') return null
  const becoming = { trigger: 'booking-cancelled', refundMinor: proposed(refund) } as const
  return previewChange(sql, accountId, { reference: booking.BookingReference, becoming, renders })
}

/** In minor units, as text. */
function proposed({ byPartner, own }: RefundPreview): string | null {
  if (own) return String(own.options.proposedMinor)
  return byPartner && String(toExactMinorUnits(byPartner.Amount, byPartner.Currency))
}
