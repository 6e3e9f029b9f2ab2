/** Converts a booking's rows to the shapes for the operator. Pure. */

import { testModeView } from '../../../accounts/test-mode-view.ts'
import { toActivityId } from '../../../catalogue/model.ts'
import { openingView } from '../../../catalogue/opening-hours.ts'
import { withOffset } from '../../../platform/text/local-time.ts'
import { toMoney } from '../../../platform/text/money.ts'
import type { SaleLedger } from '../../ledger/service.ts'
import { ledgerView } from '../../ledger/views.ts'
import { boughtView, reductionView } from '../bought-view.ts'
import { owedView, refundView, soldTermsView } from '../money-views.ts'
import type { BookingChangeRow, BookingEmailRow, BookingRow } from './queries.ts'
import type { BookingDetail, BookingRecord } from './schemas.ts'

export function recordView(row: BookingRow): BookingRecord {
  return {
    BookingReference: row.reference,
    Status: row.status,
    Channel: row.channel,
    ProductID: row.productId,
    ActivityID: toActivityId(row.activity),
    ProductName: row.productName,
    TimeslotID: row.timeslotId,
    Date: row.date,
    Time: row.time,
    StartsAt: withOffset(row.startsAt, row.localStart),
    ...openingView(row.openingHours),
    ...boughtView(row),
    Customer: { FirstName: row.firstName, LastName: row.lastName, Email: row.email, Phone: row.phone },
    Answers: row.answers,
    Partner: row.partnerId === null ? null : { ID: row.partnerId, Name: row.partnerName! },
    PaymentReference: row.paymentReference,
    BasketID: row.basketId,
    HeldUntil: row.heldUntil?.toISOString() ?? null,
    Notes: row.notes,
    InternalNotes: row.internalNotes,
    UnitPrice: toMoney(row.unitPriceMinor, row.currency),
    ...reductionView([row]),
    Attendance: row.attendance,
    PeopleHere: row.peopleHere,
    PeopleAbsent: row.peopleAbsent,
    CreatedAt: row.createdAt.toISOString(),
    ConfirmedAt: row.confirmedAt?.toISOString() ?? null,
    UpdatedAt: row.updatedAt.toISOString(),
    CancelledAt: row.cancelledAt?.toISOString() ?? null,
    CancelReason: row.cancelReason,
    Refund: refundView(row),
    Owed: owedView(row),
    PartnerTerms: soldTermsView(row),
    ...testModeView(row),
  }
}

export function detailView(
  row: BookingRow,
  changes: BookingChangeRow[],
  emails: BookingEmailRow[],
  ledger: SaleLedger | undefined,
): BookingDetail {
  return {
    ...recordView(row),
    History: changes.map(changeView),
    Emails: emails.map(({ kind, workflow, status, createdAt, sentAt }) => ({
      Kind: kind,
      Workflow: workflow,
      Status: status,
      CreatedAt: createdAt.toISOString(),
      SentAt: sentAt?.toISOString() ?? null,
    })),
    Ledger: ledgerView(ledger),
  }
}

function changeView({ action, madeAt, actor, actorId, actorName, details }: BookingChangeRow) {
  return {
    Action: action,
    At: madeAt.toISOString(),
    Actor: { Kind: actor, ID: actorId, Name: actorName },
    Details: details,
  }
}
