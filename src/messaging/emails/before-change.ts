/** Adds to the data of a booking its state before a change, for e-mails about moves and changed parties. */
import { listUnitNames } from '../../inventory/price-list-queries.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BeforeChange, MovedFrom, PartyBefore } from './change-queries.ts'
import { type BookingFacts, findSlotFacts, type MovedFromFacts, sumChangeRefunds } from './facts.ts'
import { movedFromIn } from './in-language.ts'
import type { Email } from './lease-queries.ts'

/**
 * Returns the booking with its timeslot or party before the change, and with the refund that the change
 * caused. Returns it unchanged if the e-mail is not about a move or a changed party.
 */
export async function withChange(
  sql: Queryable,
  booking: BookingFacts,
  t: Pick<Texts, 'language'>,
  { accountId, details }: Pick<Email, 'accountId' | 'details'>,
): Promise<BookingFacts> {
  const { MovedFrom, PartyBefore } = details as BeforeChange
  const { id } = booking
  if (MovedFrom) {
    const { Number: number } = MovedFrom
    // Some e-mails that an earlier version of the service queued have no number.
    const refundMinor = number ? await sumChangeRefunds(sql, accountId, { id, number, cause: 'moved' }) : null
    return { ...booking, movedFrom: await timeslotBefore(sql, accountId, t, MovedFrom), refundMinor }
  }
  if (!PartyBefore) return booking
  const number = PartyBefore.Number
  const refundMinor = await sumChangeRefunds(sql, accountId, { id, number, cause: 'amended' })
  return { ...booking, partyBefore: await withUnitNames(sql, accountId, PartyBefore), refundMinor }
}

/** Takes the date and time from the details of the e-mail, because the timeslot may have been moved since. */
async function timeslotBefore(
  sql: Queryable,
  accountId: number,
  t: Pick<Texts, 'language'>,
  { Date: date, Time: time, TimeslotID }: MovedFrom,
): Promise<MovedFromFacts> {
  const slot = TimeslotID === undefined ? null : await findSlotFacts(sql, accountId, TimeslotID)
  const known = slot && (await movedFromIn(sql, accountId, t, slot))
  return { productName: '', openingHours: null, ...known, date, time }
}

async function withUnitNames(sql: Queryable, accountId: number, { Participants, Units = [] }: PartyBefore) {
  const ids = Units.map(({ UnitID }) => UnitID)
  const names = await listUnitNames(sql, accountId, ids)
  const known = Units.map((unit) => ({ ...unit, Name: names.get(unit.UnitID) ?? '' }))
  // Participants without a unit have no name. Then the e-mail says only how many people there were.
  return { Participants, Units: known.every(({ Name }) => Name !== '') ? known : [] }
}
