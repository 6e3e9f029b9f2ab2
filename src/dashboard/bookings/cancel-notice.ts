/** Previews the e-mail that the customer of a booking gets if a user cancels the booking now. */
import { type ChangeNotice, previewChange } from '../../messaging/emails/previewing.ts'
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'
import type { RefundPreview } from '../../sales/booking/changes/refund-preview.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { chosenMinor, chosenOrProposedMinor } from '../../sales/ledger/refund-plan.ts'
import type { RefundChoiceRequest } from '../../sales/ledger/refund-schemas.ts'

type Cancelling = {
  booking: Pick<BookingRecord, 'BookingReference' | 'Status'>
  /** The possible refunds, with the proposed one. */
  refund: RefundPreview
  /** The refund that the user chose, for an own sale. If undefined or impossible, the proposed refund is used. */
  chosen: RefundChoiceRequest | undefined
  renders: RenderBudget
}

/** Null unless the booking is confirmed: in any other status, the customer gets no e-mail about a cancellation. */
export async function previewCancelled(
  sql: Queryable,
  accountId: number,
  { booking, refund, chosen, renders }: Cancelling,
): Promise<ChangeNotice | null> {
  if (booking.Status !== 'confirmed') return null
  const refundMinor = refundMinorOf(refund, chosen, chosenOrProposedMinor)
  const becoming = { trigger: 'booking-cancelled', refundMinor } as const
  return previewChange(sql, accountId, { reference: booking.BookingReference, becoming, renders })
}

/**
 * The refund in minor units, as text. Null for an own sale whose payments are not more than its refunds, for
 * a partner's booking without refund terms, and for a booking that is not confirmed.
 * @throws Problem validation for an impossible choice, unless `read` uses the proposed refund instead.
 */
export function refundMinorOf(
  { byPartner, own }: RefundPreview,
  chosen: RefundChoiceRequest | undefined,
  read = chosenMinor,
): string | null {
  if (own) return String(read(own.options, chosen, own.currency))
  return byPartner && String(toExactMinorUnits(byPartner.Amount, byPartner.Currency))
}
