/** The SQL of waitlists. The SQL that makes offers and ends entries is in src/inventory/. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import { isOnSale } from '../../inventory/on-sale.ts'
import { type BasketStatus, type Bought, boughtColumns } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

export type EntryStatus = 'waiting' | 'offered' | 'taken' | 'left' | 'expired'

/**
 * A waitlist entry with its booking. The timeslot, its date and its time are those of the booking, which may
 * have been moved to another timeslot.
 */
export type WaitlistEntryRow = Bought & {
  accountId: number
  id: number
  status: EntryStatus
  bookingId: number
  basketId: number
  timeslotId: number
  reference: string
  bookingStatus: string
  productId: number
  productName: string
  timeZone: string
  activity: string
  date: string
  time: string
  /** Null unless the timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  createdAt: Date
  offeredAt: Date | null
  /** When the present offer ends; null if there is no offer. */
  offerUntil: Date | null
  /** When the hold expires, also after the offer was taken; null if the places are not held. */
  heldUntil: Date | null
  basketStatus: BasketStatus
  /** Whether the latest `failed` or `succeeded` payment event of the basket is `failed`. */
  isDeclined: boolean
  /** How many parties wait for the same timeslot before this party; null if this party does not wait. */
  ahead: number | null
}

const entries = (sql: Queryable) => sql`
  select entry.account_id as "accountId", entry.id, entry.status, entry.booking_id as "bookingId",
    bookings.basket_id as "basketId",
    bookings.timeslot_id as "timeslotId", bookings.reference, bookings.status as "bookingStatus",
    products.id as "productId", products.name as "productName", products.time_zone as "timeZone",
    products.activity_id as activity, slot.date, slot.time,
    slot.opening_hours as "openingHours", ${boughtColumns(sql)},
    bookings.first_name as "firstName", bookings.last_name as "lastName", bookings.email, bookings.phone,
    entry.created_at as "createdAt", entry.offered_at as "offeredAt",
    case when entry.status = 'offered' then held.until end as "offerUntil", held.until as "heldUntil",
    baskets.status as "basketStatus",
    coalesce((
      select type = 'failed' from payment_events as event
      where event.account_id = baskets.account_id and event.basket_id = baskets.id and type in ('failed', 'succeeded')
      order by received_at desc, event_id desc limit 1
    ), false) as "isDeclined",
    case when entry.status = 'waiting' then (
      select count(*) from waitlist_entries as other
      where other.account_id = entry.account_id and other.timeslot_id = entry.timeslot_id
        and other.status = 'waiting' and other.id < entry.id
    ) end as ahead
  from waitlist_entries as entry
  join bookings on bookings.account_id = entry.account_id and bookings.id = entry.booking_id
  join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
  join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
  join products on products.account_id = slot.account_id and products.id = slot.product_id
  cross join lateral (
    select case when baskets.status = 'open' and baskets.expires_at > (select app_now()) then baskets.expires_at end as until
  ) as held`

export async function findEntry(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<WaitlistEntryRow | null> {
  const [entry] = await sql<WaitlistEntryRow[]>`
    ${entries(sql)} where entry.account_id = ${accountId} and entry.id = ${id}`
  return entry ?? null
}

/** The waitlist entry of a booking; null if the booking did not come from the waitlist. */
export async function findEntryOf(
  sql: Queryable,
  accountId: number,
  reference: string,
): Promise<WaitlistEntryRow | null> {
  const [entry] = await sql<WaitlistEntryRow[]>`
    ${entries(sql)} where bookings.account_id = ${accountId} and bookings.reference = ${reference}`
  return entry ?? null
}

/**
 * Entries that wait or have an offer; and, while the timeslot is still on sale, expired entries, and entries
 * whose offer was taken but not paid. In the order of joining.
 */
export function listPending(sql: Queryable, accountId: number, limit: number) {
  return sql<WaitlistEntryRow[]>`
    ${entries(sql)}
    where entry.account_id = ${accountId} and (
      entry.status in ('waiting', 'offered')
      or entry.status in ('taken', 'expired') and bookings.status in ('held', 'expired') and ${isOnSale(sql)}
    )
    order by entry.id
    limit ${limit}`
}

/**
 * Current offers to parties that have a phone number but no e-mail address. The offer that ends first comes
 * first. The query starts from the open baskets of the account.
 */
export function listToCall(sql: Queryable, accountId: number, limit: number) {
  return sql<WaitlistEntryRow[]>`
    ${entries(sql)}
    where entry.account_id = ${accountId} and entry.status = 'offered' and baskets.status = 'open'
      and held.until is not null and bookings.email is null and bookings.phone is not null
    order by held.until, entry.id
    limit ${limit}`
}

export type EntryFilter = {
  /** The timeslot of the waitlist. */
  timeslotId: number | null
  statuses: EntryStatus[] | null
  after: number
  limit: number
}

/** Entries in the order of joining, with IDs above `after`. */
export function listEntries(sql: Queryable, accountId: number, filter: EntryFilter) {
  const { timeslotId, statuses, after, limit } = filter
  return sql<WaitlistEntryRow[]>`
    ${entries(sql)}
    where entry.account_id = ${accountId} and entry.id > ${after}
      ${timeslotId === null ? sql`` : sql`and entry.timeslot_id = ${timeslotId}`}
      ${statuses === null ? sql`` : sql`and entry.status = any(${statuses}::text[])`}
    order by entry.id
    limit ${limit}`
}

export async function insertEntry(
  tx: Transaction,
  accountId: number,
  { bookingId, timeslotId }: { bookingId: number; timeslotId: number },
): Promise<number> {
  const [entry] = await tx<{ id: number }[]>`
    insert into waitlist_entries (account_id, booking_id, timeslot_id)
    values (${accountId}, ${bookingId}, ${timeslotId})
    returning id`
  return entry!.id
}

/**
 * Marks an offer as taken, and extends its hold to the account's hold time from now. Never shortens the hold.
 */
export async function takeOffer(
  tx: Transaction,
  accountId: number,
  { id, basketId }: { id: number; basketId: number },
): Promise<void> {
  await tx`
    with taken as (
      update waitlist_entries set status = 'taken' where account_id = ${accountId} and id = ${id}
    )
    update baskets set
      expires_at = greatest(expires_at, app_now() + hold_minutes * interval '1 minute'),
      hold_limit_at = greatest(hold_limit_at, app_now() + hold_minutes * interval '1 minute')
    from accounts
    where baskets.account_id = ${accountId} and baskets.id = ${basketId}
      and accounts.account_id = baskets.account_id`
}
