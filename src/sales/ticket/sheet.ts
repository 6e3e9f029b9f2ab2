/** The sheet with a booking's ticket codes, for print and for the customer's page. */
import { translateText } from '../../catalogue/translation.ts'
import { problems } from '../../http/problems.ts'
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BookingRecord } from '../booking/desk/schemas.ts'
import { getBooking } from '../booking/desk/service.ts'
import { readTranslationsFor, translateLine } from '../booking/in-language.ts'
import { findSeller, type Seller } from '../business-details/service.ts'
import { findSheetFacts, listTicketsOfReference, type SheetFacts } from './queries.ts'
import type { TicketView } from './schemas.ts'
import { ticketView } from './view.ts'

/** A code that is scanned at the start of a departure. */
export type SheetCode = {
  /** The ID of a ticket; or the booking reference, if the whole party has one code. */
  code: string
  /** Null for the whole party. */
  ticket: TicketView | null
}

export type TicketSheet = SheetFacts & {
  seller: Seller
  booking: BookingRecord
  /** None for a booking that is not confirmed. */
  codes: SheetCode[]
}

/**
 * The sheet of a booking. A confirmed booking has a code for each ticket that is not void, or one code for the whole
 * party if it has no such ticket.
 * @throws Problem not-found.
 */
export async function readTicketSheet(
  sql: Queryable,
  accountId: number,
  reference: string,
): Promise<TicketSheet> {
  const facts = await findSheetFacts(sql, accountId, reference)
  if (!facts) throw problems.bookingNotFound()
  const seller = await findSeller(sql, accountId)
  const booking = await getBooking(sql, accountId, reference)
  const rows = await listTicketsOfReference(sql, accountId, reference)
  return { ...facts, seller, booking, codes: listCodes(booking, rows.map(ticketView)) }
}

/** The sheet with the product's texts in the language of its reader. */
export async function sheetIn(
  sql: Queryable,
  accountId: number,
  t: Pick<Texts, 'language'>,
  sheet: TicketSheet,
): Promise<TicketSheet> {
  const { booking, seller, description, codes } = sheet
  const { ActivityID } = booking
  const translations = await readTranslationsFor(
    sql,
    { accountId, productLanguage: seller.productLanguage },
    t,
    [ActivityID],
  )
  const translation = translations.get(ActivityID)
  if (!translation) return sheet
  return {
    ...sheet,
    booking: translateLine(translations, booking),
    description: translation.description || description,
    codes: codes.map(({ code, ticket }) => {
      if (!ticket) return { code, ticket }
      const { Unit } = ticket
      return { code, ticket: { ...ticket, Unit: { ...Unit, Name: translateText(translation, Unit.Name) } } }
    }),
  }
}

function listCodes({ Status, BookingReference }: BookingRecord, tickets: TicketView[]): SheetCode[] {
  if (Status !== 'confirmed') return []
  const valid = tickets.filter((ticket) => ticket.Status !== 'void')
  if (valid.length === 0) return [{ code: BookingReference, ticket: null }]
  return valid.map((ticket) => ({ code: ticket.TicketID, ticket }))
}

/** The title of a code, with the unit if the product has units: `Ticket 2 of 3: Child`. */
export function codeTitle(t: Texts, { ticket }: SheetCode, index: number, count: number): string {
  if (!ticket) return t.say('ticket.whole-party')
  const values = { index: index + 1, count, unit: ticket.Unit.Name }
  return t.say(ticket.Unit.UnitID === defaultUnitAlias ? 'ticket.nth' : 'ticket.nth-of-unit', values)
}
