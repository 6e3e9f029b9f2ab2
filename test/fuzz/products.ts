/** Products of the world that is attacked: their rules, their units, and their timeslots as OCTO names them. */
import { toAvailabilityId } from '../../src/octo/model.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'

/**
 * The availability ids of OCTO. All products have timeslots at the same times, so an id fits several
 * products.
 */
export async function listAvailabilityIds(sql: Sql): Promise<string[]> {
  const starts = await sql<{ startsAt: Date; localStart: string }[]>`
    select distinct starts_at as "startsAt", to_char(date + time, 'YYYY-MM-DD"T"HH24:MI:SS') as "localStart"
    from timeslots order by starts_at`
  return starts.map(toAvailabilityId)
}

/** Sets the rules for bookings of the products `Canoe` and `Sauna`. */
export async function giveRules(sql: Sql, productId: number, name: string): Promise<void> {
  if (name === 'Canoe')
    await sql`
      update products set priced_per_booking = true, takes_timeslot = true, max_places = 8, sells_plainly = false
      where id = ${productId}`
  if (name === 'Sauna')
    await sql`
      update products set min_places = 2, max_places = 20, sells_plainly = false where id = ${productId}`
}

/**
 * Replaces the units of a product in one transaction, because a test account may copy the product meanwhile.
 * @returns the ids of the new units.
 */
export async function giveFamilyUnits(sql: Sql, accountId: number, productId: number): Promise<number[]> {
  return sql.begin(async (tx) => {
    await tx`delete from units where account_id = ${accountId} and product_id = ${productId}`
    await tx`
      update products set min_places = 1, max_places = 999, priced_per_booking = false, takes_timeslot = false,
        sells_plainly = true
      where account_id = ${accountId} and id = ${productId}`
    const ids = await giveUnits(tx, accountId, productId, [
      { name: 'Adult', type: 'ADULT' },
      { name: 'Child', type: 'CHILD', priceMinor: 2500, maxQuantity: 4 },
      { name: 'Infant', type: 'INFANT', priceMinor: 0, places: 0 },
      { name: 'Family', type: 'FAMILY', priceMinor: 11_000, places: 4, people: 4 },
    ])
    await tx`
      update units set accompanied_by = ${[ids[0]!]}::bigint[] where account_id = ${accountId} and id = ${ids[2]!}`
    return ids
  })
}
