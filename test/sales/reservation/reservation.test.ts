/** A reseller holds places, and confirms, extends or gives them back. */
import t from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { contact, openReservations, outcomeOf } from './fixtures.ts'

t.test('a reservation holds its places until it is confirmed', async (t) => {
  const { reserve, confirm, taken, find, tickets, differences } = await openReservations(t)
  const order = await reserve({ notes: 'Window seat' })
  t.same(await taken(), { '2030-06-15': '0+3' })
  t.match(await find(order), { status: 'held', places: 3, notes: 'Window seat', isConfirmed: false })
  await confirm(order, { contact, resellerReference: 'V-1' })
  t.same(await taken(), { '2030-06-15': '3+0' })
  t.match(await find(order), {
    ...{ status: 'confirmed', isConfirmed: true, paymentReference: 'V-1', firstName: 'Ada' },
    ...{ email: 'ada@example.com', contact: contact.more, notes: 'Window seat', expiresAt: null },
  })
  t.match(await tickets(order), [
    ...order.items.map(({ uuid }, index) => ({ number: index + 1, uuid, void: false })),
  ])
  t.same(await differences(), [])
})

t.test(
  'a reservation is held for the default time of the account, or as long as requested, up to the limit',
  async (t) => {
    const { reserve, sql, accountId } = await openReservations(t)
    await sql`update accounts set hold_minutes = 20, hold_limit_minutes = 60 where account_id = ${accountId}`
    const minutes = async (holdMinutes: number | null) => {
      const { uuid } = await reserve({ holdMinutes, items: [{ unitId: 0, uuid: null }] })
      const [row] = await sql`
      select round(extract(epoch from expires_at - now()) / 60)::integer as minutes
      from reservations join bookings on bookings.id = booking_id join baskets on baskets.id = basket_id
      where uuid = ${uuid}`
      return row!.minutes
    }
    t.same([await minutes(null), await minutes(5), await minutes(600)], [20, 5, 60])
  },
)

t.test('a repeated request gets the same reservation', async (t) => {
  const { send, order, taken } = await openReservations(t)
  const asked = order()
  t.same(await send(asked), { replayed: false })
  t.same(await send(asked), { replayed: true })
  t.same(await taken(), { '2030-06-15': '0+3' })
})

t.test('the same request several times at once makes one reservation', async (t) => {
  const { send, order, taken } = await openReservations(t)
  const asked = order()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(asked)))
  t.equal(answers.filter(({ replayed }) => !replayed).length, 1)
  t.same(await taken(), { '2030-06-15': '0+3' })
})

t.test('a uuid that another request of the same reseller has used is refused', async (t) => {
  const { send, reserve, order, items, adult, taken } = await openReservations(t)
  const { uuid } = await reserve()
  t.equal(await outcomeOf(send(order({ uuid, items: items(adult) }))), 'reservation-uuid-reused')
  t.same(await taken(), { '2030-06-15': '0+3' })
})

t.test('resellers may use the same uuid, and each can use only its own reservation', async (t) => {
  const { reservations, reserve, makeReseller, taken } = await openReservations(t)
  const klook = await makeReseller('Klook')
  const { uuid } = await reserve()
  t.equal(await outcomeOf(reservations.cancel(klook, uuid, null)), 'not-found')
  await reserve({ uuid, caller: klook })
  t.same(await taken(), { '2030-06-15': '0+6' })
  await reservations.cancel(klook, uuid, null)
  t.same(await taken(), { '2030-06-15': '0+3' })
})

t.test('a reservation of more places than are free is refused, and nothing is held', async (t) => {
  const { send, order, taken, sql, find } = await openReservations(t, 2)
  const asked = order()
  t.equal(await outcomeOf(send(asked)), 'insufficient-capacity')
  t.same(await taken(), {})
  t.notOk(await find(asked))
  t.same(await sql`select from baskets`, [])
})

t.test('a reservation of a timeslot that does not exist is refused', async (t) => {
  const { send, order } = await openReservations(t)
  t.equal(await outcomeOf(send(order({ time: '11:00' }))), 'timeslot-unavailable')
})

t.test('a reservation that breaks a rule of the units is refused', async (t) => {
  const { send, order, items, child, sql, adult } = await openReservations(t)
  await sql`update units set accompanied_by = array[${adult}::bigint] where id = ${child}`
  t.equal(await outcomeOf(send(order({ items: items(child) }))), 'validation')
})

