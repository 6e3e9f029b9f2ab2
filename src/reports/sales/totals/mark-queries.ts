/** The SQL that marks days whose totals may be wrong, and takes the marks. */
import type { Fragment, Queryable, Transaction } from '../../../platform/postgres/database.ts'

/**
 * The day by which totals count: the day of sale, of the timeslot, or of payment. Only totals by the day of the
 * timeslot are counted for each product separately; otherwise `productId` is 0.
 */
export type Basis = 'sold' | 'travel' | 'paid'
export type MarkKey = { basis: Basis; productId: number; day: string }

/**
 * Events that do not change totals: those before a sale, those about customers, ticket data and e-mails, and new
 * prices.
 */
const uncounted = [
  ...['booking.held', 'booking.extended', 'booking.waitlisted', 'booking.offered', 'booking.expired'],
  ...['booking.tickets-made', 'booking.ticket-changed', 'booking.confirmation-resent'],
  ...['booking.customer-changed', 'booking.customer-erased', 'timeslot.prices-changed'],
]

/**
 * A query of the numbered events of an account for which no days have been marked yet. It includes events of
 * unknown, newer types.
 */
export function unreadEvents(sql: Queryable, accountId: number, limit: number): Fragment {
  return sql`
    select events.* from events
    where events.account_id = ${accountId} and events.number is not null
      and events.number > (select last_number from sales_states where account_id = ${accountId})
    order by events.number limit ${limit}`
}

/**
 * Marks the days of the account's first unread events, and returns the number of these events. The caller has locked
 * the state of the account. Numbers have no gaps, and an event is committed before it gets one, so no event is missed.
 */
export async function markDaysOfUnreadEvents(
  tx: Transaction,
  accountId: number,
  limit: number,
): Promise<number> {
  const [read] = await tx<{ events: number }[]>`
    with unread as materialized (${unreadEvents(tx, accountId, limit)}), marked as (
      insert into sales_marks (account_id, basis, product_id, day)
      ${daysOfEvents(tx, tx`select * from unread where type <> all(${uncounted}::text[])`)}
    ), moved as (
      update sales_states set last_number = unread.number
      from (select max(number) as number from unread) as unread
      where account_id = ${accountId} and unread.number is not null
    )
    select count(*) as events from unread`
  return read!.events
}

/**
 * The days whose totals events may have changed, as a query (account_id, basis, product_id, day). For a
 * booking: the days on which it counts now, and after a move also its former day, which the event contains.
 * For a timeslot: its day. For a payment or refund: the days of all payments of the sale. For any event of a
 * sale: the days on which its refund decisions count.
 */
export function daysOfEvents(sql: Queryable, events: Fragment): Fragment {
  const local = (instant: Fragment) => sql`(${instant} at time zone accounts.time_zone)::date`
  return sql`
    with event as materialized (${events}), touched as (
      select distinct account_id, booking_id from event where booking_id is not null
    ), changed as materialized (
      select account_id, basket_id from event where basket_id is not null
      union
      select bookings.account_id, bookings.basket_id from touched
      join bookings on bookings.account_id = touched.account_id and bookings.id = touched.booking_id
    )
    select touched.account_id, mark.basis, mark.product_id, mark.day
    from touched
    join accounts on accounts.account_id = touched.account_id
    join bookings on bookings.account_id = touched.account_id and bookings.id = touched.booking_id
      and bookings.confirmed_at is not null
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    left join baskets on bookings.channel <> 'partner' and baskets.account_id = bookings.account_id
      and baskets.id = bookings.basket_id
    cross join lateral (values
      ('sold', 0::bigint, ${local(sql`bookings.confirmed_at`)}), ('travel', slot.product_id, slot.date),
      ('paid', 0, ${local(sql`baskets.completed_at`)})
    ) as mark (basis, product_id, day)
    where mark.day is not null
    union
    select account_id, 'travel', (details -> 'From' ->> 'ProductID')::bigint, (details -> 'From' ->> 'Date')::date
    from event where type = 'booking.moved'
    union
    select event.account_id, 'travel', coalesce(event.product_id, slot.product_id),
      coalesce((details ->> 'Date')::date, slot.date)
    from event left join timeslots as slot on slot.account_id = event.account_id and slot.id = event.timeslot_id
    where event.type like 'timeslot.%' and coalesce((details ->> 'Date')::date, slot.date) is not null
      and coalesce(event.product_id, slot.product_id) is not null
    union
    select event.account_id, 'paid', 0, ${local(sql`coalesce(payments.made_at, baskets.completed_at)`)}
    from event
    join accounts on accounts.account_id = event.account_id
    join baskets on baskets.account_id = event.account_id and baskets.id = event.basket_id
    left join payments on payments.account_id = event.account_id and payments.basket_id = event.basket_id
    where split_part(event.type, '.', 1) in ('payment', 'refund')
      and coalesce(payments.made_at, baskets.completed_at) is not null
    union
    ${daysOfDecisions(sql, sql`changed`, local)}`
}

/**
 * The days on which decisions about the money of sales count: for a decision about one booking, the days of that
 * booking. Overpaid money counts with the first booking of the sale, which may be confirmed or deleted later, so the
 * days of all bookings are included.
 */
