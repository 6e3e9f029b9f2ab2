/**
 * How many people of a party are checked in or absent: counts by hand and by tickets, after changes, and in
 * the history.
 */
import t from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { withoutRequest } from '../../../src/http/idempotent-request.ts'
import { recordAttendance } from '../../../src/sales/booking/changes/service.ts'
import { openGate } from '../ticket/fixtures.ts'

async function open(t: Parameters<typeof openGate>[0]) {
  const gate = await openGate(t)
  const checkIn = async (reference: string, PeopleHere?: number, more: object = {}) =>
    gate.act(reference, 'attendance', { Attendance: 'checked-in', ...(PeopleHere && { PeopleHere }) }, more)
  const attendanceOf = async (reference: string) => {
    const { Attendance, PeopleHere, PeopleAbsent, Participants } = (await gate.read(`/${reference}`)).json()
      .data
    const absent = PeopleAbsent > 0 && Attendance !== 'no-show' ? `, ${PeopleAbsent} absent` : ''
    return `${Attendance}: ${PeopleHere} of ${Participants}${absent}`
  }
  const markAbsent = (reference: string, PeopleHere: number, PeopleAbsent: number) =>
    gate.act(reference, 'attendance', { Attendance: 'checked-in', PeopleHere, PeopleAbsent })
  return { ...gate, checkIn, attendanceOf, markAbsent }
}

t.test('part of a party can be checked in, and the history says how many people', async (t) => {
  const { book, checkIn, attendanceOf, history } = await open(t)
  const reference = await book({ Participants: 5 })
  t.equal(await attendanceOf(reference), 'null: 0 of 5')
  const answer = await checkIn(reference, 3)
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, { Attendance: 'checked-in', PeopleHere: 3 })
  await checkIn(reference, 3)
  await checkIn(reference)
  t.equal(
    await attendanceOf(reference),
    'checked-in: 5 of 5',
    'without a number, the whole party is checked in',
  )
  t.match((await history(reference)).slice(1), [
    { Action: 'checked-in', Details: { PeopleHere: 3, Participants: 5 } },
    { Action: 'checked-in', Details: { PeopleHere: 5, Participants: 5 } },
  ])
  t.equal((await history(reference)).length, 3, 'repeating a count adds nothing to the history')
})

t.test('a check-in that is sent again with its idempotency key counts once', async (t) => {
  const { book, checkIn, attendanceOf } = await open(t)
  const reference = await book({ Participants: 5 })
  const key = { 'idempotency-key': 'count-1' }
  const first = await checkIn(reference, 2, key)
  await checkIn(reference, 4)
  const again = await checkIn(reference, 2, key)
  t.same(again.json(), first.json())
  t.equal(await attendanceOf(reference), 'checked-in: 4 of 5')
})

t.test('422 refuses an impossible number of people, for example more than the party has', async (t) => {
  const { book, checkIn, act, attendanceOf } = await open(t)
  const reference = await book({ Participants: 2 })
  t.match((await checkIn(reference, 3)).json(), {
    status: 422,
    errors: [{ field: 'PeopleHere', message: /must not be more than the party has: 2/ }],
  })
  for (const Attendance of ['no-show', null])
    t.match((await act(reference, 'attendance', { Attendance, PeopleHere: 1 })).json(), {
      status: 422,
      errors: [{ field: 'PeopleHere' }],
    })
  for (const PeopleHere of [0, -1, 1.5, '2', 1000])
    t.equal((await act(reference, 'attendance', { Attendance: 'checked-in', PeopleHere })).statusCode, 422)
  t.equal(await attendanceOf(reference), 'null: 0 of 2')
})

t.test('marking a no-show, or clearing the attendance, sets PeopleHere to 0', async (t) => {
  const { book, checkIn, act, attendanceOf } = await open(t)
  const reference = await book({ Participants: 5 })
  await checkIn(reference, 2)
  await act(reference, 'attendance', { Attendance: 'no-show' })
  t.equal(await attendanceOf(reference), 'no-show: 0 of 5')
  await checkIn(reference, 2)
  await act(reference, 'attendance', { Attendance: null })
  t.equal(await attendanceOf(reference), 'null: 0 of 5')
})

