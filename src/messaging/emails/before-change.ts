/** What a booking was before the change that an e-mail tells of. */
import { listUnitNames } from '../../inventory/price-list-queries.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BeforeChange, MovedFrom, PartyBefore } from './change-queries.ts'
import { type BookingFacts, findSlotFacts, type MovedFromFacts, sumChangeRefunds } from './facts.ts'
import { movedFromIn } from './in-language.ts'
import type { Email } from './lease-queries.ts'

/** The booking with what it was, and with what is paid back because of the change. */
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
    // An e-mail of the version before has no number.
    const refundMinor = number ? await sumChangeRefunds(sql, accountId, { id, number, cause: 'moved' }) : null
    return { ...booking, movedFrom: await placeBefore(sql, accountId, t, MovedFrom), refundMinor }
  }
  if (!PartyBefore) return booking
  const number = PartyBefore.Number
  const refundMinor = await sumChangeRefunds(sql, accountId, { id, number, cause: 'amended' })
  return { ...booking, partyBefore: await named(sql, accountId, PartyBefore), refundMinor }
}

/** At the date and time of then: the timeslot may have been moved since. */
async function placeBefore(
  sql: Queryable,
  accountId: number,
  t: Pick<Texts, 'language'>,
  { Date: date, Time: time, TimeslotID }: MovedFrom,
): Promise<MovedFromFacts> {
  const slot = TimeslotID === undefined ? null : await findSlotFacts(sql, accountId, TimeslotID)
  const known = slot && (await movedFromIn(sql, accountId, t, slot))
  return { productName: '', openingHours: null, ...known, date, time }
}

async function named(sql: Queryable, accountId: number, { Participants, Units = [] }: PartyBefore) {
  const ids = Units.map(({ UnitID }) => UnitID)
  const names = await listUnitNames(sql, accountId, ids)
  const known = Units.map((unit) => ({ ...unit, Name: names.get(unit.UnitID) ?? '' }))
  // People who were sold without a unit have no name: then only how many there were.
  return { Participants, Units: known.every(({ Name }) => Name !== '') ? known : [] }
}
