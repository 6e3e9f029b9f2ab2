/** Which tickets a booking gets for the units that it has bought, mostly tested with random values. */
import fc from 'fast-check'
import t from 'tap'
import { countTickets, type ExistingTicket, planTickets } from '../../../src/inventory/ticket-model.ts'
import { isTicketId } from '../../../src/sales/ticket/model.ts'

const units = fc
  .uniqueArray(
    fc.record({
      unitId: fc.integer({ min: 1, max: 5 }),
      unitName: fc.constant('Adult'),
      unitType: fc.constant('ADULT'),
      quantity: fc.integer({ min: 0, max: 6 }),
    }),
    {
      selector: ({ unitId }) => unitId,
    },
  )
  .map((all) => all.filter(({ quantity }) => quantity > 0))
const tickets: fc.Arbitrary<ExistingTicket[]> = fc
  .array(
    fc.record({ unitId: fc.integer({ min: 1, max: 5 }), isRedeemed: fc.boolean(), isVoid: fc.boolean() }),
    {
      maxLength: 20,
    },
  )
  .map((all) => all.map((one, index) => ({ ...one, number: index + 1 })))

/** Returns the tickets after a plan was carried out. */
function carryOut(existing: ExistingTicket[], { add, void: surplus }: ReturnType<typeof planTickets>) {
  return [
    ...existing.map((ticket) => ({ ...ticket, isVoid: ticket.isVoid || surplus.includes(ticket.number) })),
    ...add.map((ticket) => ({ ...ticket, isRedeemed: false, isVoid: false })),
  ]
}

function countValid(all: ExistingTicket[], unitId: number): number {
  return all.filter((ticket) => !ticket.isVoid && ticket.unitId === unitId).length
}

t.test(
  'a booking has as many valid tickets of a unit as it has bought, or as many as are redeemed if that is more',
  async () => {
    fc.assert(
      fc.property(units, tickets, (wanted, existing) => {
        const plan = planTickets(wanted, existing)
        const after = carryOut(existing, plan)
        return [1, 2, 3, 4, 5].every((id) => {
          const quantity = wanted.find(({ unitId }) => unitId === id)?.quantity ?? 0
          const short = plan.short.find(({ unitId }) => unitId === id)
          return short
            ? short.redeemed > quantity && countValid(after, id) === short.redeemed
            : countValid(after, id) === quantity
        })
      }),
    )
  },
)

t.test('redeemed tickets never become void; the last of the other tickets of a unit do', async () => {
  fc.assert(
    fc.property(units, tickets, (wanted, existing) => {
      const surplus = planTickets(wanted, existing).void
      const unused = existing.filter(({ isRedeemed, isVoid }) => !isRedeemed && !isVoid)
      return surplus.every((number) => {
        const ticket = unused.find((one) => one.number === number)
        const later = unused.filter((one) => one.unitId === ticket?.unitId && one.number > number)
        return ticket && later.every((one) => surplus.includes(one.number))
      })
    }),
  )
})

t.test('new tickets get new numbers after all others, in the order of the units', async () => {
  fc.assert(
    fc.property(units, tickets, (wanted, existing) => {
      const { add } = planTickets(wanted, existing)
      const order = add.map(({ unitId }) => wanted.findIndex((one) => one.unitId === unitId))
      return (
        add.every(({ number }, index) => number === existing.length + index + 1) &&
        order.every((place, index) => index === 0 || place >= order[index - 1]!)
      )
    }),
  )
})

t.test('after a plan is carried out, the next plan is empty', async () => {
  fc.assert(
    fc.property(units, tickets, (wanted, existing) => {
      const again = planTickets(wanted, carryOut(existing, planTickets(wanted, existing)))
      return again.add.length === 0 && again.void.length === 0
    }),
  )
})

t.test('a family is one unit and has one ticket; each infant that takes no place has one too', async (t) => {
  const units = [
    { id: 7, name: 'Family', type: 'FAMILY', quantity: 1, priceMinor: 9900, places: 4, people: 4 },
    { id: 8, name: 'Infant', type: 'INFANT', quantity: 2, priceMinor: 0, places: 0, people: 1 },
  ]
  t.same(countTickets({ units, participants: 6 }), [
    { unitId: 7, unitName: 'Family', unitType: 'FAMILY', quantity: 1 },
    { unitId: 8, unitName: 'Infant', unitType: 'INFANT', quantity: 2 },
  ])
})

t.test('units that were bought at two prices are counted together', async (t) => {
  const adult = { id: 7, name: 'Adult', type: 'ADULT', people: 1, places: 1 }
  const units = [
    { ...adult, quantity: 2, priceMinor: 4500 },
    { ...adult, quantity: 1, priceMinor: 5000 },
  ]
  t.match(countTickets({ units, participants: 3 }), [{ unitId: 7, quantity: 3 }])
})

t.test('a booking of a product without units has a ticket for each person', async (t) => {
  t.same(countTickets({ units: null, participants: 3 }), [
    { unitId: 0, unitName: null, unitType: null, quantity: 3 },
  ])
})

t.test('a ticket id is a UUID in upper or lower case, and no other text is one', async (t) => {
  t.ok(isTicketId('3f2b8a64-0c1d-4e5f-8a9b-7c6d5e4f3a2b'))
  t.ok(isTicketId('3F2B8A64-0C1D-4E5F-8A9B-7C6D5E4F3A2B'))
  for (const text of ['', 'https://example.com', '3f2b8a64-0c1d-4e5f-8a9b-7c6d5e4f3a2bx', '{}'])
    t.notOk(isTicketId(text), text)
})