t.test(
  'a redeemed ticket adds one to the people who were counted by hand, up to the size of the party',
  async (t) => {
    const { bookTickets, checkIn, redeem, undo, attendanceOf, history } = await open(t)
    const { reference, tickets } = await bookTickets({ Participants: 4 })
    await checkIn(reference, 1)
    await redeem(tickets[0]!)
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 4')
    await redeem(tickets[1]!)
    await undo(tickets[0]!)
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 4')
    await undo(tickets[1]!)
    t.equal(
      await attendanceOf(reference),
      'checked-in: 1 of 4',
      'the person who was counted by hand is still checked in',
    )
    t.match((await history(reference)).slice(3), [
      { Action: 'ticket-redeemed', Details: { Ticket: 1, PeopleHere: 2, Participants: 4 } },
      { Action: 'ticket-redeemed', Details: { Ticket: 2, PeopleHere: 3, Participants: 4 } },
      { Action: 'redemption-undone', Details: { Ticket: 1, PeopleHere: 2 } },
      { Action: 'redemption-undone', Details: { Ticket: 2, PeopleHere: 1 } },
    ])
    await checkIn(reference)
    await redeem(tickets[0]!)
    t.equal(await attendanceOf(reference), 'checked-in: 4 of 4', 'never more than the party has')
  },
)

t.test('tickets that two scanners redeem at the same time are counted once each', async (t) => {
  const { bookTickets, redeem, attendanceOf } = await open(t)
  const { reference, tickets } = await bookTickets({ Participants: 5 })
  await Promise.all(tickets.flatMap((ticket) => [redeem(ticket), redeem(ticket)]))
  t.equal(await attendanceOf(reference), 'checked-in: 5 of 5')
})

t.test(
  'PeopleHere never exceeds the size of a party that shrinks, and does not change when the party grows',
  async (t) => {
    const { book, checkIn, act, attendanceOf } = await open(t)
    const reference = await book({ Participants: 4 })
    await checkIn(reference)
    await act(reference, 'amend', { Participants: 2 })
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 2')
    await act(reference, 'amend', { Participants: 5 })
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 5')
    await act(reference, 'move', { Date: '2030-06-16', Time: '10:00' })
    t.equal(await attendanceOf(reference), 'null: 0 of 5', 'after a move nobody is checked in')
  },
)

t.test(
  'the rest of a partly checked-in party can be marked as absent, and the history has both numbers',
  async (t) => {
    const { book, act, markAbsent, checkIn, attendanceOf, read, history } = await open(t)
    const reference = await book({ Participants: 5 })
    await checkIn(reference, 3)
    const answer = await markAbsent(reference, 3, 2)
    t.match(answer.json().data, { Attendance: 'checked-in', PeopleHere: 3, PeopleAbsent: 2, Participants: 5 })
    await markAbsent(reference, 3, 2)
    await checkIn(reference, 4)
    t.equal(await attendanceOf(reference), 'checked-in: 4 of 5, 1 absent', 'a latecomer is no longer absent')
    await markAbsent(reference, 4, 0)
    t.equal(await attendanceOf(reference), 'checked-in: 4 of 5', 'nobody is marked as absent any more')
    await act(reference, 'attendance', { Attendance: 'checked-in', PeopleAbsent: 2 })
    t.equal(
      await attendanceOf(reference),
      'checked-in: 3 of 5, 2 absent',
      'without PeopleHere, all others are checked in',
    )
    await act(reference, 'attendance', { Attendance: null })
    t.equal(await attendanceOf(reference), 'null: 0 of 5')
    await act(reference, 'attendance', { Attendance: 'no-show' })
    t.equal((await read(`/${reference}`)).json().data.PeopleAbsent, 5, 'all of a no-show are absent')
    await checkIn(reference, 2)
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 5, 3 absent', 'some of a no-show came late')
    t.match((await history(reference)).slice(1), [
      { Action: 'checked-in', Details: { PeopleHere: 3, PeopleAbsent: 0, Participants: 5 } },
      { Action: 'checked-in', Details: { PeopleHere: 3, PeopleAbsent: 2, Participants: 5, Arrived: false } },
      {
        Action: 'checked-in',
        Details: { PeopleHere: 4, PeopleAbsent: 1, Participants: 5, Arrived: undefined },
      },
      { Action: 'checked-in', Details: { PeopleHere: 4, PeopleAbsent: 0, Participants: 5, Arrived: false } },
      { Action: 'checked-in', Details: { PeopleHere: 3, PeopleAbsent: 2, Participants: 5, Arrived: false } },
      { Action: 'attendance-cleared', Details: {} },
      { Action: 'no-show', Details: { PeopleHere: 0, PeopleAbsent: 5, Participants: 5 } },
      { Action: 'checked-in', Details: { PeopleHere: 2, PeopleAbsent: 3, Participants: 5 } },
    ])
  },
)

