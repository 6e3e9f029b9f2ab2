/** Converts refunds to the shape that all interfaces use. Pure. */
import { toMoney } from '../../platform/text/money.ts'
import { restOfPayment } from './provider-model.ts'
import type { RefundRow } from './refund-list-queries.ts'
import type { RefundView } from './refund-schemas.ts'

export function refundEntryView(row: RefundRow): RefundView {
  const { currency, byTermsMinor } = row
  const refundedMinor = row.refundedMinor === null ? null : BigInt(row.refundedMinor)
  const isDecision = row.source === 'decision'
  return {
    Source: row.source,
    RefundID: row.id,
    PaymentID: row.eventId,
    BasketID: row.basketId,
    BookingReference: row.bookingReference,
    Status: row.status,
    Reason: row.reason,
    Refund: isDecision ? toMoney(BigInt(row.amount), currency) : restOfPayment({ ...row, refundedMinor }),
    ...(refundedMinor !== null && { PaidBack: toMoney(refundedMinor, currency) }),
    ByTerms: byTermsMinor === null ? null : toMoney(BigInt(byTermsMinor), currency),
    Kept: toMoney(BigInt(row.keptMinor ?? 0), currency),
    SetOff: toMoney(BigInt(row.setOffMinor ?? 0), currency),
    PaidBy: row.paidBy,
    Customer: { FirstName: row.firstName, LastName: row.lastName, Email: row.email, Phone: row.phone },
    DecidedAt: row.decidedAt.toISOString(),
    DoneAt: row.doneAt?.toISOString() ?? null,
    Method: row.method,
    Reference: row.reference,
    PaymentReference: row.paymentReference,
  }
}
