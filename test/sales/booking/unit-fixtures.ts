/** Adds units to a product by SQL. */
import type { Queryable } from '../../../src/platform/postgres/database.ts'

export type UnitRow = {
  name: string
  type?: string
  priceMinor?: number | null
  places?: number
  people?: number
  minQuantity?: number | null
  maxQuantity?: number | null
  accompaniedBy?: number[]
}

/**
 * Adds units to a product. The first is the default unit; a unit without a price costs the product's price.
 * @returns the ids.
 */
export async function giveUnits(
  sql: Queryable,
  accountId: number,
  productId: number,
  units: readonly UnitRow[],
): Promise<number[]> {
  const ids: number[] = []
  for (const [index, unit] of units.entries()) {
    const { name, type = 'OTHER', priceMinor = null, places = 1, people = 1 } = unit
    const { minQuantity = null, maxQuantity = null, accompaniedBy = [] } = unit
    const [row] = await sql<{ id: number }[]>`
      insert into units (account_id, product_id, position, name, type, price_minor, places, people, min_quantity,
        max_quantity, accompanied_by)
      values (${accountId}, ${productId}, ${index}, ${name}, ${type}, ${priceMinor}, ${places}, ${people},
        ${minQuantity}, ${maxQuantity}, ${accompaniedBy}::bigint[])
      returning id`
    ids.push(row!.id)
  }
  await sql`
    update products set default_unit_id = ${ids[0]!} where account_id = ${accountId} and id = ${productId}`
  return ids
}
