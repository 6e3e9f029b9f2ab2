/**
 * The SQL of calls after closures. Names and phone numbers are stored only in the bookings, where they can be
 * erased.
 */
import { liveAccountOf } from '../../../accounts/model.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { ClosureCall } from './model.ts'

/** Older calls are not listed. */
const daysListed = 14

export type CallToMake = { bookingId: number; became: ClosureCall['became'] }

/**
 * Stores the calls after a closure of a timeslot. Released bookings without a name and without contact data
 * are left out. If the same timeslot was closed before, the stored call of a booking becomes open again.
 */
export async function insertCalls(
  tx: Transaction,
  accountId: number,
  timeslotId: number,
  calls: readonly CallToMake[],
): Promise<void> {
  if (calls.length === 0) return
  await tx`
    insert into closure_calls (account_id, timeslot_id, booking_id, became)
    select ${accountId}, ${timeslotId}, bookings.id, call.became
    from unnest(
      ${calls.map(({ bookingId }) => bookingId)}::bigint[], ${calls.map(({ became }) => became)}::text[]
    ) as call (booking_id, became)
    join bookings on bookings.account_id = ${accountId} and bookings.id = call.booking_id
    where call.became <> 'released' or coalesce(first_name, last_name, email, phone) is not null
    on conflict (account_id, timeslot_id, booking_id) do update
      set became = excluded.became, closed_at = app_now(), done_at = null, done_by = null`
}

export type CallFilter = { onlyToCall?: boolean; limit: number }

/**
 * Lists the calls after the closures of the last 14 days, by the date and time of the closed timeslot and
 * then by last name; at most `limit`. Bookings of erased customers are left out.
 */
export function listCalls(
  sql: Queryable,
  accountId: number,
  { onlyToCall = false, limit }: CallFilter,
): Promise<ClosureCall[]> {
  return sql<ClosureCall[]>`
    ${calls(sql, accountId)}
    ${onlyToCall ? sql`where ${isToCall(sql)}` : sql``}
    order by slot.date, slot.time, slot.id, lower(last_name), bookings.id
    limit ${limit}`
}

/** The call of one booking; null if no closure of the last 14 days affected it, or if its customer is erased. */
export async function findCall(
  sql: Queryable,
  accountId: number,
  { timeslotId, reference }: CallKey,
): Promise<ClosureCall | null> {
  const [call] = await sql<ClosureCall[]>`
    ${calls(sql, accountId)}
    where slot.id = ${timeslotId} and reference = ${reference}`
  return call ?? null
}

function calls(sql: Queryable, accountId: number) {
  return sql`
    select slot.id as "timeslotId", products.name as "productName", slot.date, slot.time,
      slot.opening_hours as "openingHours", closed_at as "closedAt", reference, first_name as "firstName",
      last_name as "lastName", phone, partners.name as "partnerName", became,
      bookings.status, there.date as "nowDate", there.time as "nowTime",
      there.opening_hours as "nowOpeningHours", ${byEmail(sql)} as "byEmail", notice.reason as "emailReason", ${isToCall(sql)} as "isToCall", done_at as "doneAt", users.email as "doneBy"
    from ${recentCalls(sql, accountId)}
    join timeslots as slot on slot.account_id = call.account_id and slot.id = call.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    join timeslots as there on there.account_id = bookings.account_id and there.id = bookings.timeslot_id
    left join partners on partners.account_id = bookings.account_id and partners.id = bookings.partner_id
    left join users on users.account_id = ${liveAccountOf(accountId)} and users.id = done_by`
}

/** How many calls are still needed. */
export async function countOpenCalls(sql: Queryable, accountId: number): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*) as open from ${recentCalls(sql, accountId)}
    where ${isToCall(sql)}`
  return row!.open
}

function isToCall(sql: Queryable) {
  return sql`(done_at is null and ${byEmail(sql)} in ('none', 'failed'))`
}

function byEmail(sql: Queryable) {
  return sql`case
    when notice.status = 'sent' then 'sent'
    when notice.status in ('failed', 'dropped') then 'failed'
    when became = 'released' or coalesce(bookings.email, '') = '' then 'none'
    else 'on-its-way' end`
}

/** The calls of the last 14 days with their bookings, and the latest e-mail about the closure as `notice`. */
function recentCalls(sql: Queryable, accountId: number) {
  return sql`(
      select * from closure_calls
      where account_id = ${accountId} and closed_at > app_now() - ${daysListed} * interval '1 day'
    ) as call
    join bookings on bookings.account_id = call.account_id and bookings.id = call.booking_id
      and bookings.erasure_id is null
    left join lateral (
      select emails.status, emails.reason from emails
      where emails.account_id = call.account_id and emails.booking_id = call.booking_id
        and kind = 'closure' and emails.created_at >= call.closed_at
      order by emails.id desc limit 1
    ) as notice on true`
}

export type CallKey = { timeslotId: number; reference: string }

/**
 * `doneBy` is the id of the user who informed the customer; null for an API client. `isDone` false undoes a
 * tick.
 */
export type CallTick = { isDone: boolean; doneBy: number | null }

/**
 * Ticks a call off, or undoes that. A repeated tick keeps the first time and user. Returns false if there is
 * no such call.
 */
export async function updateDone(
  sql: Queryable,
  accountId: number,
  { timeslotId, reference }: CallKey,
  { isDone, doneBy }: CallTick,
): Promise<boolean> {
  const { count } = await sql`
    update closure_calls as call set
      done_at = case when ${isDone} then coalesce(done_at, app_now()) end,
      done_by = case when ${isDone} then case when done_at is null then ${doneBy}::bigint else done_by end end
    from bookings
    where call.account_id = ${accountId} and call.timeslot_id = ${timeslotId}
      and bookings.account_id = call.account_id and bookings.id = call.booking_id
      and bookings.reference = ${reference}`
  return count === 1
}
