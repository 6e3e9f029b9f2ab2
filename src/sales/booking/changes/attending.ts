/**
 * Check-in and no-show of a party: computes how many people are checked in and how many are absent, and
 * stores both with an event. leaving.ts and ticket/service.ts also store these numbers, by
 * updateAttendance(). A move to another timeslot clears them.
 */
import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { type Booking, changeBookings } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { updateAttendance } from './queries.ts'

export type Attendance = Booking['attendance']

/** Whether a party came, how many of its people are here, and how many did not come. */
export type PartyAttendance = Pick<Booking, 'attendance' | 'peopleHere' | 'peopleAbsent'>

/**
 * `people` sets how many people are checked in; `more` is added to the current number and may be 0 or
 * negative. Without either, the whole party except `absent` is checked in. `absent` sets how many people did
 * not come; without it, that number stays, limited to the people who are not here. With `more`, a given
 * `absent` is limited in the same way; without `more`, a larger number is refused.
 */
export type AttendanceGiven = {
  attendance: Attendance
  people?: number | undefined
  more?: number | undefined
  absent?: number | undefined
}

type AttendingParty = PartyAttendance & Pick<Booking, 'participants'>

/**
 * Computes the attendance after the change: the people who are here and those who are absent are together
 * never more than the party. With `more`, between one person and the whole party are here; 0 or a negative
 * number does not change a party that is not checked in.
 * @throws Problem validation if `people` or `absent` is given and the attendance is not `checked-in`. Without
 *   `more`, also if `people` and `absent` together exceed the party, or if only `absent` is given and nobody
 *   would be here.
 */
export function attendanceAfter(party: AttendingParty, given: AttendanceGiven): PartyAttendance {
  const { attendance, people, more, absent } = given
  const { participants } = party
  if (attendance !== 'checked-in') {
    if (people !== undefined) throw refused('PeopleHere', 'can only be given with checked-in')
    if (absent !== undefined) throw refused('PeopleAbsent', 'can only be given with checked-in')
    return { attendance, peopleHere: 0, peopleAbsent: attendance === 'no-show' ? participants : 0 }
  }
  if (more === undefined) return attendanceOfCount(party, { people, absent })
  const { peopleHere, peopleAbsent } = party
  if (more <= 0 && party.attendance !== 'checked-in')
    return { attendance: party.attendance, peopleHere, peopleAbsent }
  const here = Math.max(1, Math.min(participants, peopleHere + more))
  return withHere({ participants, peopleAbsent: absent ?? peopleAbsent }, here)
}

/**
 * The attendance with a new number of people here. Without `absent`, the earlier absent people stay, as far
 * as the new number allows.
 */
function attendanceOfCount(
  party: AttendingParty,
  { people, absent }: Pick<AttendanceGiven, 'people' | 'absent'>,
): PartyAttendance {
  const { participants } = party
  if (people !== undefined && people > participants)
    throw refused('PeopleHere', `must not be more than the party has: ${participants}`)
  // At least one person of a party that is checked in is here.
  const most = participants - (people ?? 1)
  if (absent !== undefined && absent > most) throw refused('PeopleAbsent', `must be at most ${most}`)
  const here = people ?? participants - (absent ?? 0)
  return withHere({ participants, peopleAbsent: absent ?? party.peopleAbsent }, here)
}

const refused = (field: string, message: string) => problems.validation([{ field, message }])

/**
 * The attendance of a party with this number of people here. The number of absent people is limited to the
 * others. If nobody is here, the party is not checked in, and nobody is absent.
 */
export function withHere(
  { participants, peopleAbsent }: Pick<Booking, 'participants' | 'peopleAbsent'>,
  peopleHere: number,
): PartyAttendance {
  if (peopleHere === 0) return { attendance: null, peopleHere, peopleAbsent: 0 }
  const absent = Math.min(peopleAbsent, participants - peopleHere)
  return { attendance: 'checked-in', peopleHere, peopleAbsent: absent }
}

/** The details of events about attendance and tickets: the people here, the absent people, and the party. */
export function checkInDetails(
  { participants }: Pick<Booking, 'participants'>,
  { peopleHere, peopleAbsent }: PartyAttendance,
) {
  return { PeopleHere: peopleHere, PeopleAbsent: peopleAbsent, Participants: participants }
}

/**
 * Stores the attendance of a locked booking and its numbers of people here and absent, with an event, if
 * anything changed.
 * @returns whether anything changed.
 */
export async function attend(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  after: PartyAttendance,
): Promise<boolean> {
  const { attendance, peopleHere, peopleAbsent } = after
  const isStored = booking.peopleHere === peopleHere && booking.peopleAbsent === peopleAbsent
  if (booking.attendance === attendance && isStored) return false
  await updateAttendance(tx, booking.accountId, booking.id, after)
  const change = { booking, to: {} }
  const hasArrived = attendance !== 'checked-in' || peopleHere > booking.peopleHere
  await changeBookings(tx, actor, [
    attendance === null
      ? { ...change, action: 'attendance-cleared' }
      : {
          ...change,
          action: attendance,
          details: { ...checkInDetails(booking, after), ...(!hasArrived && { Arrived: false as const }) },
        },
  ])
  return true
}
