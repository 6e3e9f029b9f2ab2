/** The statuses of OCTO bookings and items when tickets are scanned and parties are checked in. */
import t from 'tap'
import { openReseller } from './fixtures.ts'

async function openGate(t: Parameters<typeof openReseller>[0]) {
  const reseller = await openReseller(t)
  const { uuid, supplierReference } = await reseller.reserve()
  const { unitItems } = await reseller.confirm(uuid)
  const codes = unitItems.map(({ ticket }) => ticket.deliveryOptions[0]!.deliveryValue)
  const scan = (place: number, action = 'redeem') => reseller.operate(`/tickets/${codes[place]}/${action}`)
  const attend = (Attendance: string | null) =>
    reseller.operate(`/bookings/${supplierReference}/attendance`, { Attendance })
  return { ...reseller, uuid, supplierReference, scan, attend }
}

t.test(
  'a booking is redeemed as soon as any of its tickets is scanned, and each item when its own ticket is scanned',
  async (t) => {
    const { read, scan, uuid } = await openGate(t)
    await scan(1)
    const booking = await read(uuid)
    const [first, second] = booking.unitItems
    t.match(booking, { status: 'REDEEMED', utcRedeemedAt: /Z$/, cancellable: false })
    t.match(first, { status: 'CONFIRMED', utcRedeemedAt: null, ticket: { utcRedeemedAt: null } })
    t.match(second, { status: 'REDEEMED', utcRedeemedAt: booking.utcRedeemedAt })
    t.match(second!.ticket, { utcRedeemedAt: booking.utcRedeemedAt, deliveryOptions: [{}] })
    t.match(booking.voucher, { utcRedeemedAt: booking.utcRedeemedAt, deliveryOptions: [{}] })
    await scan(1, 'undo-redeem')
    t.match(await read(uuid), { status: 'CONFIRMED', utcRedeemedAt: null, cancellable: true })
  },
)

t.test(
  'scanning a ticket of a party that is already checked in changes nothing for the others',
  async (t) => {
    const { read, attend, scan, uuid } = await openGate(t)
    await attend('checked-in')
    await scan(1)
    t.match(await read(uuid), {
      status: 'REDEEMED',
      unitItems: [{ status: 'REDEEMED' }, { status: 'REDEEMED' }],
    })
  },
)

t.test('a party that is checked in as a whole is redeemed with all its items', async (t) => {
  const { read, attend, uuid } = await openGate(t)
  await attend('checked-in')
  const booking = await read(uuid)
  t.match(booking, { status: 'REDEEMED', utcRedeemedAt: /Z$/ })
  for (const item of booking.unitItems)
    t.match(item, { status: 'REDEEMED', utcRedeemedAt: booking.utcRedeemedAt })
  await attend('no-show')
  t.match(await read(uuid), {
    status: 'CONFIRMED',
    utcRedeemedAt: null,
    unitItems: [{ status: 'CONFIRMED' }],
  })
})

t.test(
  'checking in part of a party by hand redeems the booking, but no item until all are present',
  async (t) => {
    const { read, operate, supplierReference, uuid } = await openGate(t)
    const count = (PeopleHere: number) =>
      operate(`/bookings/${supplierReference}/attendance`, { Attendance: 'checked-in', PeopleHere })
    await count(1)
    const part = await read(uuid)
    t.match(part, { status: 'REDEEMED', utcRedeemedAt: /Z$/, cancellable: false })
    for (const item of part.unitItems) t.match(item, { status: 'CONFIRMED', utcRedeemedAt: null })
    await count(2)
    const whole = await read(uuid)
    t.equal(whole.utcRedeemedAt, part.utcRedeemedAt, 'the time of the first guest stays')
    for (const item of whole.unitItems) t.match(item, { status: 'REDEEMED', utcRedeemedAt: /Z$/ })
  },
)

t.test('when the rest of a party is checked in by hand after a scan, every item is redeemed', async (t) => {
  const { read, attend, scan, uuid } = await openGate(t)
  await scan(0)
  await attend('checked-in')
  t.match(await read(uuid), { unitItems: [{ status: 'REDEEMED' }, { status: 'REDEEMED' }] })
})

t.test(
  'an item is redeemed at the time of the last guest who came, not when another was marked as absent',
  async (t) => {
    const { sql, read, operate, supplierReference, uuid } = await openGate(t)
    const attend = (counted: object) =>
      operate(`/bookings/${supplierReference}/attendance`, { Attendance: 'checked-in', ...counted })
    await attend({ PeopleHere: 1 })
    await sql`update events set occurred_at = '2030-06-15 08:50Z' where type = 'booking.checked-in'`
    await attend({ PeopleHere: 1, PeopleAbsent: 1 })
    await operate(`/bookings/${supplierReference}/amend`, { Participants: 1 })
    t.match(await read(uuid), {
      utcRedeemedAt: '2030-06-15T08:50:00Z',
      unitItems: [{ status: 'REDEEMED', utcRedeemedAt: '2030-06-15T08:50:00Z' }],
    })
  },
)
