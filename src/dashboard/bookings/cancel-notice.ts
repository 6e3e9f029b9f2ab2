/** The e-mail that the customer of a booking would get if it were cancelled now. */
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
  /** The refund unless another one is chosen. */
  refund: RefundPreview
  /** The chosen refund of the operator's own sale. Undefined or an impossible choice means the proposal. */
  chosen: RefundChoiceRequest | undefined
  renders: RenderBudget
}

/** Null for a booking that is not sold, because its customer gets no e-mail. */
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

/** The amount in minor units, as text. @throws Problem validation for more than can be paid back. */
export function refundMinorOf(
  { byPartner, own }: RefundPreview,
  chosen: RefundChoiceRequest | undefined,
  read = chosenMinor,
): string | null {
  if (own) return String(read(own.options, chosen, own.currency))
  return byPartner && String(toExactMinorUnits(byPartner.Amount, byPartner.Currency))
}
