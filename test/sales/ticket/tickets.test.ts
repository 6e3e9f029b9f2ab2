/** Tickets of a booking: made on the first request, with contacts, and changed together with the booking. */
import t from 'tap'
import { makeCaller } from '../../helper.ts'
import { makeBasket } from '../booking/fixtures.ts'
import { openGate } from './fixtures.ts'

const afternoon = { Date: '2030-06-15', Time: '14:00' }

t.test(
  'a booking has no tickets until the first request for them, and then always the same ones',
  async (t) => {
    const { book, act, list, history, sql } = await openGate(t)
    const reference = await book({ Participants: 2 })
    t.same(await list(reference), [])
    t.same(await sql`select from tickets`, [])
    const answer = await act(reference, 'tickets')
    t.equal(answer.statusCode, 200)
    const tickets = answer.json().data
    t.match(tickets, [
      {
        TicketID: /^[\da-f-]{36}$/,
        Number: 1,
        BookingReference: reference,
        ProductName: 'Kayak',
        Date: '2030-06-15',
        Time: '10:00',
        Unit: { UnitID: 0, Name: 'Person', Type: 'PERSON' },
        Contact: null,
        ResellerReference: null,
        Status: 'valid',
        RedeemedAt: null,
        VoidedAt: null,
      },
      { Number: 2, Status: 'valid' },
    ])
    t.equal(tickets.length, 2)
    t.same((await act(reference, 'tickets')).json().data, tickets)
    t.same(await list(reference), tickets)
    t.match(await history(reference), [{}, { Action: 'tickets-made', Details: { Tickets: 2 } }])
    t.equal((await history(reference)).length, 2)
  },
)

t.test('several requests for tickets at the same time make them once', async (t) => {
  const { book, act, list } = await openGate(t)
  const reference = await book({ Participants: 3 })
  const answers = await Promise.all([1, 2, 3, 4].map(() => act(reference, 'tickets')))
  for (const answer of answers) t.same(answer.json().data, await list(reference))
  t.equal((await list(reference)).length, 3)
})

t.test('a booking that is not confirmed has no tickets', async (t) => {
  const { book, act, sql, accountId, slotId } = await openGate(t)
  const timeslotId = await slotId('2030-06-15', '10:00')
  const [held] = await makeBasket(sql, accountId, [{ timeslotId, status: 'held' }])
  t.match((await act(held!, 'tickets')).json(), {
    status: 409,
    type: /booking-not-changeable$/,
    Status: 'held',
  })
  const cancelled = await book()
  await act(cancelled, 'cancel')
  t.match((await act(cancelled, 'tickets')).json(), { status: 409, Status: 'cancelled' })
  t.equal((await act('XXXXXXXXXX', 'tickets')).statusCode, 404)
})

t.test(
  'a ticket has a contact and a reseller’s reference, and the history has only the names of changed fields',
  async (t) => {
    const { bookTickets, describe, list, history } = await openGate(t)
    const { reference, tickets } = await bookTickets()
    const Contact = { FirstName: 'Grace', Email: 'grace@example.com', Phone: '+1 212 555 0100' }
    const answer = await describe(reference, tickets[1]!, { Contact, ResellerReference: 'OTA-T-2' })
    t.equal(answer.statusCode, 200)
    t.match(answer.json().data, {
      Contact: { FirstName: 'Grace', LastName: null, Email: 'grace@example.com', Phone: '+12125550100' },
      ResellerReference: 'OTA-T-2',
    })
    t.same(await list(reference), [tickets[0], answer.json().data])
    t.match((await history(reference)).at(-1), {
      Action: 'ticket-changed',
      Details: {
        Ticket: 2,
        Fields: ['Contact.FirstName', 'Contact.Email', 'Contact.Phone', 'ResellerReference'],
      },
    })
    t.notMatch(JSON.stringify(await history(reference)), /Grace|grace|OTA-T/)
    t.match((await describe(reference, tickets[1]!, { Contact: {} })).json().data, {
      Contact: null,
      ResellerReference: 'OTA-T-2',
    })
    t.match((await describe(reference, tickets[1]!, { ResellerReference: '' })).json().data, {
      ResellerReference: null,
    })
    const changes = (await history(reference)).length
    t.equal((await describe(reference, tickets[1]!, { Contact: {} })).statusCode, 200)
    t.equal(
      (await history(reference)).length,
      changes,
      'a request that changes nothing is not in the history',
    )
  },
)

t.test('an invalid contact or reference of a ticket gets 422 with the invalid fields', async (t) => {
  const { bookTickets, describe } = await openGate(t)
  const { reference, tickets } = await bookTickets()
  const answer = await describe(reference, tickets[0]!, {
    Contact: { Email: 'nobody', Phone: '12' },
    ResellerReference: 'x'.repeat(256),
  })
  t.equal(answer.statusCode, 422)
  t.same(
    answer.json().errors.map(({ field }: { field: string }) => field),
    ['Contact.Email', 'Contact.Phone', 'ResellerReference'],
  )
})

t.test('a ticket is found only in its own booking and account', async (t) => {
  const { bookTickets, describe, sql, app } = await openGate(t)
  const [one, other] = [await bookTickets(), await bookTickets()]
  t.equal((await describe(one.reference, other.tickets[0]!, { Contact: {} })).statusCode, 404)
  t.equal((await describe(one.reference, { TicketID: 'no-ticket' }, { Contact: {} })).statusCode, 404)
  const elsewhere = await makeCaller(sql, { slug: 'elsewhere', scopes: ['operator'] })
  for (const action of ['redeem', 'undo-redeem']) {
    const url = `/api/v2/operator/tickets/${one.tickets[0]!.TicketID}/${action}`
    t.equal((await app.inject({ method: 'POST', url, headers: elsewhere.headers })).statusCode, 404)
  }
})

