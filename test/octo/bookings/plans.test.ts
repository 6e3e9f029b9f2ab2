/** Queries of OCTO bookings use an index, however many bookings other resellers have. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { findNamed } from '../../../src/octo/bookings/named-queries.ts'
import { findReservations, listReservations } from '../../../src/octo/bookings/queries.ts'
import type { Queryable } from '../../../src/platform/postgres/database.ts'
import { explain } from '../../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

t.test('no query of bookings reads a whole table', async (t) => {
  const { sql, url } = await createDatabase(t)
  const slots = Object.fromEntries(
    Array.from({ length: 28 }, (_, day) => [`2030-06-${String(day + 1).padStart(2, '0')} 10:00`, 1000]),
  )
  for (const slug of ['one', 'two']) {
    const { accountId } = await makeCaller(sql, { slug })
    const { id } = await makeProduct(sql, accountId, { slots })
    await sql`
      insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, reference, channel, status, participants,
        unit_price_minor, currency, payment_reference, answers, confirmed_at, has_tickets)
      select ${accountId}, number, number, slot.id, number % 20 + 1, 'R' || number, 'partner', 'confirmed', 1, 4500, 'EUR',
        'OTA-' || number, '[]', now(), true
      from generate_series(1, 6000) as number
      join (
        select id, row_number() over (order by id) as place from timeslots
        where account_id = ${accountId} and product_id = ${id}
      ) as slot on slot.place = number % 28 + 1`
    await sql`
      insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash)
      select account_id, id, partner_id, gen_random_uuid(), '' from bookings where account_id = ${accountId}`
    await sql`
      insert into tickets (account_id, booking_id, number, unit_id)
      select account_id, id, 1, 0 from bookings where account_id = ${accountId}`
    await sql`
      insert into events (account_id, type, booking_id, partner_id, actor, details)
      select account_id, 'booking.confirmed', id, partner_id, 'partner', '{}' from bookings
      where account_id = ${accountId}`
  }
  await sql`vacuum analyze`
  const [first] = await sql<{ accountId: number; uuid: string; activity: string }[]>`
    select products.account_id as "accountId", uuid, activity_id as activity
    from products join reservations using (account_id)
    where reseller_id = 7 limit 1`
  const { accountId, uuid, activity } = first!
  const reseller = { accountId, partnerId: 7 }
  const nothing = { resellerReference: null, reference: null, days: null, activity: null }
  const list = (filter: object) => (sql: Queryable) =>
    listReservations(sql, reseller, { ...nothing, ...filter })
  for (const [name, query] of Object.entries({
    'by its uuid': (sql: Queryable) => findReservations(sql, [{ ...reseller, uuid }]),
    'product, slot and booking of a request': (sql: Queryable) =>
      findNamed(sql, [
        { ...reseller, activity, slot: { date: '2030-06-07', time: '10:00' }, uuid: randomUUID() },
      ]),
    'by the reseller’s reference': list({ resellerReference: 'OTA-7' }),
    'by the supplier’s reference': list({ reference: 'R7' }),
    'by a day': list({ days: { from: '2030-06-07', to: '2030-06-07' } }),
    'by days and product': list({ days: { from: '2030-06-07', to: '2030-06-08' }, activity }),
  })) {
    const nodes = await explain(url, query)
    t.ok(nodes.length > 0, name)
    const scanned = nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'])
    const large = ['bookings', 'reservations', 'tickets', 'events']
    t.same(
      scanned.filter((relation) => large.includes(relation!)),
      [],
      name,
    )
  }
})
