/** Products of the world that is attacked: their rules, their units, and their timeslots as OCTO names them. */
import type { Sql } from '../../src/platform/postgres/database.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'

/** Of all products, which have timeslots at the same times. */
export function listAvailabilityIds(sql: Sql) {
  return sql<{ id: string }[]>`
    select to_char(local, 'YYYY-MM-DD"T"HH24:MI:SS')
      || to_char(extract(epoch from local - starts_at at time zone 'UTC') / 3600, 'SG00":00"') as id
    from timeslots join products on products.account_id = timeslots.account_id and products.id = product_id
    cross join lateral (select starts_at at time zone time_zone as local) as clock
    group by local, starts_at
    order by local`
}

/** Gives some products rules of their bookings. */
export async function giveRules(sql: Sql, productId: number, name: string): Promise<void> {
  if (name === 'Canoe')
    await sql`
      update products set priced_per_booking = true, takes_timeslot = true, max_places = 8, sells_plainly = false
      where id = ${productId}`
  if (name === 'Sauna')
    await sql`
      update products set min_places = 2, max_places = 20, sells_plainly = false where id = ${productId}`
}

/** Gives a product units instead of those that it has. @returns their ids. */
export async function giveFamilyUnits(sql: Sql, accountId: number, productId: number): Promise<number[]> {
  await sql`delete from units where account_id = ${accountId} and product_id = ${productId}`
  await sql`
    update products set min_places = 1, max_places = 999, priced_per_booking = false, takes_timeslot = false,
      sells_plainly = true
    where account_id = ${accountId} and id = ${productId}`
  const ids = await giveUnits(sql, accountId, productId, [
    { name: 'Adult', type: 'ADULT' },
    { name: 'Child', type: 'CHILD', priceMinor: 2500, maxQuantity: 4 },
    { name: 'Infant', type: 'INFANT', priceMinor: 0, places: 0 },
    { name: 'Family', type: 'FAMILY', priceMinor: 11_000, places: 4, people: 4 },
  ])
  await sql`
    update units set accompanied_by = ${[ids[0]!]}::bigint[] where account_id = ${accountId} and id = ${ids[2]!}`
  return ids
}
