/** A reseller changes its reservations and bookings. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { contact, openReservations, outcomeOf } from './fixtures.ts'

const later = { date: '2030-06-16', time: '10:00' }

for (const state of ['held', 'confirmed'] as const)
  t.test(`a booking that is ${state}`, async (t) => {
    const opened = await openReservations(t)
    const { reservations, viator, taken, tickets, find, adult, child, product, differences } = opened
    const places = (count: number) => (state === 'held' ? `0+${count}` : `${count}+0`)
    const make = async () => {
      const order = await opened.reserve()
      if (state === 'confirmed') await opened.confirm(order)
      return order
    }
    const drop = (uuid: string) => reservations.cancel(viator, uuid, null)
    const update = (uuid: string, change: Parameters<typeof reservations.update>[2]) =>
      outcomeOf(reservations.update(viator, uuid, change))

    t.test('keeps the tickets of the units that a change names, and voids the others', async (t) => {
      const { uuid, items } = await make()
      const added = { unitId: child, uuid: randomUUID(), resellerReference: 'T-9', contact }
      t.equal(await update(uuid, { items: [items[0]!, items[2]!, added] }), 'done')
      t.same(await taken(), { '2030-06-15': places(3) })
      t.match(await tickets({ uuid }), [
        { number: 1, uuid: items[0]!.uuid, void: false },
        { number: 2, uuid: items[1]!.uuid, void: true },
        { number: 3, uuid: items[2]!.uuid, void: false },
        { number: 4, uuid: added.uuid, unit: 'Child', reference: 'T-9', firstName: 'Ada', void: false },
      ])
      t.match(await find({ uuid }), {
        status: state,
        units: [
          { name: 'Adult', quantity: 1 },
          { name: 'Child', quantity: 2 },
        ],
      })
      await drop(uuid)
    })

    t.test('moves to another timeslot', async (t) => {
      const { uuid } = await make()
      const slot = { activityId: product.activityId, ...later }
      t.equal(await update(uuid, { slot }), 'done')
      t.same(await taken(), { '2030-06-16': places(3) })
      t.equal((await tickets({ uuid })).filter((ticket) => !ticket.void).length, 3)
      await drop(uuid)
    })

    t.test('takes another contact, another timeslot and other units in one request', async (t) => {
      const { uuid, items } = await make()
      const slot = { activityId: product.activityId, ...later }
      t.equal(await update(uuid, { slot, items: items.slice(0, 2), contact }), 'done')
      t.same(await taken(), { '2030-06-16': places(2) })
      t.match(await find({ uuid }), { firstName: 'Ada', places: 2, status: state })
      await drop(uuid)
    })

    t.test('does not change if there are too few places', async (t) => {
      const { uuid, items } = await make()
      const more = [...items, ...opened.items(...Array.from({ length: 6 }, () => adult))]
      t.equal(await update(uuid, { items: more, notes: 'Nine', contact }), 'insufficient-capacity')
      t.same(await taken(), { '2030-06-15': places(3) })
      t.match(await find({ uuid }), { notes: null, firstName: null })
      t.equal((await tickets({ uuid })).length, 3)
      await drop(uuid)
    })

    t.test('takes a contact, notes and references without a change of places', async (t) => {
      const { uuid, items } = await make()
      const named = items.map((item, index) => ({ ...item, resellerReference: `T-${index}` }))
      t.equal(await update(uuid, { items: named, contact, notes: 'Late', resellerReference: 'V-2' }), 'done')
      t.match(await find({ uuid }), { firstName: 'Ada', notes: 'Late', paymentReference: 'V-2' })
      t.match(await tickets({ uuid }), [{ reference: 'T-0' }, { reference: 'T-1' }, { reference: 'T-2' }])
      t.equal(await update(uuid, { notes: null }), 'done')
      t.match(await find({ uuid }), { firstName: 'Ada', notes: null, paymentReference: 'V-2' })
      await drop(uuid)
    })

    t.test('moves to another product, at the price of that product', async (t) => {
      const { uuid } = await make()
      const { sql, accountId } = opened
      const other = await makeProduct(sql, accountId, {
        name: `Sail ${state}`,
        slots: { '2030-06-15 10:00': 4 },
      })
      await sql`update products set price_minor = 9900 where id = ${other.id}`
      const slot = { activityId: other.activityId, date: '2030-06-15', time: '10:00' }
      t.equal(await update(uuid, { slot }), 'validation', 'the other product has none of the booked units')
      const items = [
        { unitId: 0, uuid: randomUUID() },
        { unitId: 0, uuid: randomUUID() },
      ]
      t.equal(await update(uuid, { slot, items }), 'done')
      const [row] = await sql`
        select unit_price_minor as price, units, participants as places from bookings where reference = ${(await find({ uuid }))!.reference}`
      t.same(row, { price: 9900, units: null, places: 2 })
      t.equal((await tickets({ uuid })).filter((ticket) => !ticket.void).length, 2)
      await drop(uuid)
    })

    t.test('leaves the counters of every timeslot in agreement with its bookings', async (t) => {
      t.same(await differences(), [])
      t.same(await taken(), {})
    })
  })

t.test('a confirmation with other units sells the units of the confirmation', async (t) => {
  const { reserve, confirm, taken, tickets, items, adult } = await openReservations(t)
  const order = await reserve()
  await confirm(order, { items: [...order.items.slice(0, 1), ...items(adult)], contact })
  t.same(await taken(), { '2030-06-15': '2+0' })
  t.equal((await tickets(order)).filter((ticket) => !ticket.void).length, 2)
})

t.test('units without a uuid match the existing units', async (t) => {
  const { reserve, confirm, tickets, taken } = await openReservations(t)
  const order = await reserve()
  const items = order.items.map(({ unitId }, index) => ({
    unitId,
    uuid: null,
    resellerReference: `T-${index}`,
  }))
  await confirm(order, { items })
  t.same(await taken(), { '2030-06-15': '3+0' })
  t.match(await tickets(order), [{ reference: 'T-0' }, { reference: 'T-1' }, { reference: 'T-2' }])
  t.equal((await tickets(order)).length, 3)
})

t.test(
  'the places of a booking cannot be changed after its cut-off, or after a ticket was redeemed',
  async (t) => {
    const { reservations, reserve, confirm, viator, sql, items, adult } = await openReservations(t)
    const order = await reserve()
    await confirm(order)
    const fewer = () => outcomeOf(reservations.update(viator, order.uuid, { items: items(adult) }))
    await sql`update products set cancel_cutoff_minutes = 525600`
    await sql`update timeslots set starts_at = now() + interval '1 day'`
    t.equal(await fewer(), 'cutoff-passed')
    await sql`update products set cancel_cutoff_minutes = 0`
    await sql`update tickets set redeemed_at = now() where number = 1`
    t.equal(await fewer(), 'booking-not-changeable')
    t.equal(await outcomeOf(reservations.cancel(viator, order.uuid, null)), 'booking-not-changeable')
    t.equal(await outcomeOf(reservations.update(viator, order.uuid, { contact })), 'done')
  },
)

t.test('a cancelled reservation cannot be changed or extended', async (t) => {
  const { reservations, reserve, viator } = await openReservations(t)
  const { uuid } = await reserve()
  await reservations.cancel(viator, uuid, null)
  t.equal(await outcomeOf(reservations.update(viator, uuid, { contact })), 'booking-not-changeable')
  t.equal(await outcomeOf(reservations.extend(viator, uuid, 5)), 'booking-not-changeable')
})
