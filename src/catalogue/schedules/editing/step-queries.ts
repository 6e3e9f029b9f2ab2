/**
 * The SQL of steps: it saves how far the timeslots of a schedule are updated, and finds where the next step
 * ends.
 */
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { isReleased } from '../../timeslots/service.ts'
import { today } from '../timeslot-queries.ts'

export type ScheduleProgress = {
  /** The first date whose timeslots are not updated yet; null if all timeslots are updated. */
  from: string | null
  /** Whether to delete the schedule when no timeslot belongs to it. */
  ending: boolean
}

type ScheduleKey = { id: number; productId: number }

/**
 * Sets the progress of a schedule to its beginning, so that steps update all its timeslots that have not
 * begun. A schedule that was ending no longer ends.
 */
export async function markToFollow(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update schedules set follow_from = (app_now() at time zone 'UTC')::date - 1, followed_at = app_now(), ending = false
    where account_id = ${accountId} and id = ${id}`
}

/**
 * Sets the progress of a schedule to its beginning, as markToFollow(), but marks the schedule as ending. Its
 * pattern then ends yesterday at the latest, so that the schedule makes no more timeslots.
 */
export async function markEnding(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update schedules set follow_from = (app_now() at time zone 'UTC')::date - 1, followed_at = app_now(), ending = true,
      from_date = least(from_date, ${today(tx)} - 1), to_date = least(to_date, ${today(tx)} - 1)
    from products
    where schedules.account_id = ${accountId} and schedules.id = ${id}
      and products.account_id = schedules.account_id and products.id = schedules.product_id`
}

/** Reads the progress of a schedule. Null if there is no such schedule. */
export async function findProgress(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<ScheduleProgress | null> {
  const [progress] = await sql<ScheduleProgress[]>`
    select follow_from as from, ending from schedules where account_id = ${accountId} and id = ${id}`
  return progress ?? null
}

export async function saveProgress(
  tx: Transaction,
  accountId: number,
  id: number,
  from: string | null,
): Promise<void> {
  await tx`
    update schedules set follow_from = ${from}, followed_at = app_now()
    where account_id = ${accountId} and id = ${id}`
}

/**
 * The last date of a step that begins on the date `from` and updates or makes about `size` timeslots. Null if
 * the step can process all remaining timeslots up to the horizon.
 */
export async function findStepEnd(
  sql: Queryable,
  accountId: number,
  { id, productId, from }: ScheduleKey & { from: string },
  { size, horizonDays }: { size: number; horizonDays: number },
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    select min(last)::text as last from (
      (
        select date as last from timeslots as slot
        where account_id = ${accountId} and product_id = ${productId}
          and date >= ${from}::date and starts_at > (select app_now())
          and (schedule_id = ${id} or (${isReleased(sql)}))
        order by date offset ${size - 1} limit 1
      )
      union all
      select made.last
      from schedules join products
        on products.account_id = schedules.account_id and products.id = schedules.product_id
      cross join lateral (
        select greatest(${from}::date, from_date, ${today(sql)})
          + greatest(${size}::integer / cardinality(times), 1) - 1 as last
      ) as made
      where schedules.account_id = ${accountId} and schedules.id = ${id}
        and made.last < least(to_date, ${today(sql)} + ${horizonDays}::integer)
    ) as ends where last < '9999-12-31'`
  return row!.last
}

/** Detaches at most `limit` timeslots from an ending schedule; returns how many. The timeslots stay. */
export async function detachTimeslots(
  tx: Transaction,
  accountId: number,
  id: number,
  limit: number,
): Promise<number> {
  const { count } = await tx`
    with chosen as (
      select id from timeslots
      where account_id = ${accountId} and schedule_id = ${id}
      order by id limit ${limit}
      for update
    )
    update timeslots set schedule_id = null
    from chosen where timeslots.account_id = ${accountId} and timeslots.id = chosen.id`
  return count
}

/** Schedules that have remaining steps, and whose last step was taken more than a minute ago. */
export function listUnfollowed(sql: Queryable) {
  return sql<(ScheduleKey & { accountId: number })[]>`
    select account_id as "accountId", id, product_id as "productId" from schedules
    where (follow_from is not null or ending) and followed_at < app_now() - interval '1 minute'
    order by account_id, id`
}