t.test(
  '422 refuses an impossible number of absent people, for example more than those not checked in',
  async (t) => {
    const { book, act, markAbsent, attendanceOf } = await open(t)
    const reference = await book({ Participants: 3 })
    t.match((await markAbsent(reference, 2, 2)).json(), {
      status: 422,
      errors: [{ field: 'PeopleAbsent', message: /must be at most 1/ }],
    })
    for (const body of [
      { Attendance: 'checked-in', PeopleAbsent: 3 },
      { Attendance: 'no-show', PeopleAbsent: 3 },
      { Attendance: null, PeopleAbsent: 1 },
      ...[-1, 1.5, '1', 1000].map((PeopleAbsent) => ({ Attendance: 'checked-in', PeopleAbsent })),
    ])
      t.match((await act(reference, 'attendance', body)).json(), {
        status: 422,
        errors: [{ field: 'PeopleAbsent' }],
      })
    t.equal(await attendanceOf(reference), 'null: 0 of 3')
  },
)

t.test(
  'a late redemption lowers the number of absent people, and undoing it does not raise the number',
  async (t) => {
    const { bookTickets, markAbsent, redeem, undo, attendanceOf, history } = await open(t)
    const { reference, tickets } = await bookTickets({ Participants: 4 })
    await redeem(tickets[0]!)
    await markAbsent(reference, 1, 3)
    await redeem(tickets[1]!)
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 4, 2 absent')
    await undo(tickets[1]!)
    t.equal(await attendanceOf(reference), 'checked-in: 1 of 4, 2 absent')
    await undo(tickets[0]!)
    t.equal(
      await attendanceOf(reference),
      'null: 0 of 4',
      'when nobody is checked in any more, nobody is marked as absent',
    )
    t.match((await history(reference)).slice(5, 7), [
      { Action: 'ticket-redeemed', Details: { Ticket: 2, PeopleHere: 2, PeopleAbsent: 2, Participants: 4 } },
      { Action: 'redemption-undone', Details: { Ticket: 2, PeopleHere: 1, PeopleAbsent: 2 } },
    ])
  },
)

t.test(
  'absent people leave a party first, unless the amendment says how many people stay checked in',
  async (t) => {
    const { book, markAbsent, act, attendanceOf } = await open(t)
    const reference = await book({ Participants: 5 })
    await markAbsent(reference, 3, 2)
    await act(reference, 'amend', { Participants: 7 })
    t.equal(
      await attendanceOf(reference),
      'checked-in: 3 of 7, 2 absent',
      'people who are added are neither checked in nor absent',
    )
    await act(reference, 'amend', { Participants: 4 })
    t.equal(
      await attendanceOf(reference),
      'checked-in: 3 of 4',
      'both absent people leave, and one who is not marked',
    )
    await act(reference, 'amend', { Participants: 5 })
    await markAbsent(reference, 2, 2)
    await act(reference, 'amend', { Participants: 4 })
    t.equal(
      await attendanceOf(reference),
      'checked-in: 2 of 4, 1 absent',
      'absent people leave before people who are not marked',
    )
    await markAbsent(reference, 2, 2)
    await act(reference, 'amend', { Participants: 3, Leaving: { PeopleHere: 1 } })
    t.equal(
      await attendanceOf(reference),
      'checked-in: 1 of 3, 2 absent',
      'a person who is checked in leaves instead',
    )
    await act(reference, 'amend', { Participants: 5 })
    await markAbsent(reference, 2, 2)
    await act(reference, 'amend', { Participants: 3, Leaving: { PeopleHere: 1 } })
    t.equal(
      await attendanceOf(reference),
      'checked-in: 1 of 3, 1 absent',
      'one person who is checked in and one who is absent leave',
    )
    await act(reference, 'amend', { Participants: 2, Leaving: { PeopleHere: 0 } })
    t.equal(await attendanceOf(reference), 'null: 0 of 2')
    await markAbsent(reference, 1, 1)
    await act(reference, 'move', { Date: '2030-06-16', Time: '10:00' })
    t.equal(await attendanceOf(reference), 'null: 0 of 2', 'after a move nobody is absent')
  },
)

