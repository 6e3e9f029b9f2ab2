/** The rules of attendance, without a database: how many people of a party are checked in or absent. */
import t from 'tap'
import {
  type AttendanceGiven,
  attendanceAfter,
  type PartyAttendance,
  withHere,
} from '../../../src/sales/booking/changes/attending.ts'

const attendances = [null, 'checked-in', 'no-show'] as const
const party = (here: number, absent = 0, participants = 5) => {
  const attendance = here > 0 ? ('checked-in' as const) : absent > 0 ? ('no-show' as const) : null
  return { attendance, peopleHere: here, peopleAbsent: absent, participants }
}
const text = ({ attendance, peopleHere, peopleAbsent }: PartyAttendance) =>
  `${attendance}: ${peopleHere} here, ${peopleAbsent} absent`
const after = (before: ReturnType<typeof party>, given: Omit<AttendanceGiven, 'attendance'>) =>
  text(attendanceAfter(before, { attendance: 'checked-in', ...given }))

t.test('in a no-show all people are absent, and in a party without attendance none', async (t) => {
  for (const before of [party(0), party(3), party(3, 2), party(0, 5)]) {
    t.equal(text(attendanceAfter(before, { attendance: 'no-show' })), 'no-show: 0 here, 5 absent')
    t.equal(text(attendanceAfter(before, { attendance: null })), 'null: 0 here, 0 absent')
  }
})

t.test('people who are not checked in can be marked as absent, some or all of them', async (t) => {
  t.equal(after(party(3), { people: 3, absent: 2 }), 'checked-in: 3 here, 2 absent')
  t.equal(after(party(3), { people: 3, absent: 1 }), 'checked-in: 3 here, 1 absent')
  t.equal(after(party(0), { absent: 2 }), 'checked-in: 3 here, 2 absent', 'all others are here')
  t.equal(after(party(3), { more: 0, absent: 2 }), 'checked-in: 3 here, 2 absent')
  t.equal(
    after(party(3, 2), { more: 0, absent: 0 }),
    'checked-in: 3 here, 0 absent',
    'nobody is marked as absent any more',
  )
})

t.test('a late check-in counts unmarked people first, then people who were marked as absent', async (t) => {
  t.equal(after(party(3, 2), { more: 1 }), 'checked-in: 4 here, 1 absent')
  t.equal(after(party(3, 2), { people: 4 }), 'checked-in: 4 here, 1 absent')
  t.equal(after(party(3, 2), {}), 'checked-in: 5 here, 0 absent')
  t.equal(
    after(party(3, 1), { more: 1 }),
    'checked-in: 4 here, 1 absent',
    'one person was not marked as absent',
  )
  t.equal(after(party(0, 5), { more: 2 }), 'checked-in: 2 here, 3 absent', 'even after a no-show')
  t.equal(after(party(3, 2), { more: -1 }), 'checked-in: 2 here, 2 absent')
})

t.test('a request to mark people as absent counts only people who are not checked in by then', async (t) => {
  t.equal(after(party(4), { more: 0, absent: 2 }), 'checked-in: 4 here, 1 absent')
  t.equal(after(party(5), { more: 0, absent: 2 }), 'checked-in: 5 here, 0 absent')
  t.equal(after(party(0), { more: 0, absent: 2 }), 'null: 0 here, 0 absent', 'the check-in was undone')
  t.equal(after(party(0, 5), { more: -1 }), 'no-show: 0 here, 5 absent')
  t.equal(
    after(party(3, 0, 7), { more: 0, absent: 2 }),
    'checked-in: 3 here, 2 absent',
    'the party became larger',
  )
})

t.test('impossible numbers of people are refused, and the error names the field', async (t) => {
  const refused = (given: AttendanceGiven) => {
    try {
      attendanceAfter(party(3), given)
      return 'accepted'
    } catch (error) {
      return (error as { extensions?: unknown; message: string }).extensions ?? error
    }
  }
  const errors = (given: AttendanceGiven) => JSON.stringify(refused(given))
  const attendance = 'checked-in'
  t.match(errors({ attendance, people: 6 }), /PeopleHere/)
  t.match(errors({ attendance, people: 3, absent: 3 }), /PeopleAbsent.*must be at most 2/)
  t.match(errors({ attendance, absent: 5 }), /PeopleAbsent.*must be at most 4/)
  t.match(errors({ attendance: 'no-show', absent: 5 }), /PeopleAbsent/)
  t.match(errors({ attendance: null, people: 1 }), /PeopleHere/)
})

t.test(
  'after any change nobody is counted twice, and a party is checked in if and only if someone is here',
  async (t) => {
    const numbers = [undefined, -1, 0, 1, 2, 3, 4]
    for (const participants of [1, 2, 3])
      for (let here = 0; here <= participants; here++)
        for (let absent = 0; absent <= participants - here; absent++)
          for (const attendance of attendances)
            for (const people of numbers.filter((number) => number !== 0 && number !== -1))
              for (const more of people === undefined ? numbers : [undefined])
                for (const gone of numbers.filter((number) => number !== -1)) {
                  const before = { ...party(here, absent, participants) }
                  if (before.attendance === 'no-show') before.peopleAbsent = participants
                  const given = { attendance, people, more, absent: gone }
                  let result: PartyAttendance
                  try {
                    result = attendanceAfter(before, given)
                  } catch {
                    continue
                  }
                  const { peopleHere, peopleAbsent } = result
                  const isRight =
                    peopleHere >= 0 &&
                    peopleAbsent >= 0 &&
                    peopleHere + peopleAbsent <= participants &&
                    (result.attendance === 'checked-in') === peopleHere > 0 &&
                    (result.attendance === null ? peopleAbsent === 0 : true) &&
                    (result.attendance === 'no-show' ? peopleAbsent === participants : true)
                  if (!isRight) t.fail('counted wrongly', { before, given, result } as never)
                }
    t.equal(text(withHere(party(3, 2), 0)), 'null: 0 here, 0 absent')
  },
)