t.test('a repeated confirmation changes nothing', async (t) => {
  const { reserve, confirm, taken, find, sql } = await openReservations(t)
  const order = await reserve()
  await Promise.all(Array.from({ length: 6 }, () => confirm(order, { contact })))
  await confirm(order, { contact: { ...contact, firstName: 'Grace' } })
  t.same(await taken(), { '2030-06-15': '3+0' })
  t.match(await find(order), { firstName: 'Ada' })
  t.same(await sql`select type from events where type = 'booking.confirmed'`, [{ type: 'booking.confirmed' }])
})

t.test('an expired reservation cannot be confirmed, extended or changed', async (t) => {
  const { sql, reservations, reserve, confirm, runOut, viator, adult, items } = await openReservations(t)
  const order = await reserve()
  await runOut(order)
  const outcomes = async () => [
    await outcomeOf(confirm(order)),
    await outcomeOf(confirm(order, { items: order.items })),
    await outcomeOf(reservations.extend(viator, order.uuid, 10)),
    await outcomeOf(reservations.update(viator, order.uuid, { items: items(adult) })),
  ]
  const over = Array.from({ length: 4 }, () => 'reservation-over')
  t.same(await outcomes(), over)
  await sweepExpiredHolds(sql)
  t.same(await outcomes(), over)
})

t.test('places of an expired reservation can be sold again', async (t) => {
  const { reserve, runOut, taken, find, confirm, order: make, send } = await openReservations(t, 3)
  const first = await reserve()
  t.equal(await outcomeOf(send(make())), 'insufficient-capacity')
  await runOut(first)
  const second = await reserve()
  await confirm(second)
  t.same(await taken(), { '2030-06-15': '3+0' })
  t.match(await find(first), { status: 'expired' })
})

t.test('the sweep expires a reservation, deletes its basket and voids its tickets', async (t) => {
  const { sql, reserve, runOut, taken, find, tickets } = await openReservations(t)
  const order = await reserve()
  await runOut(order)
  await sweepExpiredHolds(sql)
  t.same(await taken(), {})
  t.match(await find(order), { status: 'expired', expiresAt: null })
  t.same(
    (await tickets(order)).map(({ void: isVoid }) => isVoid),
    [true, true, true],
  )
  t.same(await sql`select from baskets`, [])
})

t.test('an extension makes a hold longer, never shorter, up to the limit of the account', async (t) => {
  const { reservations, reserve, sql, accountId, viator } = await openReservations(t)
  await sql`update accounts set hold_minutes = 20, hold_limit_minutes = 60 where account_id = ${accountId}`
  const { uuid } = await reserve()
  const after = async (minutes: number) => {
    await reservations.extend(viator, uuid, minutes)
    const [row] = await sql`
      select round(extract(epoch from expires_at - now()) / 60)::integer as minutes from baskets`
    return row!.minutes
  }
  t.same([await after(5), await after(40), await after(600), await after(600)], [20, 40, 60, 60])
  t.match(
    await sql`select type, actor from events where type like 'booking.%' order by id`,
    [{ type: 'booking.held' }, ...Array(2).fill({ type: 'booking.extended', actor: 'partner' })],
    'the history names each extension that made the hold longer',
  )
})

t.test('a reservation that is cancelled frees its places', async (t) => {
  const { reservations, reserve, taken, find, viator, confirm, sql } = await openReservations(t)
  const order = await reserve()
  await reservations.cancel(viator, order.uuid, 'Changed plans')
  await reservations.cancel(viator, order.uuid, 'Again')
  t.same(await taken(), {})
  t.match(await find(order), { status: 'cancelled', cancelNote: 'Changed plans' })
  t.same(await sql`select from baskets`, [])
  t.equal(await outcomeOf(confirm(order)), 'booking-not-changeable')
})

t.test('a confirmed booking can be cancelled until the cut-off', async (t) => {
  const { reservations, reserve, confirm, viator, taken, find, sql } = await openReservations(t)
  const order = await reserve()
  await confirm(order)
  await sql`update products set cancel_cutoff_minutes = 525600`
  await sql`update timeslots set starts_at = now() + interval '1 day'`
  t.equal(await outcomeOf(reservations.cancel(viator, order.uuid, null)), 'cutoff-passed')
  await sql`update products set cancel_cutoff_minutes = 0`
  await reservations.cancel(viator, order.uuid, null)
  t.match(await find(order), { status: 'cancelled' })
  t.same(await taken(), {})
})

t.test('cancelling an expired reservation does not change it', async (t) => {
  const { reservations, reserve, runOut, viator, find } = await openReservations(t)
  const order = await reserve()
  await runOut(order)
  await reservations.cancel(viator, order.uuid, null)
  t.match(await find(order), { status: 'held' })
})