t.test('a late check-in and a concurrent request to mark people as absent count nobody twice', async (t) => {
  const { book, act, checkIn, sql, accountId, attendanceOf } = await open(t)
  const reference = await book({ Participants: 5 })
  const subject = { accountId, reference, actor: theService }
  const record = (given: { more: number; absent?: number }) =>
    recordAttendance(sql, withoutRequest('test', subject), subject, { attendance: 'checked-in', ...given })
  for (let round = 0; round < 8; round++) {
    await checkIn(reference, 3)
    await Promise.all([record({ more: 0, absent: 2 }), record({ more: 1 }), record({ more: 0, absent: 2 })])
    t.equal(await attendanceOf(reference), 'checked-in: 4 of 5, 1 absent', 'in either order')
    await act(reference, 'attendance', { Attendance: null })
  }
})

t.test(
  'after a write by the previous version of the service, nobody is counted as both here and absent',
  async (t) => {
    const { book, markAbsent, attendanceOf, sql } = await open(t)
    const writeAsPreviousVersion = (reference: string, attendance: string | null, people: number | null) =>
      sql`update bookings set attendance = ${attendance}, people_here = ${people} where reference = ${reference}`
    const reference = await book({ Participants: 5 })
    const markTwoAbsent = () => markAbsent(reference, 3, 2)
    await markTwoAbsent()
    await writeAsPreviousVersion(reference, 'checked-in', 4)
    t.equal(await attendanceOf(reference), 'checked-in: 4 of 5, 1 absent')
    await writeAsPreviousVersion(reference, 'checked-in', 5)
    await writeAsPreviousVersion(reference, 'checked-in', 3)
    t.equal(await attendanceOf(reference), 'checked-in: 3 of 5')
    for (const attendance of [null, 'no-show']) {
      await markTwoAbsent()
      await writeAsPreviousVersion(reference, attendance, null)
      await writeAsPreviousVersion(reference, 'checked-in', 3)
      t.equal(await attendanceOf(reference), 'checked-in: 3 of 5', `after ${attendance}`)
    }
    await markTwoAbsent()
    await writeAsPreviousVersion(reference, 'checked-in', null)
    t.equal(
      await attendanceOf(reference),
      'checked-in: 5 of 5',
      'a version that does not count people checks in the whole party',
    )
    await markTwoAbsent()
    await sql`update bookings set participants = 4, people_here = least(people_here, 4) where reference = ${reference}`
    t.equal(
      await attendanceOf(reference),
      'checked-in: 3 of 4, 1 absent',
      'after an amendment by the previous version',
    )
  },
)

t.test('a response that the previous version stored is replayed without PeopleAbsent', async (t) => {
  const { book, checkIn, sql } = await open(t)
  const reference = await book({ Participants: 3 })
  const key = { 'idempotency-key': 'count-1' }
  await checkIn(reference, 2, key)
  await sql`update idempotency_keys set response = response - 'PeopleAbsent' where key = 'count-1'`
  const again = await checkIn(reference, 2, key)
  t.equal(again.statusCode, 200)
  t.equal(again.json().data.PeopleHere, 2)
  t.notOk('PeopleAbsent' in again.json().data)
})

t.test(
  'a check-in by a version that does not count people counts the whole party, or its redeemed tickets',
  async (t) => {
    const { book, bookTickets, redeem, attendanceOf, sql } = await open(t)
    const checkInWithoutCount = (reference: string) =>
      sql`update bookings set attendance = 'checked-in' where reference = ${reference}`
    const whole = await book({ Participants: 3 })
    await checkInWithoutCount(whole)
    t.equal(await attendanceOf(whole), 'checked-in: 3 of 3')
    const { reference, tickets } = await bookTickets({ Participants: 3 })
    await sql`update tickets set redeemed_at = now() where uuid = ${tickets[0]!.TicketID}`
    await checkInWithoutCount(reference)
    t.equal(await attendanceOf(reference), 'checked-in: 1 of 3', 'the people whose tickets are redeemed')
    await redeem(tickets[1]!)
    t.equal(await attendanceOf(reference), 'checked-in: 2 of 3')
  },
)
