/** Tickets of bookings with units: one for each unit, in the order in which the booking has them. */
import type { Test } from 'tap'
import t from 'tap'
import { giveUnits } from '../booking/unit-fixtures.ts'
import { openGate, type Ticket } from './fixtures.ts'

/** A gate whose product has units: adults, children, infants that take no place, and families of four. */
async function openFamilyGate(t: Test) {
  const gate = await openGate(t)
  const { sql, accountId, product } = gate
  const units = [
    { name: 'Adult', type: 'ADULT' },
    { name: 'Child', type: 'CHILD', priceMinor: 2000 },
    { name: 'Infant', type: 'INFANT', priceMinor: 0, places: 0 },
    { name: 'Family', type: 'FAMILY', priceMinor: 9000, places: 4, people: 4 },
  ]
  const [adult = 0, child = 0, infant = 0, family = 0] = await giveUnits(sql, accountId, product.id, units)
  const unit = (UnitID: number, Quantity: number) => ({ UnitID, Quantity })
  return { ...gate, adult, child, infant, family, unit }
}

const shown = (tickets: Ticket[]) => tickets.map(({ Unit, Status }) => `${Unit.Name} ${Status}`)

t.test(
  'a booking has a ticket for each unit, in the order of the booking: an infant has one, and a family has one',
  async (t) => {
    const { bookTickets, list, adult, child, infant, family, unit, sql } = await openFamilyGate(t)
    const Units = [unit(family, 1), unit(adult, 2), unit(infant, 1), unit(child, 1)]
    const { reference, tickets } = await bookTickets({ Units, Participants: undefined })
    t.same(shown(tickets), ['Family valid', 'Adult valid', 'Adult valid', 'Infant valid', 'Child valid'])
    t.match(tickets[0], { Number: 1, Unit: { UnitID: family, Name: 'Family', Type: 'FAMILY' } })
    await sql`update units set name = 'Grown-up' where id = ${adult}`
    t.match((await list(reference))[1], { Unit: { UnitID: adult, Name: 'Adult' } }, 'as it was sold')
  },
)

t.test('an amendment voids and adds tickets unit by unit', async (t) => {
  const { bookTickets, act, list, redeem, adult, child, infant, unit } = await openFamilyGate(t)
  const Units = [unit(adult, 2), unit(child, 2), unit(infant, 1)]
  const { reference, tickets } = await bookTickets({ Units, Participants: undefined })
  await redeem(tickets[1]!)
  const amended = await act(reference, 'amend', { Units: [unit(adult, 1), unit(child, 3)] })
  t.equal(amended.statusCode, 200, amended.body)
  t.same(shown(await list(reference)), [
    'Adult void',
    'Adult redeemed',
    'Child valid',
    'Child valid',
    'Infant void',
    'Child valid',
  ])
})

t.test('units that are added at another price have tickets like those sold before', async (t) => {
  const { bookTickets, act, list, sql, adult, child, unit } = await openFamilyGate(t)
  const Units = [unit(adult, 1), unit(child, 1)]
  const { reference } = await bookTickets({ Units, Participants: undefined })
  await sql`update units set price_minor = 2500 where id = ${child}`
  const amended = await act(reference, 'amend', { Units: [unit(adult, 1), unit(child, 2)] })
  t.equal(amended.json().data.Units.length, 3, 'children at two prices')
  t.same(shown(await list(reference)), ['Adult valid', 'Child valid', 'Child valid'])
  await act(reference, 'amend', { Units: [unit(adult, 1), unit(child, 1)] })
  t.same(shown(await list(reference)), ['Adult valid', 'Child valid', 'Child void'])
})

t.test(
  'the problem quantity-below-redeemed names every unit with more redeemed tickets than the new quantity',
  async (t) => {
    const { bookTickets, act, list, redeem, differences, adult, child, infant, unit } =
      await openFamilyGate(t)
    const Units = [unit(adult, 2), unit(child, 1), unit(infant, 1)]
    const { reference, tickets } = await bookTickets({ Units, Participants: undefined })
    for (const ticket of tickets) await redeem(ticket)
    const before = await list(reference)
    const fewer = { Units: [unit(adult, 1), unit(child, 1)] }
    const place = { Date: '2030-06-15', Time: '10:00' }
    for (const answer of [
      await act(reference, 'amend', fewer),
      await act(reference, 'move', { ...place, ...fewer }),
    ])
      t.match(answer.json(), {
        status: 409,
        type: /quantity-below-redeemed$/,
        Units: [
          { UnitID: adult, Quantity: 1, Redeemed: 2 },
          { UnitID: infant, Quantity: 0, Redeemed: 1 },
        ],
      })
    t.same(await list(reference), before)
    t.same(await differences(), [])
  },
)

t.test(
  'a move with a smaller party keeps the tickets of the kept units, and clears their redemptions',
  async (t) => {
    const { bookTickets, act, list, redeem, adult, child, unit } = await openFamilyGate(t)
    const Units = [unit(adult, 2), unit(child, 1)]
    const { reference, tickets } = await bookTickets({ Units, Participants: undefined })
    for (const ticket of tickets) await redeem(ticket)
    const target = { Date: '2030-06-15', Time: '14:00', Units: [unit(adult, 1), unit(child, 1)] }
    t.equal((await act(reference, 'move', target)).statusCode, 200)
    t.same(shown(await list(reference)), ['Adult valid', 'Adult void', 'Child valid'])
  },
)

t.test('tickets that were made before the product had units stay valid', async (t) => {
  const gate = await openGate(t)
  const { bookTickets, act, list, sql, accountId, product } = gate
  const { reference, tickets } = await bookTickets({ Participants: 2 })
  const [adult] = await giveUnits(sql, accountId, product.id, [{ name: 'Adult', type: 'ADULT' }])
  t.equal((await act(reference, 'amend', { Participants: 3 })).statusCode, 200)
  const now = await list(reference)
  t.same(now.slice(0, 2), tickets)
  t.match(now[2], { Unit: { UnitID: adult, Name: 'Adult' }, Status: 'valid' })
  t.equal(now.length, 3)
})

t.test('a private tour has a ticket for each person, however many places it takes', async (t) => {
  const { bookTickets, make, sql, product, slotId, app, operator, taken } = await openGate(t)
  await sql`
    update products set priced_per_booking = true, takes_timeslot = true, sells_plainly = false
    where id = ${product.id}`
  const { reference, tickets } = await bookTickets({ Participants: 3 })
  t.equal(tickets.length, 3)
  const url = `/api/v2/operator/timeslots/${await slotId('2030-06-15', '10:00')}`
  const raised = await app.inject({
    method: 'PATCH',
    url,
    headers: operator.headers,
    payload: { Capacity: 9 },
  })
  t.equal(raised.statusCode, 200)
  t.match(await taken(), { '2030-06-15 10:00': '9+0' })
  t.same(await make(reference), tickets)
})
