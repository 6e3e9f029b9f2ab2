/** All SQL that reads the catalogue for partners: only products in the shopfront, only of the caller's account. */
import type { Queryable } from '../platform/database.ts'

export type ProductRow = {
  id: number
  activityId: string
  name: string
  description: string
  durationMinutes: number
  priceMinor: number
  currency: string
  timeZone: string
  updatedAt: Date
}

const columns = (sql: Queryable) => sql`
  id, activity_id as "activityId", name, description, duration_minutes as "durationMinutes",
  price_minor as "priceMinor", currency, time_zone as "timeZone", updated_at as "updatedAt"`

export type ProductFilter = {
  name?: string | undefined
  after?: number | undefined
  limit?: number | undefined
}

/** Products by ID, those whose name contains `name` in any case; at most `limit` with an ID above `after`. */
export function listProducts(
  sql: Queryable,
  accountId: number,
  { name, after, limit }: ProductFilter,
): Promise<ProductRow[]> {
  return sql<ProductRow[]>`
    select ${columns(sql)} from products
    where account_id = ${accountId} and in_shopfront and id > ${after ?? 0}
      ${name === undefined ? sql`` : sql`and strpos(lower(name), lower(${name})) > 0`}
    order by id
    limit ${limit ?? null}`
}

export async function findProductById(sql: Queryable, accountId: number, id: number) {
  const [product] = await sql<ProductRow[]>`
    select ${columns(sql)} from products where account_id = ${accountId} and id = ${id} and in_shopfront`
  return product ?? null
}

/** The product of this very name, whatever the case; names are unique within an account. */
export async function findProductByName(sql: Queryable, accountId: number, name: string) {
  const [product] = await sql<ProductRow[]>`
    select ${columns(sql)} from products
    where account_id = ${accountId} and lower(name) = lower(${name}) and in_shopfront`
  return product ?? null
}

export type QuestionRow = {
  id: number
  label: string
  type: string
  required: boolean
  options: string[]
  appliesTo: string
}

/** A product's questions in the operator's order; null when the account has no such product in the shopfront. */
export async function listQuestions(sql: Queryable, accountId: number, activity: string) {
  const rows = await sql<(QuestionRow | { id: null })[]>`
    select questions.id, label, type, required, options, applies_to as "appliesTo"
    from products
    left join questions on questions.account_id = products.account_id and questions.product_id = products.id
    where products.account_id = ${accountId} and activity_id = ${activity} and in_shopfront
    order by position`
  return rows.length === 0 ? null : rows.filter((row): row is QuestionRow => row.id !== null)
}
