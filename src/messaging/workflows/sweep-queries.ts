/**
 * The SQL that finds the bookings for which a workflow has become due. Each query uses an index, and reads
 * only what became due since an hour before the last sweep.
 */
import type { PendingQuery, Row } from 'postgres'
import type { EventType } from '../../events/types.ts'
import { endsAt } from '../../inventory/on-sale.ts'
import type { Fragment, Queryable, Transaction } from '../../platform/postgres/database.ts'
import { isTracing, traceContext } from '../../platform/tracing/tracing.ts'
import { isNotifiedByReseller } from '../emails/reseller-queries.ts'
import { type FollowedTrigger, followedTriggers, type Trigger } from '../emails/triggers.ts'

/**
 * Lists the active workflows to sweep, without those for moves and changed parties, whose e-mails are queued
 * by events. The workflows of an account come in random order, so that a slow workflow does not always delay
 * the same other workflows.
 */
export function listActiveWorkflows(sql: Queryable) {
  return sql<{ accountId: number; id: number }[]>`
    select account_id as "accountId", id from workflows
    where active and trigger <> all(${[...followedTriggers]}::text[]) order by account_id, random()`
}

type SweptTrigger = Exclude<Trigger, FollowedTrigger>

/** Instants are text, which keeps their microseconds. */
export type Sweep = {
  accountId: number
  id: number
  trigger: SweptTrigger
  offsetMinutes: number
  productId: number | null
  armedAt: string
  /**
   * The sweep searches for bookings that became due from `since` to `now`. Bookings that became due before were
   * processed by earlier sweeps, or get no e-mail.
   */
  since: string
  now: string
  /** The events numbered since the last sweep: above `sinceNumber`, up to and including `nowNumber`. */
  sinceNumber: number
  nowNumber: number
}

/**
 * Locks an active workflow, and records that it is swept up to now. Null if it is not active, or if another process has
 * locked it. Each sweep searches the last hour again, because a booking gets its time when its transaction begins, not
 * at the commit.
 */
export async function lockSweep(tx: Transaction, accountId: number, id: number): Promise<Sweep | null> {
  const [sweep] = await tx<Sweep[]>`
    with locked as (
      select *, greatest(armed_at, swept_until - interval '1 hour') as since
      from workflows where account_id = ${accountId} and id = ${id} and active
        and trigger <> all(${[...followedTriggers]}::text[])
      for no key update skip locked
    )
    update workflows set swept_until = app_now(),
      swept_number = coalesce((select last_number from event_counters where account_id = ${accountId}), 0)
    from locked
    where workflows.account_id = locked.account_id and workflows.id = locked.id
    returning workflows.account_id as "accountId", workflows.id, locked.trigger,
      locked.offset_minutes as "offsetMinutes", locked.product_id as "productId",
      locked.armed_at::text as "armedAt", locked.since::text as since, app_now()::text as now,
      locked.swept_number as "sinceNumber", workflows.swept_number as "nowNumber"`
  return sweep ?? null
}

/**
 * Queues an e-mail for each booking that is due and has had no e-mail of this workflow; returns how many. It
 * skips bookings whose reseller notifies its customers itself. It also skips erased customers, because their
 * erased data no longer shows which e-mails they got.
 */
export async function insertDueEmails(tx: Transaction, sweep: Sweep): Promise<number> {
  const { accountId, id } = sweep
  const { count } = await tx`
    with run as (
      insert into workflow_runs (account_id, workflow_id, booking_id)
      select ${accountId}, ${id}, due.id from (${due[sweep.trigger](tx, sweep)}) as due
      where not exists (
        select from bookings where account_id = ${accountId} and bookings.id = due.id and erasure_id is not null
      )
      and not ${isNotifiedByReseller(tx, { accountId, id: tx`due.id` })}
      order by due.id
      on conflict do nothing
      returning booking_id
    )
    insert into emails (account_id, kind, workflow_id, booking_id, trace_context)
    select ${accountId}, 'workflow', ${id}, booking_id, ${causeOf(tx, sweep)} from run order by booking_id`
  return count
}

/** The event that makes a booking due for a trigger. `before-start` and `after-end` depend on times, not on events. */
const followed: Partial<Record<SweptTrigger, EventType>> = {
  'booking-confirmed': 'booking.confirmed',
  'booking-cancelled': 'booking.cancelled',
}

/**
 * The trace of the event that made the booking of `run` due; for triggers without an event, the active trace.
 */
function causeOf(sql: Queryable, { accountId, trigger }: Sweep): Fragment {
  const type = followed[trigger]
  if (!type || !isTracing()) return sql`${traceContext()}::text`
  return sql`(
      select trace_context from events
      where account_id = ${accountId} and events.booking_id = run.booking_id and type = ${type}
      order by events.id desc limit 1
    )`
}

type SweepFragment = PendingQuery<Row[]>

