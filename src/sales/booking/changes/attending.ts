/** Check-in of a party: the rules of counting, and the only place that writes it. */
import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { type Booking, changeBookings } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { updateAttendance } from './queries.ts'

export type Attendance = Booking['attendance']

/** `people` sets how many are checked in; `more` adds to it (−1 for one fewer). Without both, the whole party is checked in. */
export type AttendanceGiven = {
  attendance: Attendance
  people?: number | undefined
  more?: number | undefined
}

/**
 * How many of the party are checked in after that; 0 unless it is checked in.
 * @throws Problem validation for more people than the party has, or for people of a party that did not come.
 */
export function countHere(booking: Booking, { attendance, people, more }: AttendanceGiven): number {
  const { participants, peopleHere } = booking
  const refused = (message: string) => problems.validation([{ field: 'PeopleHere', message }])
  if (attendance !== 'checked-in') {
    if (people !== undefined) throw refused('can be given with checked-in alone')
    return 0
  }
  if (more !== undefined) return Math.max(1, Math.min(participants, peopleHere + more))
  if (people !== undefined && people > participants)
    throw refused(`must not be more than the party has: ${participants}`)
  return people ?? participants
}

/** The details of its event. */
export function hereDetails({ participants }: Booking, peopleHere: number) {
  return { PeopleHere: peopleHere, Participants: participants }
}

/** Writes whether the party of a locked booking came, and how many of it. Does nothing if that is already stored. */
export async function attend(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  { attendance, peopleHere }: { attendance: Attendance; peopleHere: number },
): Promise<void> {
  if (booking.attendance === attendance && booking.peopleHere === peopleHere) return
  await updateAttendance(tx, booking.accountId, booking.id, { attendance, peopleHere })
  const change = { booking, to: {} }
  await changeBookings(tx, actor, [
    attendance === 'checked-in'
      ? { ...change, action: attendance, details: hereDetails(booking, peopleHere) }
      : { ...change, action: attendance ?? 'attendance-cleared' },
  ])
}
