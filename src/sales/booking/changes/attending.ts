/**
 * Check-in and no-show of a party: computes how many people are checked in, and stores that with its event. leaving.ts and
 * ticket/service.ts also store the number of people by updateAttendance(), and a move to another timeslot clears it.
 */
import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { type Booking, changeBookings } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { updateAttendance } from './queries.ts'

export type Attendance = Booking['attendance']

/** Whether a party came, how many of it are here, and how many did not come. */
export type PartyAttendance = Pick<Booking, 'attendance' | 'peopleHere' | 'peopleAbsent'>

/**
 * `people` sets how many are checked in; `more` adds to it (−1 for one fewer, 0 for as many). Without both, the whole party is
 * checked in, but for those who are `absent`. `absent` sets how many did not come, with `more` at most those who are not here.
 */
export type AttendanceGiven = {
  attendance: Attendance
  people?: number | undefined
  more?: number | undefined
  absent?: number | undefined
}

type AttendingParty = PartyAttendance & Pick<Booking, 'participants'>

/**
 * The attendance of the party after that: never more people than it has, and none both here and absent. A late-comer is absent
 * no more. `more` than nobody is not subtracted from a party whose check-in was taken back meanwhile.
 * @throws Problem validation for more people than the party has, or for people of a party that did not come.
 */
export function attendanceAfter(party: AttendingParty, given: AttendanceGiven): PartyAttendance {
  const { attendance, people, more, absent } = given
  const { participants } = party
  if (attendance !== 'checked-in') {
    if (people !== undefined) throw refused('PeopleHere', 'can be given with checked-in alone')
    if (absent !== undefined) throw refused('PeopleAbsent', 'can be given with checked-in alone')
    return { attendance, peopleHere: 0, peopleAbsent: attendance === 'no-show' ? participants : 0 }
  }
  if (more === undefined) return countedAnew(party, { people, absent })
  const { peopleHere, peopleAbsent } = party
  if (more <= 0 && party.attendance !== 'checked-in')
    return { attendance: party.attendance, peopleHere, peopleAbsent }
  const here = Math.max(1, Math.min(participants, peopleHere + more))
  return withHere({ participants, peopleAbsent: absent ?? peopleAbsent }, here)
}

/** The attendance as it is counted now, without regard to the earlier count. */
function countedAnew(
  party: AttendingParty,
  { people, absent }: Pick<AttendanceGiven, 'people' | 'absent'>,
): PartyAttendance {
  const { participants } = party
  if (people !== undefined && people > participants)
    throw refused('PeopleHere', `must not be more than the party has: ${participants}`)
  // Of a party that is checked in, somebody is here.
  const most = participants - (people ?? 1)
  if (absent !== undefined && absent > most) throw refused('PeopleAbsent', `must be at most ${most}`)
  const here = people ?? participants - (absent ?? 0)
  return withHere({ participants, peopleAbsent: absent ?? party.peopleAbsent }, here)
}

const refused = (field: string, message: string) => problems.validation([{ field, message }])

/** The attendance of a party with so many here, who are not absent. It is checked in no more when nobody is. */
export function withHere(
  { participants, peopleAbsent }: Pick<Booking, 'participants' | 'peopleAbsent'>,
  peopleHere: number,
): PartyAttendance {
  if (peopleHere === 0) return { attendance: null, peopleHere, peopleAbsent: 0 }
  const absent = Math.min(peopleAbsent, participants - peopleHere)
  return { attendance: 'checked-in', peopleHere, peopleAbsent: absent }
}

/** The event details of a check-in. */
export function checkInDetails(
  { participants }: Pick<Booking, 'participants'>,
  { peopleHere, peopleAbsent }: PartyAttendance,
) {
  return { PeopleHere: peopleHere, PeopleAbsent: peopleAbsent, Participants: participants }
}

/** Stores the attendance of a locked booking and how many people are checked in, with its event, if they have changed. */
export async function attend(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  after: PartyAttendance,
): Promise<void> {
  const { attendance, peopleHere, peopleAbsent } = after
  const isStored = booking.peopleHere === peopleHere && booking.peopleAbsent === peopleAbsent
  if (booking.attendance === attendance && isStored) return
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
}
