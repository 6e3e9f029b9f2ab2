/** Redeeming tickets: each ticket admits once, also if two scanners read it, and checks its booking in. */
import t from 'tap'
import { clockAt } from '../../clock.ts'
import { openGate } from './fixtures.ts'

t.test(
  'the first redemption checks the booking in, and undoing the last one clears the attendance',
  async (t) => {
    const { bookTickets, redeem, undo, attendance, history, statuses } = await openGate(t)
    const { reference, tickets } = await bookTickets({ Participants: 2 })
    const answer = await redeem(tickets[0]!)
    t.equal(answer.statusCode, 200)
    t.match(answer.json().data, {
      TicketID: tickets[0]!.TicketID,
      BookingReference: reference,
      Status: 'redeemed',
      RedeemedAt: /Z$/,
    })
    t.equal(await attendance(reference), 'checked-in')
    t.same(await statuses(reference), ['redeemed', 'valid'])
    await redeem(tickets[1]!)
    t.match((await undo(tickets[0]!)).json().data, { Status: 'valid', RedeemedAt: null })
    t.equal(await attendance(reference), 'checked-in')
    await undo(tickets[1]!)
    t.equal(await attendance(reference), null)
    t.match((await history(reference)).slice(2), [
      { Action: 'ticket-redeemed', Details: { Ticket: 1 }, Actor: { Kind: 'key' } },
      { Action: 'checked-in' },
      { Action: 'ticket-redeemed', Details: { Ticket: 2 } },
      { Action: 'redemption-undone', Details: { Ticket: 1 } },
      { Action: 'redemption-undone', Details: { Ticket: 2 } },
      { Action: 'attendance-cleared' },
    ])
  },
)

t.test('a second redemption gets 409 ticket-redeemed with the time of the first one', async (t) => {
  const { bookTickets, redeem, list, history } = await openGate(t, clockAt('2030-06-15T08:55:00Z'))
  const { reference, tickets } = await bookTickets()
  const { RedeemedAt } = (await redeem(tickets[0]!)).json().data
  const before = await history(reference)
  const answer = await redeem(tickets[0]!)
  t.match(answer.json(), { status: 409, type: /ticket-redeemed$/, RedeemedAt })
  t.match(RedeemedAt, /^2030-06-15T08:5/)
  t.equal((await list(reference))[0]!.RedeemedAt, RedeemedAt)
  t.same(await history(reference), before)
})

t.test('a scan that is repeated after its response was lost gets the first response', async (t) => {
  const { bookTickets, redeem, undo, history } = await openGate(t)
  const { reference, tickets } = await bookTickets()
  const first = await redeem(tickets[0]!, 'scan-1')
  const again = await redeem(tickets[0]!, 'scan-1')
  t.equal(again.statusCode, 200)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.same(again.json(), first.json())
  t.equal((await redeem(tickets[0]!, 'scan-2')).statusCode, 409, 'a scan with another key is refused')
  t.equal((await redeem(tickets[1]!, 'scan-1')).json().type.split('/').at(-1), 'idempotency-key-reused')
  t.equal((await undo(tickets[0]!, 'undo-1')).statusCode, 200)
  t.equal((await undo(tickets[0]!, 'undo-1')).headers['idempotency-replayed'], 'true')
  t.equal((await history(reference)).length, 6)
})

t.test('undoing the redemption of a ticket that is not redeemed changes nothing', async (t) => {
  const { bookTickets, undo, act, attendance, history } = await openGate(t)
  const { reference, tickets } = await bookTickets()
  await act(reference, 'attendance', { Attendance: 'checked-in' })
  const before = await history(reference)
  const answer = await undo(tickets[0]!)
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, { Status: 'valid', RedeemedAt: null })
  t.equal(await attendance(reference), 'checked-in')
  t.same(await history(reference), before)
})

