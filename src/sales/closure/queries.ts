/** The SQL that finds the timeslots of a closure and their bookings. src/inventory/ writes the changes. */
import { lastEntryAt } from '../../inventory/on-sale.ts'
import {
  type Booking,
  type Bought,
  boughtColumns,
  participants,
  peopleHere,
} from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { TimeslotWithBookings } from './model.ts'

export type ClosureRange = { from: string; to: string; productIds: number[] | null }

/**
 * The ids of the timeslots on the local dates `from` to `to`, both included, that have not begun (see
 * `hasBegun`), by date and time; at most `limit`.
 */
export async function listTimeslotIds(
  sql: Queryable,
  accountId: number,
  { from, to, productIds }: ClosureRange,
  limit: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from timeslots as slot
    where account_id = ${accountId} and date between ${from} and ${to} and ${lastEntryAt(sql)} > (select app_now())
      ${productIds === null ? sql`` : sql`and product_id = any(${productIds}::bigint[])`}
    order by date, time, id
    limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The ids among these that are products of the account. */
export async function listKnownProducts(sql: Queryable, accountId: number, ids: number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from products where account_id = ${accountId} and id = any(${ids}::bigint[])`
  return rows.map(({ id }) => id)
}

/**
 * Timeslots with the numbers of their confirmed, held and waitlisted bookings, by date and time. Unknown ids are left
 * out.
 */
export function listSituations(
  sql: Queryable,
  accountId: number,
  ids: number[],
): Promise<TimeslotWithBookings[]> {
  return sql<TimeslotWithBookings[]>`
    select slot.id, slot.product_id as "productId", slot.date, slot.time,
      slot.opening_hours as "openingHours", slot.status = 'open' as "isOpen",
      ${lastEntryAt(sql)} <= (select app_now()) as "hasBegun", parties.*
    from timeslots as slot
    cross join lateral (
      select count(*) filter (where status = 'confirmed') as confirmed,
        coalesce(sum(participants) filter (where status = 'confirmed' and not takes_timeslot), 0) as places,
        coalesce(array_agg(${participants(sql)}) filter (where status = 'confirmed' and takes_timeslot), '{}')
          as "partiesOfWhole",
        count(*) filter (where status = 'confirmed' and email <> '') as mailable,
        count(*) filter (where status = 'held') as held,
        count(*) filter (where status = 'waitlisted') as waitlisted,
        coalesce(array_agg(reference order by id)
          filter (where status <> 'confirmed' or coalesce(email, '') = ''), '{}') as unmailable
      from bookings
      where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
        and status in ('confirmed', 'held', 'waitlisted')
    ) as parties
    where slot.account_id = ${accountId} and slot.id = any(${ids}::bigint[])
    order by slot.date, slot.time, slot.id`
}

/** The confirmed bookings of these timeslots, with the bought units and prices. */
export function listConfirmed(sql: Queryable, accountId: number, timeslotIds: readonly number[]) {
  return sql<
    (Bought & Pick<Booking, 'id' | 'reference' | 'basketId' | 'channel' | 'status' | 'timeslotId'>)[]
  >`
    select id, reference, basket_id as "basketId", channel, status, timeslot_id as "timeslotId", ${boughtColumns(sql)}
    from bookings
    where account_id = ${accountId} and timeslot_id = any(${[...timeslotIds]}::bigint[]) and status = 'confirmed'`
}

export type AffectedBooking = {
  timeslotId: number
  reference: string
  status: 'confirmed' | 'held' | 'waitlisted'
  participants: number
  firstName: string | null
  lastName: string | null
  hasEmail: boolean
  isPartners: boolean
  /** How many of the party are checked in. */
  peopleHere: number
}

/**
 * The confirmed, held and waitlisted bookings of these timeslots, by timeslot and then in the order of
 * creation; at most `limit`.
 */
export function listAffected(
  sql: Queryable,
  accountId: number,
  ids: number[],
  limit: number,
): Promise<AffectedBooking[]> {
  return sql<AffectedBooking[]>`
    select slot.id as "timeslotId", reference, bookings.status, ${participants(sql)} as participants, first_name as "firstName",
      last_name as "lastName", coalesce(email, '') <> '' as "hasEmail", channel = 'partner' as "isPartners",
      ${peopleHere(sql)} as "peopleHere"
    from timeslots as slot
    join bookings on bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
    where slot.account_id = ${accountId} and slot.id = any(${ids}::bigint[])
      and bookings.status in ('confirmed', 'held', 'waitlisted')
    order by slot.date, slot.time, slot.id, bookings.id
    limit ${limit}`
}

/** How many people of the bookings that listAffected() would list without a limit are checked in. */
export async function countPeopleHere(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<number> {
  const [row] = await sql<[{ people: number }]>`
    select coalesce(sum(${peopleHere(sql)}), 0)::integer as people from bookings
    where account_id = ${accountId} and timeslot_id = any(${[...ids]}::bigint[])
      and status in ('confirmed', 'held', 'waitlisted')`
  return row.people
}

export type CustomerWithoutEmail = {
  reference: string
  firstName: string | null
  lastName: string | null
  phone: string | null
}

/** The customers of these bookings with their phone numbers, ordered by name. */
export function listWithoutEmail(
  sql: Queryable,
  accountId: number,
  references: readonly string[],
): Promise<CustomerWithoutEmail[]> {
  return sql<CustomerWithoutEmail[]>`
    select reference, first_name as "firstName", last_name as "lastName", phone from bookings
    where account_id = ${accountId} and reference = any(${[...references]}::text[])
    order by lower(last_name), lower(first_name), id`
}

/**
 * The confirmed, held and waitlisted bookings of a timeslot. The caller has locked the timeslot, so this list
 * does not change until the transaction ends.
 */
export function listUnended(
  tx: Transaction,
  accountId: number,
  timeslotId: number,
): Promise<{ id: number; basketId: number }[]> {
  return tx<{ id: number; basketId: number }[]>`
    select id, basket_id as "basketId" from bookings
    where account_id = ${accountId} and timeslot_id = ${timeslotId}
      and status in ('confirmed', 'held', 'waitlisted')
    order by id`
}