function daysOfDecisions(
  sql: Queryable,
  baskets: Fragment,
  local: (instant: Fragment) => Fragment,
): Fragment {
  return sql`
    select refunds.account_id, mark.basis, mark.product_id, mark.day
    from ${baskets} as changed
    join accounts on accounts.account_id = changed.account_id
    join refunds on refunds.account_id = changed.account_id and refunds.basket_id = changed.basket_id
    join bookings on bookings.account_id = changed.account_id and bookings.basket_id = changed.basket_id
      and bookings.id = coalesce(refunds.booking_id, bookings.id)
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    cross join lateral (values
      ('sold', 0::bigint, ${local(sql`bookings.confirmed_at`)}), ('travel', slot.product_id, slot.date),
      ('sold', 0, case when refunds.booking_id is null then ${local(sql`refunds.decided_at`)} end)
    ) as mark (basis, product_id, day)
    where mark.day is not null`
}

/** Marks days of one account. */
export async function insertMarks(tx: Queryable, accountId: number, keys: readonly MarkKey[]): Promise<void> {
  await tx`
    insert into sales_marks (account_id, basis, product_id, day)
    select ${accountId}, basis, product_id, day from unnest(
      ${keys.map(({ basis }) => basis)}::text[], ${keys.map(({ productId }) => productId)}::bigint[],
      ${keys.map(({ day }) => day)}::date[]
    ) as key (basis, product_id, day)`
}

/**
 * Marks the days of bookings that will be deleted, and of their payments and refunds, because no event
 * reports the deletion.
 */
export async function markDaysOfBookings(
  tx: Transaction,
  accountId: number,
  bookingIds: readonly number[],
): Promise<void> {
  await tx`
    insert into sales_marks (account_id, basis, product_id, day)
    ${daysOfEvents(
      tx,
      tx`select account_id, id as booking_id, null::bigint as timeslot_id, basket_id, null::bigint as product_id,
        'payment.deleted' as type, '{}'::jsonb as details
        from bookings where account_id = ${accountId} and id = any(${[...bookingIds]}::bigint[])`,
    )}`
}

/**
 * Marks the current days of timeslots. Call it before timeslots are changed or deleted without an event, and
 * again after a change.
 */
export async function markOfTimeslots(
  tx: Transaction,
  accountId: number,
  timeslotIds: readonly number[],
): Promise<void> {
  await tx`
    insert into sales_marks (account_id, basis, product_id, day)
    select distinct account_id, 'travel', product_id, date from timeslots
    where account_id = ${accountId} and id = any(${[...timeslotIds]}::bigint[])`
}

// Days of timeslots are counted by product, which is faster than a whole day of sale. So for each day of
// sale, up to this many of them are taken too.
const timeslotDays = 40
const maxMarks = 20_000

/**
 * Deletes the marks of some days of an account, the days with the oldest marks first, and returns the days.
 * Reads only the oldest 20,000 marks; later marks of the same days stay.
 * @param days the maximum number of days of sale and of payment together. For days of timeslots, the maximum
 * is 40 times as high.
 */
export function takeMarks(tx: Transaction, accountId: number, days: number) {
  return tx<MarkKey[]>`
    with waiting as materialized (
      select id, basis, product_id, day from sales_marks where account_id = ${accountId} order by id limit ${maxMarks}
    ), keys as materialized (
      select basis, product_id, day from (
        select basis, product_id, day, row_number() over (partition by basis = 'travel' order by min(id)) as place
        from waiting group by basis, product_id, day
      ) as key
      where place <= case basis when 'travel' then ${days * timeslotDays}::integer else ${days}::integer end
    ), taken as (
      delete from sales_marks using waiting join keys using (basis, product_id, day)
      where sales_marks.account_id = ${accountId} and sales_marks.id = waiting.id
    )
    select basis, product_id as "productId", day from keys`
}

/** The id of the account's latest mark; null if it has none. */
export async function findLastMark(sql: Queryable, accountId: number): Promise<number | null> {
  const [last] = await sql<{ id: number }[]>`
    select id from sales_marks where account_id = ${accountId} order by id desc limit 1`
  return last?.id ?? null
}

/** Whether an account has a mark with this id or a lower one. */
export async function hasMarkUpTo(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const [first] = await sql`
    select from sales_marks where account_id = ${accountId} and id <= ${id} order by id limit 1`
  return first !== undefined
}

/** How many events of an account are unread, and how many days are marked: a day counts for each basis and product. */
export function findStale(sql: Queryable, accountId: number) {
  return sql<{ days: number; events: number }[]>`
    select (select count(distinct (basis, product_id, day)) from sales_marks where account_id = ${accountId}) as days,
      coalesce((
        select counter.last_number - state.last_number
        from sales_states as state join event_counters as counter using (account_id)
        where account_id = ${accountId}
      ), 0) as events`
}

/** For how many seconds the oldest mark or unread event of all accounts has waited; 0 if there is none. */
export function findOldestMark(sql: Queryable) {
  return sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(least(marked.at, unread.at))), 0)::float8 as seconds
    from sales_states as state
    left join lateral (
      select marked_at as at from sales_marks where sales_marks.account_id = state.account_id order by id limit 1
    ) as marked on true
    left join lateral (
      select occurred_at as at from events
      where events.account_id = state.account_id and events.number > state.last_number and events.number is not null
      order by events.number limit 1
    ) as unread on true`
}
