/** Accounts, keys and products in any number, written directly into the measured tables. */
import { makeKey, type Scope } from '../src/accounts/model.ts'
import { createAccount, createKey } from '../src/accounts/service.ts'
import { toActivityId } from '../src/catalogue/model.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import type { LoadRequest } from './harness/load.ts'

export type Account = { accountId: number; token: string }
/** A booking has one of each of `units`; without them it has one participant. */
export type Product = { activity: string; slots: Slot[]; units?: number[] }
export type Slot = { date: string; time: string }

/**
 * An account in UTC with one key, of a partner if one is named. By default, it has the scopes of partners and usage.
 */
export async function makeAccount(
  sql: Sql,
  slug = 'bench',
  partner: string | null = null,
  scopes: readonly Scope[] = ['ota', 'usage:write', 'usage:read'],
): Promise<Account> {
  const { id: accountId } = await createAccount(sql, { slug, name: 'Bench', timeZone: 'UTC' })
  return { accountId, token: await createKey(sql, { accountId, partner, scopes, expiresInDays: null }) }
}

/** Accounts with one usage key each. */
export async function makeAccounts(sql: Sql, count: number): Promise<Account[]> {
  const made = await sql<{ id: number }[]>`
    insert into accounts (slug, name, time_zone)
    select 'bench-' || gen_random_uuid(), 'Bench', 'UTC' from generate_series(1, ${count})
    returning account_id as id`
  const keys = made.map(({ id }) => ({ accountId: id, ...makeKey(id) }))
  await sql`
    insert into api_keys (account_id, hash, scopes)
    select account_id, decode(hash, 'hex'), array['usage:write', 'usage:read']
    from unnest(${keys.map(({ accountId }) => accountId)}::bigint[], ${keys.map(({ hash }) => hash.toString('hex'))}::text[])
      as given (account_id, hash)`
  return keys.map(({ accountId, token }) => ({ accountId, token }))
}

const slotsPerDay = 20

/** A product in the shopfront with timeslots from 2035 on, twenty a day from 00:00. */
export async function makeProduct(
  sql: Sql,
  { accountId, name, slots, capacity }: { accountId: number; name: string; slots: number; capacity: number },
): Promise<Product> {
  const [product] = await sql<{ id: number; activity: string }[]>`
    insert into products (account_id, name, description, duration_minutes, price_minor, currency, time_zone, in_shopfront)
    values (${accountId}, ${name}, '', 60, 100, 'EUR', 'UTC', true) returning id, activity_id as activity`
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${product!.id}, day, clock, day + clock, ${capacity}
    from generate_series(0, ${slots - 1}) as n
    cross join lateral (
      select '2035-01-01'::date + n / ${slotsPerDay}::integer as day, make_time(n % ${slotsPerDay}::integer, 0, 0) as clock
    ) as at`
  return { activity: product!.activity, slots: Array.from({ length: slots }, (_, index) => slotAt(index)) }
}

/** The product with two units, each of one place: adults at the product's price, and children at half of it. */
export async function withTwoUnits(sql: Sql, product: Product): Promise<Product> {
  const units = await sql<{ id: number }[]>`
    insert into units (account_id, product_id, position, name, type, price_minor, places, people)
    select account_id, products.id, unit.position, unit.name, unit.type, unit.price, 1, 1
    from products
    cross join (values (0, 'Adult', 'ADULT', null), (1, 'Child', 'CHILD', 50)) as unit (position, name, type, price)
    where activity_id = ${product.activity}
    order by unit.position
    returning id`
  const ids = units.map(({ id }) => id)
  await sql`update products set default_unit_id = ${ids[0]!} where activity_id = ${product.activity}`
  return { ...product, units: ids }
}

/** When timeslot number `index` begins, the same in every product. */
export function slotAt(index: number): Slot {
  const day = new Date(Date.UTC(2035, 0, 1 + Math.floor(index / slotsPerDay)))
  return { date: day.toISOString().slice(0, 10), time: `${String(index % slotsPerDay).padStart(2, '0')}:00` }
}

/** A request to book one place, or one of each unit, on each of the timeslots. */
export function bookingRequests(
  token: string,
  { activity, slots, units }: Product,
  path = '/api/v2/ota/marketplace/booking',
): LoadRequest[] {
  const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const party = units ? { Units: units.map((UnitID) => ({ UnitID, Quantity: 1 })) } : { Participants: 1 }
  return slots.map(({ date, time }) => {
    const where = { ActivityID: toActivityId(activity), Date: date, Time: time }
    return { method: 'POST', path, token, body: { ...where, ...party, Customer: customer } }
  })
}

/** Requests that record one entry each, or `size` at once, on meters in turn. */
export function usageRequests(
  tokens: string[],
  {
    size = 1,
    meters = 10,
    path = '/api/v2/usage/meters',
  }: { size?: number; meters?: number; path?: string } = {},
): LoadRequest[] {
  const entry = (number: number) => ({ Meter: `meter ${number % meters}`, Usage: 1.5 })
  const bodies = Array.from({ length: Math.max(meters, tokens.length) }, (_, number) =>
    size === 1
      ? entry(number)
      : { Entries: Array.from({ length: size }, (_, index) => entry(number + index)) },
  )
  return bodies.map((body, number) => {
    const token = tokens[number % tokens.length]!
    return { method: 'POST', path: size === 1 ? path : `${path}/batch`, token, body }
  })
}
