/**
 * The SQL that finds what a workflow has become due for. Each query reads an index over the time since the last
 * sweep, not the bookings of ever.
 */
import type { PendingQuery, Row } from 'postgres'
import type { Queryable, Transaction } from '../platform/database.ts'
import type { Trigger } from './model.ts'

export function listActiveWorkflows(sql: Queryable) {
  return sql<{ accountId: number; id: number }[]>`
    select account_id as "accountId", id from workflows where active order by account_id, id`
}

/** Instants are text, so that none of their microseconds is lost. */
export type Sweep = {
  accountId: number
  id: number
  trigger: Trigger
  offsetMinutes: number
  productId: number | null
  armedAt: string
  /** What became due before this has been dealt with. */
  since: string
  now: string
}

/**
 * Locks an active workflow to sweep it, and notes that it is swept until now; null when it is none, or somebody
 * else has it. A transaction may commit an hour after it began and still be seen.
 */
export async function lockSweep(tx: Transaction, accountId: number, id: number): Promise<Sweep | null> {
  const [sweep] = await tx<Sweep[]>`
    with locked as (
      select *, greatest(armed_at, swept_until - interval '1 hour') as since
      from workflows where account_id = ${accountId} and id = ${id} and active
      for no key update skip locked
    )
    update workflows set swept_until = app_now()
    from locked
    where workflows.account_id = locked.account_id and workflows.id = locked.id
    returning workflows.account_id as "accountId", workflows.id, locked.trigger,
      locked.offset_minutes as "offsetMinutes", locked.product_id as "productId",
      locked.armed_at::text as "armedAt", locked.since::text as since, app_now()::text as now`
  return sweep ?? null
}

/** Leaves an e-mail for each booking that is due and has had none of this workflow; gives how many. */
export async function insertDueEmails(tx: Transaction, sweep: Sweep): Promise<number> {
  const { accountId, id } = sweep
  const { count } = await tx`
    with run as (
      insert into workflow_runs (account_id, workflow_id, booking_id)
      select ${accountId}, ${id}, due.id from (${due[sweep.trigger](tx, sweep)}) as due order by due.id
      on conflict do nothing
      returning booking_id
    )
    insert into emails (account_id, kind, workflow_id, booking_id)
    select ${accountId}, 'workflow', ${id}, booking_id from run order by booking_id`
  return count
}

type Fragment = PendingQuery<Row[]>

const due: Record<Trigger, (sql: Queryable, sweep: Sweep) => Fragment> = {
  'booking-confirmed': (sql, sweep) => sql`
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'confirmed' and confirmed_at is null
      and created_at between ${earlier(sql, sweep, sweep.since)} and ${earlier(sql, sweep, sweep.now)}
    union
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'confirmed'
      and confirmed_at between ${earlier(sql, sweep, sweep.since)} and ${earlier(sql, sweep, sweep.now)}`,

  // Not of what was only held; and a closure tells its customers itself.
  'booking-cancelled': (sql, sweep) => sql`
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'cancelled'
      and cancelled_at between ${earlier(sql, sweep, sweep.since)} and ${earlier(sql, sweep, sweep.now)}
      and cancel_reason <> 'closure'
      and (channel = 'partner' or confirmed_at is not null or exists (
        select from booking_changes as change where change.account_id = bookings.account_id
          and change.booking_id = bookings.id and change.action = 'confirmed'))`,

  // Of slots whose time has come; of bookings made after that; and of bookings moved to such a slot.
  'before-start': (sql, sweep) => sql`
    select bookings.id
    from products
    join timeslots on timeslots.account_id = products.account_id and timeslots.product_id = products.id
    join bookings on bookings.account_id = timeslots.account_id and bookings.timeslot_id = timeslots.id
    where ${theProducts(sql, sweep)} and bookings.status = 'confirmed'
      and ${startsBetween(sql, later(sql, sweep, sweep.since), later(sql, sweep, sweep.now))}
      and starts_at > ${sweep.now}::timestamptz
    union
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'confirmed' and confirmed_at is null
      and created_at >= ${sweep.since}::timestamptz and ${startsSoon(sql, sweep)}
    union
    select bookings.id from bookings ${ofProduct(sql, sweep)}
    where bookings.account_id = ${sweep.accountId} and bookings.status = 'confirmed'
      and confirmed_at >= ${sweep.since}::timestamptz and ${startsSoon(sql, sweep)}
    union
    select bookings.id
    from booking_changes as change
    join bookings on bookings.account_id = change.account_id and bookings.id = change.booking_id
    ${ofProduct(sql, sweep)}
    where change.account_id = ${sweep.accountId} and change.made_at >= ${sweep.since}::timestamptz
      and bookings.status = 'confirmed' and ${startsSoon(sql, sweep)}
      and (starts_at >= ${later(sql, sweep, sweep.armedAt)}
        or coalesce(confirmed_at, bookings.created_at) >= ${sweep.armedAt}::timestamptz)`,

  'after-end': (sql, sweep) => {
    const start = (instant: string) =>
      sql`${earlier(sql, sweep, instant)} - duration_minutes * interval '1 minute'`
    return sql`
      select bookings.id
      from products
      join timeslots on timeslots.account_id = products.account_id and timeslots.product_id = products.id
      join bookings on bookings.account_id = timeslots.account_id and bookings.timeslot_id = timeslots.id
      where ${theProducts(sql, sweep)} and bookings.status = 'confirmed'
        and attendance is distinct from 'no-show'
        and ${startsBetween(sql, start(sweep.since), start(sweep.now))}`
  },
}

function earlier(sql: Queryable, { offsetMinutes }: Sweep, instant: string) {
  return sql`${instant}::timestamptz - ${offsetMinutes} * interval '1 minute'`
}

function later(sql: Queryable, { offsetMinutes }: Sweep, instant: string) {
  return sql`${instant}::timestamptz + ${offsetMinutes} * interval '1 minute'`
}

function ofProduct(sql: Queryable, { productId }: Sweep) {
  return sql`
    join timeslots on timeslots.account_id = bookings.account_id and timeslots.id = bookings.timeslot_id
      ${productId === null ? sql`` : sql`and timeslots.product_id = ${productId}`}`
}

function theProducts(sql: Queryable, { accountId, productId }: Sweep) {
  return sql`products.account_id = ${accountId} ${productId === null ? sql`` : sql`and products.id = ${productId}`}`
}

/** By date as well, which timeslots of a product are found by: it is what the local clock shows then. */
function startsBetween(sql: Queryable, from: Fragment, to: Fragment) {
  return sql`starts_at between ${from} and ${to}
    and date between ((${from}) at time zone time_zone)::date and ((${to}) at time zone time_zone)::date`
}

/** Whether the time has come for a slot that has not begun. */
function startsSoon(sql: Queryable, sweep: Sweep) {
  return sql`starts_at > ${sweep.now}::timestamptz and starts_at <= ${later(sql, sweep, sweep.now)}`
}