const due: Record<SweptTrigger, (sql: Queryable, sweep: Sweep) => SweepFragment> = {
  'booking-confirmed': (sql, sweep) => sql`
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'confirmed'
      and confirmed_at between ${earlier(sql, sweep, sweep.since)} and ${earlier(sql, sweep, sweep.now)}`,

  // Leaves out bookings that were only held, and bookings that a closure cancelled, because closures have their own
  // e-mails.
  'booking-cancelled': (sql, sweep) => sql`
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'cancelled'
      and cancelled_at between ${earlier(sql, sweep, sweep.since)} and ${earlier(sql, sweep, sweep.now)}
      and cancel_reason <> 'closure' and confirmed_at is not null
      and not exists (
        select from events as change
        where change.account_id = bookings.account_id and change.booking_id = bookings.id
          and change.type = 'booking.cancelled' and change.details -> 'TellCustomer' = 'false'
      )`,

  // For timeslots whose reminder became due, and for bookings that were moved to a timeslot whose reminder is
  // due. Customers who book after the reminder was due get only the confirmation.
  'before-start': (sql, sweep) => sql`
    select bookings.id
    from ${slotsWhose(sql, sweep, startsBetween(sql, later(sql, sweep, sweep.since), later(sql, sweep, sweep.now)))}
    join bookings on bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
    where bookings.status = 'confirmed' and slot.starts_at > ${at(sql, sweep.now)}
      and ${confirmedBeforeDue(sql, sweep)}
    union
    select bookings.id
    from events as change
    join bookings on bookings.account_id = change.account_id and bookings.id = change.booking_id
    ${onSlots(sql, sweep)}
    where change.account_id = ${sweep.accountId} and change.type = 'booking.moved'
      and change.number > ${sweep.sinceNumber} and change.number <= ${sweep.nowNumber}
      and bookings.status = 'confirmed' and ${isReminderDue(sql, sweep)}
      and starts_at >= ${later(sql, sweep, sweep.armedAt)} and ${confirmedBeforeDue(sql, sweep)}`,

  'after-end': (sql, sweep) => sql`
    select bookings.id
    from ${slotsWhose(sql, sweep, endsBetween(sql, earlier(sql, sweep, sweep.since), earlier(sql, sweep, sweep.now)))}
    join bookings on bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
    where bookings.status = 'confirmed' and attendance is distinct from 'no-show'`,
}

/** Bound as text, because bound as an instant it would lose its microseconds. */
function at(sql: Queryable, instant: string) {
  return sql`${instant}::text::timestamptz`
}

function earlier(sql: Queryable, { offsetMinutes }: Sweep, instant: string) {
  return sql`${at(sql, instant)} - ${offsetMinutes} * interval '1 minute'`
}

function later(sql: Queryable, { offsetMinutes }: Sweep, instant: string) {
  return sql`${at(sql, instant)} + ${offsetMinutes} * interval '1 minute'`
}

/** Whether a booking was confirmed before its reminder was due. */
function confirmedBeforeDue(sql: Queryable, { offsetMinutes }: Sweep) {
  return sql`bookings.confirmed_at <= starts_at - ${offsetMinutes} * interval '1 minute'`
}

function ofProduct(sql: Queryable, sweep: Sweep) {
  return sweep.productId === null ? sql`` : onSlots(sql, sweep)
}

function onSlots(sql: Queryable, { productId }: Sweep) {
  return sql`
    join timeslots on timeslots.account_id = bookings.account_id and timeslots.id = bookings.timeslot_id
      ${productId === null ? sql`` : sql`and timeslots.product_id = ${productId}`}`
}

/**
 * The timeslots that meet a condition, as `slot`. The index begins with the product and the date, and the
 * condition limits the date, so PostgreSQL searches product by product; `offset 0` ensures that.
 */
function slotsWhose(sql: Queryable, { accountId, productId }: Sweep, condition: SweepFragment) {
  return sql`(
      select id, account_id, time_zone, duration_minutes from products
      where account_id = ${accountId} ${productId === null ? sql`` : sql`and id = ${productId}`}
    ) as products
    cross join lateral (
      select * from timeslots as slot
      where slot.account_id = products.account_id and slot.product_id = products.id and ${condition}
      offset 0
    ) as slot`
}

function startsBetween(sql: Queryable, from: SweepFragment, to: SweepFragment) {
  return sql`date between ${localDate(sql, from)} and ${localDate(sql, to)} and starts_at between ${from} and ${to}`
}

/**
 * Whether a timeslot ends between two instants. The index needs a range of dates. It begins with the earliest
 * date on which a timeslot that ends in this time can start: an all-day timeslot lasts at most 25 hours.
 */
function endsBetween(sql: Queryable, from: SweepFragment, to: SweepFragment) {
  const lasting = sql`${from} - greatest(duration_minutes, 1500) * interval '1 minute'`
  return sql`date between ${localDate(sql, lasting)} and ${localDate(sql, to)} and ${endsAt(sql)} between ${from} and ${to}`
}

function localDate(sql: Queryable, instant: SweepFragment) {
  return sql`((${instant}) at time zone time_zone)::date`
}

/** Whether the reminder of a timeslot is due, and the timeslot has not begun. */
function isReminderDue(sql: Queryable, sweep: Sweep) {
  return sql`starts_at > ${at(sql, sweep.now)} and starts_at <= ${later(sql, sweep, sweep.now)}`
}
