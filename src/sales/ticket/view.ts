/** Converts the row of a ticket to its wire shape. Pure. */
import { testModeView } from '../../accounts/test-mode-view.ts'
import { person } from '../booking/pricing.ts'
import type { TicketRow } from './queries.ts'
import type { TicketView } from './schemas.ts'

export function ticketView(row: TicketRow): TicketView {
  const { firstName, lastName, email, phone, redeemedAt, voidedAt } = row
  const isKnown = [firstName, lastName, email, phone].some((part) => part !== null)
  return {
    TicketID: row.uuid,
    Number: row.number,
    BookingReference: row.reference,
    ProductName: row.productName,
    Date: row.date,
    Time: row.time,
    Unit: { UnitID: row.unitId, Name: row.unitName ?? person.name, Type: row.unitType ?? person.type },
    Contact: isKnown ? { FirstName: firstName, LastName: lastName, Email: email, Phone: phone } : null,
    ResellerReference: row.resellerReference,
    Status: voidedAt ? 'void' : redeemedAt ? 'redeemed' : 'valid',
    RedeemedAt: redeemedAt?.toISOString() ?? null,
    VoidedAt: voidedAt?.toISOString() ?? null,
    ...testModeView(row),
  }
}