t.test('the attendance of the whole party can be recorded, and changes no ticket', async (t) => {
  const { bookTickets, act, redeem, attendance, statuses } = await openGate(t)
  const { reference, tickets } = await bookTickets()
  t.equal((await act(reference, 'attendance', { Attendance: 'no-show' })).statusCode, 200)
  t.same(await statuses(reference), ['valid', 'valid'])
  t.equal((await redeem(tickets[0]!)).statusCode, 200)
  t.equal(await attendance(reference), 'checked-in', 'a guest who was marked as a no-show has come')
  t.equal((await act(reference, 'attendance', { Attendance: null })).statusCode, 200)
  t.same(await statuses(reference), ['redeemed', 'valid'])
})

t.test('a text that is not the ID of a ticket gets 404', async (t) => {
  const { redeem, undo } = await openGate(t)
  for (const TicketID of [
    '3f2b8a64-0c1d-4e5f-8a9b-7c6d5e4f3a2b',
    '7KQ4MXW2PD',
    encodeURIComponent('https://x.test'),
  ])
    for (const answer of [await redeem({ TicketID }), await undo({ TicketID })])
      t.match(answer.json(), { status: 404, type: /not-found$/ })
})

t.test('several scans of a ticket at the same time redeem it once', async (t) => {
  const { bookTickets, redeem, history, list } = await openGate(t)
  const { reference, tickets } = await bookTickets({ Participants: 4 })
  const scans = tickets.flatMap((ticket) => [ticket, ticket, ticket])
  const answers = await Promise.all(scans.map((ticket) => redeem(ticket)))
  const admitted = answers.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json().data)
  t.same(admitted.map((ticket) => ticket.Number).sort(), [1, 2, 3, 4])
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200))
    t.match(answer.json(), { status: 409, type: /ticket-redeemed$/, RedeemedAt: /Z$/ })
  const actions = (await history(reference)).map(({ Action }) => Action)
  t.equal(actions.filter((action) => action === 'ticket-redeemed').length, 4)
  t.equal(actions.filter((action) => action === 'checked-in').length, 1)
  t.ok((await list(reference)).every(({ Status }) => Status === 'redeemed'))
})

t.test('an amendment at the same time as a redemption never voids the redeemed ticket', async (t) => {
  const { bookTickets, redeem, act, statuses, differences } = await openGate(t)
  for (let round = 0; round < 6; round++) {
    const { reference, tickets } = await bookTickets({ Participants: 2 })
    const [redeemed, other, amended] = await Promise.all([
      redeem(tickets[0]!),
      redeem(tickets[1]!),
      act(reference, 'amend', { Participants: 1 }),
    ])
    const admitted = [redeemed, other].filter(({ statusCode }) => statusCode === 200).length
    if (amended.statusCode === 200) {
      t.ok(admitted < 2)
      t.same((await statuses(reference)).filter((status) => status === 'void').length, 1)
    } else t.match([amended.json().type, admitted], [/quantity-below-redeemed$/, 2])
    t.equal((await statuses(reference)).filter((status) => status === 'redeemed').length, admitted)
    await act(reference, 'cancel')
  }
  t.same(await differences(), [])
})

t.test(
  'a redemption at the same time as a move or a cancellation takes effect before or after that change',
  async (t) => {
    const { bookTickets, redeem, act, list, attendance } = await openGate(t)
    for (let round = 0; round < 4; round++) {
      const { reference, tickets } = await bookTickets({ Participants: 1 })
      await Promise.all([redeem(tickets[0]!), act(reference, 'move', { Date: '2030-06-15', Time: '14:00' })])
      const [ticket] = await list(reference)
      t.equal(await attendance(reference), ticket!.Status === 'redeemed' ? 'checked-in' : null)
      const [, cancelled] = await Promise.all([redeem(tickets[0]!), act(reference, 'cancel')])
      t.equal(cancelled.statusCode, 200)
      t.match(await list(reference), [{ Status: 'void' }])
    }
  },
)