t.test(
  'an amendment to fewer people voids the last tickets, and one to more people adds tickets',
  async (t) => {
    const { bookTickets, act, list, statuses } = await openGate(t)
    const { reference, tickets } = await bookTickets({ Participants: 3 })
    t.equal((await act(reference, 'amend', { Participants: 1 })).statusCode, 200)
    t.same(await statuses(reference), ['valid', 'void', 'void'])
    t.equal((await act(reference, 'amend', { Participants: 3 })).statusCode, 200)
    t.same(await statuses(reference), ['valid', 'void', 'void', 'valid', 'valid'])
    const now = await list(reference)
    t.same(
      now.map((ticket) => ticket.Number),
      [1, 2, 3, 4, 5],
    )
    t.equal(new Set(now.map(({ TicketID }) => TicketID)).size, 5, 'no id is used again')
    t.equal(now[0]!.TicketID, tickets[0]!.TicketID)
  },
)

t.test('an amendment voids unredeemed tickets before redeemed ones', async (t) => {
  const { bookTickets, act, redeem, statuses } = await openGate(t)
  const { reference, tickets } = await bookTickets({ Participants: 3 })
  await redeem(tickets[2]!)
  t.equal((await act(reference, 'amend', { Participants: 1 })).statusCode, 200)
  t.same(await statuses(reference), ['void', 'void', 'redeemed'])
})

t.test(
  'an amendment to fewer people than redeemed tickets gets 409 quantity-below-redeemed and changes nothing',
  async (t) => {
    const { bookTickets, act, redeem, statuses, taken, history, differences } = await openGate(t)
    const { reference, tickets } = await bookTickets({ Participants: 3 })
    await redeem(tickets[0]!)
    await redeem(tickets[2]!)
    const before = await history(reference)
    const answer = await act(reference, 'amend', { Participants: 1 })
    t.match(answer.json(), {
      status: 409,
      type: /quantity-below-redeemed$/,
      Units: [{ UnitID: 0, Quantity: 1, Redeemed: 2 }],
    })
    t.same(await statuses(reference), ['redeemed', 'valid', 'redeemed'])
    t.match(await taken(), { '2030-06-15 10:00': '3+0' })
    t.same(await history(reference), before)
    t.same(await differences(), [])
  },
)

t.test('a move keeps the tickets, and clears their redemptions and the attendance', async (t) => {
  const { bookTickets, act, redeem, list, attendance } = await openGate(t)
  const { reference, tickets } = await bookTickets()
  await redeem(tickets[0]!)
  t.equal((await act(reference, 'move', afternoon)).statusCode, 200)
  const moved = await list(reference)
  t.match(moved, [
    { TicketID: tickets[0]!.TicketID, ...afternoon, Status: 'valid', RedeemedAt: null },
    { TicketID: tickets[1]!.TicketID, ...afternoon, Status: 'valid' },
  ])
  t.equal(moved.length, 2)
  t.equal(await attendance(reference), null)
  t.equal((await redeem(tickets[0]!)).statusCode, 200, 'the tickets can be redeemed for the new timeslot')
})

t.test('a cancellation voids all tickets, and keeps the times of redemptions', async (t) => {
  const { bookTickets, act, redeem, undo, describe, list } = await openGate(t)
  const { reference, tickets } = await bookTickets()
  await redeem(tickets[0]!)
  t.equal((await act(reference, 'cancel')).statusCode, 200)
  t.match(await list(reference), [
    { Status: 'void', RedeemedAt: /Z$/, VoidedAt: /Z$/ },
    { Status: 'void', RedeemedAt: null, VoidedAt: /Z$/ },
  ])
  for (const answer of [
    await redeem(tickets[1]!),
    await undo(tickets[0]!),
    await describe(reference, tickets[1]!, { Contact: {} }),
  ])
    t.match(answer.json(), { status: 409, type: /ticket-void$/, VoidedAt: /Z$/ })
})

t.test('a closure voids the tickets of cancelled bookings, and keeps those of moved bookings', async (t) => {
  const { bookTickets, list, app, operator, slotId } = await openGate(t)
  const close = async (time: string, more: object) => {
    const payload = { TimeslotID: await slotId('2030-06-15', time), ...more }
    return app.inject({
      method: 'POST',
      url: '/api/v2/operator/closures',
      headers: operator.headers,
      payload,
    })
  }
  const moved = await bookTickets({ Time: '14:00' })
  const cancelled = await bookTickets()
  const target = { Action: 'move', MoveTo: { Date: '2030-06-16', Time: '10:00' } }
  t.equal((await close('14:00', target)).statusCode, 200)
  t.equal((await close('10:00', { Action: 'cancel' })).statusCode, 200)
  t.match(await list(moved.reference), [
    { Status: 'valid', Date: '2030-06-16', Time: '10:00' },
    { Status: 'valid' },
  ])
  t.match(await list(cancelled.reference), [{ Status: 'void' }, { Status: 'void' }])
})

t.test('changes of bookings without tickets run no statement about tickets', async (t) => {
  const { book, act, sql } = await openGate(t)
  const reference = await book()
  await sql`alter table tickets rename to elsewhere`
  for (const [action, payload] of [
    ['amend', { Participants: 1 }],
    ['move', afternoon],
    ['attendance', { Attendance: 'checked-in' }],
    ['cancel', {}],
  ] as const)
    t.equal((await act(reference, action, payload)).statusCode, 200, action)
})
