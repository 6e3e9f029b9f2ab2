/** How many of a party are here: counted by hand and by tickets, kept through changes, told by the history. */
import t from 'tap'
import { openGate } from '../ticket/fixtures.ts'

async function open(t: Parameters<typeof openGate>[0]) {
  const gate = await openGate(t)
  const count = async (reference: string, PeopleHere?: number, more: object = {}) =>
    gate.act(reference, 'attendance', { Attendance: 'checked-in', ...(PeopleHere && { PeopleHere }) }, more)
  const here = async (reference: string) => {
    const { Attendance, PeopleHere, Participants } = (await gate.read(`/${reference}`)).json().data
    return `${Attendance}: ${PeopleHere} of ${Participants}`
  }
  return { ...gate, count, here }
}

t.test('a part of a party is checked in, and the history says how many', async (t) => {
  const { book, count, here, history } = await open(t)
  const reference = await book({ Participants: 5 })
  t.equal(await here(reference), 'null: 0 of 5')
  const answer = await count(reference, 3)
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, { Attendance: 'checked-in', PeopleHere: 3 })
  await count(reference, 3)
  await count(reference)
  t.equal(await here(reference), 'checked-in: 5 of 5', 'without a number all of them are')
  t.match((await history(reference)).slice(1), [
    { Action: 'checked-in', Details: { PeopleHere: 3, Participants: 5 } },
    { Action: 'checked-in', Details: { PeopleHere: 5, Participants: 5 } },
  ])
  t.equal((await history(reference)).length, 3, 'what was said before is no news')
})

t.test('a request that is sent again with its key counts once', async (t) => {
  const { book, count, here } = await open(t)
  const reference = await book({ Participants: 5 })
  const key = { 'idempotency-key': 'count-1' }
  const first = await count(reference, 2, key)
  await count(reference, 4)
  const again = await count(reference, 2, key)
  t.same(again.json(), first.json())
  t.equal(await here(reference), 'checked-in: 4 of 5')
})

t.test('422 names a number that cannot be', async (t) => {
  const { book, count, act, here } = await open(t)
  const reference = await book({ Participants: 2 })
  t.match((await count(reference, 3)).json(), {
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
  t.equal(await here(reference), 'null: 0 of 2')
})

t.test('a no-show has nobody here, and so has a party of which it is taken back', async (t) => {
  const { book, count, act, here } = await open(t)
  const reference = await book({ Participants: 5 })
  await count(reference, 2)
  await act(reference, 'attendance', { Attendance: 'no-show' })
  t.equal(await here(reference), 'no-show: 0 of 5')
  await count(reference, 2)
  await act(reference, 'attendance', { Attendance: null })
  t.equal(await here(reference), 'null: 0 of 5')
})

t.test('each ticket that is redeemed is one more here, besides those who were counted by hand', async (t) => {
  const { bookTickets, count, redeem, undo, here, history } = await open(t)
  const { reference, tickets } = await bookTickets({ Participants: 4 })
  await count(reference, 1)
  await redeem(tickets[0]!)
  t.equal(await here(reference), 'checked-in: 2 of 4')
  await redeem(tickets[1]!)
  await undo(tickets[0]!)
  t.equal(await here(reference), 'checked-in: 2 of 4')
  await undo(tickets[1]!)
  t.equal(await here(reference), 'checked-in: 1 of 4', 'who was counted by hand is still here')
  t.match((await history(reference)).slice(3), [
    { Action: 'ticket-redeemed', Details: { Ticket: 1, PeopleHere: 2, Participants: 4 } },
    { Action: 'ticket-redeemed', Details: { Ticket: 2, PeopleHere: 3, Participants: 4 } },
    { Action: 'redemption-undone', Details: { Ticket: 1, PeopleHere: 2 } },
    { Action: 'redemption-undone', Details: { Ticket: 2, PeopleHere: 1 } },
  ])
  await count(reference)
  await redeem(tickets[0]!)
  t.equal(await here(reference), 'checked-in: 4 of 4', 'never more than the party has')
})

t.test('tickets of two scanners at once are all counted', async (t) => {
  const { bookTickets, redeem, here } = await open(t)
  const { reference, tickets } = await bookTickets({ Participants: 5 })
  await Promise.all(tickets.flatMap((ticket) => [redeem(ticket), redeem(ticket)]))
  t.equal(await here(reference), 'checked-in: 5 of 5')
})

t.test(
  'a party that becomes smaller has no more here than it has people; a larger one has some missing',
  async (t) => {
    const { book, count, act, here } = await open(t)
    const reference = await book({ Participants: 4 })
    await count(reference)
    await act(reference, 'amend', { Participants: 2 })
    t.equal(await here(reference), 'checked-in: 2 of 2')
    await act(reference, 'amend', { Participants: 5 })
    t.equal(await here(reference), 'checked-in: 2 of 5')
    await act(reference, 'move', { Date: '2030-06-16', Time: '10:00' })
    t.equal(await here(reference), 'null: 0 of 5', 'on another departure nobody is')
  },
)

t.test('what the version before checked in counts as it meant it', async (t) => {
  const { book, bookTickets, redeem, here, sql } = await open(t)
  const before = (reference: string) =>
    sql`update bookings set attendance = 'checked-in' where reference = ${reference}`
  const whole = await book({ Participants: 3 })
  await before(whole)
  t.equal(await here(whole), 'checked-in: 3 of 3')
  const { reference, tickets } = await bookTickets({ Participants: 3 })
  await sql`update tickets set redeemed_at = now() where uuid = ${tickets[0]!.TicketID}`
  await before(reference)
  t.equal(await here(reference), 'checked-in: 1 of 3', 'the people whose tickets are redeemed')
  await redeem(tickets[1]!)
  t.equal(await here(reference), 'checked-in: 2 of 3')
})
