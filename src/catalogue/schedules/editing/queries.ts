/**
 * The SQL for changing one schedule: it saves the schedule, lists existing and missing timeslots at its dates
 * and times, and changes its timeslots.
 */
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../../opening-hours.ts'
import type { TimeslotChange, TimeslotPlace } from '../../timeslots/events.ts'
import { hoursToJsonb, isReleased, returningChange } from '../../timeslots/service.ts'
import { toJsonb } from '../../units/own-price-queries.ts'
import type { OwnPrices } from '../../units/own-prices.ts'
import type { Pattern } from '../model.ts'
import { columns, type ScheduleRow } from '../queries.ts'
import {
  allDates,
  type DateSpan,
  earliest,
  isInPattern,
  missing,
  type TimeslotSummary,
  toTimeslotSummary,
} from '../timeslot-queries.ts'
import type { Effects, ExistingTimeslot } from './effects.ts'

/** A schedule after a change; `pattern` is null for one that ends. */
export type ScheduleDraft = { id: number; productId: number; pattern: DraftPattern | null }
export type DraftPattern = Pattern & {
  capacity: number
  openingHours: OpeningPeriod[] | null
  closedDates: string[]
}

/** The draft as a row of `schedules`; no row for a schedule that ends. */
function draftRow(sql: Queryable, { id, productId, pattern }: ScheduleDraft) {
  const { from, to, weekdays, times, capacity, openingHours, closedDates } = pattern ?? noPattern
  return sql`(
    select ${productId}::bigint as product_id, ${id}::bigint as id, ${from}::date as from_date,
      ${to}::date as to_date, ${weekdays}::smallint[] as weekdays, ${times}::time[] as times,
      ${capacity}::integer as capacity, ${hoursToJsonb(sql, openingHours)} as opening_hours,
      ${closedDates}::date[] as closed_dates
    where ${pattern !== null}
  )`
}

const noPattern = {
  ...{ from: null, to: null, weekdays: [], times: [] },
  ...{ capacity: null, openingHours: null, closedDates: [] },
}

/**
 * The timeslots of the product that have not begun, and that belong to the schedule, were released
 * (isReleased()), or have a date and time of the draft. Ordered by date and time.
 */
export function listExistingTimeslots(
  sql: Queryable,
  accountId: number,
  draft: ScheduleDraft,
  span: DateSpan = allDates,
): Promise<ExistingTimeslot[]> {
  const { id, productId } = draft
  return sql<ExistingTimeslot[]>`
    with draft as materialized (select * from ${draftRow(sql, draft)} as given), pattern as materialized (
      select * from draft
      union all
      select product_id, id, from_date, to_date, weekdays, times, capacity, opening_hours, closed_dates from schedules
      where account_id = ${accountId} and product_id = ${productId} and id <> ${id}
    )
    select slot.id, slot.date, slot.time, slot.capacity, slot.status = 'open' as "isOpen",
      slot.schedule_id is not distinct from ${id} as "isOwn", (${isReleased(sql)}) as "isReleased",
      case when edited then 'edited' when booked > 0 then 'booked' when held > 0 then 'held'
        when exists (
          select from waitlist_entries as entry
          where entry.account_id = slot.account_id and entry.timeslot_id = slot.id and entry.status = 'waiting'
        ) then 'waiting' end as touched,
      exists (
        select from bookings where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
      ) as "hasBookings",
      heir.id as "heirId", heir.capacity as "heirCapacity",
      slot.opening_hours is not distinct from heir.opening_hours as "hasHoursOfHeir"
    from timeslots as slot
    left join lateral (
      select pattern.id, pattern.capacity, pattern.opening_hours from pattern where ${isInPattern(sql, sql`pattern`)}
      order by pattern.id = slot.schedule_id desc nulls last, pattern.id
      limit 1
    ) as heir on true
    where slot.account_id = ${accountId} and slot.product_id = ${productId}
      and slot.date between ${span.from}::date and ${span.to}::date
      and slot.date >= (app_now() at time zone 'UTC')::date - 1 and slot.starts_at > (select app_now())
      and (
        slot.schedule_id = ${id} or (${isReleased(sql)})
        or exists (select from draft where ${isInPattern(sql, sql`draft`)})
      )
    order by slot.date, slot.time`
}

/**
 * The ids of the timeslots of listExistingTimeslots() that a change may write: those of the schedule, and
 * released ones. The caller locks them before it calls listExistingTimeslots().
 */
export async function listTouchableIds(
  sql: Queryable,
  accountId: number,
  { id, productId }: { id: number; productId: number },
  span: DateSpan = allDates,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from timeslots as slot
    where account_id = ${accountId} and product_id = ${productId}
      and date between ${span.from}::date and ${span.to}::date
      and date >= (app_now() at time zone 'UTC')::date - 1 and starts_at > (select app_now())
      and (schedule_id = ${id} or (${isReleased(sql)}))`
  return rows.map((row) => row.id)
}

/**
 * The dates and times of the draft, up to the horizon, that have no timeslot: their number, and the earliest
 * `named` of them.
 */
export async function listMissing(
  sql: Queryable,
  accountId: number,
  draft: ScheduleDraft,
  { horizonDays, named }: { horizonDays: number; named: number },
): Promise<TimeslotSummary> {
  const rows = missing(sql, accountId, draftRow(sql, draft), horizonDays)
  return toTimeslotSummary(await sql`${earliest(sql, rows, named)}`)
}

/**
 * Writes the result of decideEffects() to locked timeslots. In the returned object, `changed` includes the
 * timeslots that were closed.
 */
export async function writeEffects(
  tx: Transaction,
  accountId: number,
  { changed, removed, closed }: Effects,
): Promise<{ removed: TimeslotPlace[]; changed: TimeslotChange[] }> {
  const ids = (places: { id: number }[]) => places.map(({ id }) => id)
  const gone = await tx<TimeslotPlace[]>`
    delete from timeslots where account_id = ${accountId} and id = any(${ids(removed)}::bigint[])
    returning id, product_id as "productId", date, time`
  const shut = await tx<TimeslotChange[]>`
    update timeslots set status = 'closed', schedule_id = null
    from timeslots as was
    where was.account_id = ${accountId} and was.id = any(${ids(closed)}::bigint[])
      and timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
  const adapted = await tx<TimeslotChange[]>`
    update timeslots set schedule_id = becomes.schedule_id, capacity = becomes.capacity, status = 'open',
      opening_hours = schedules.opening_hours,
      closes_at = last_closing(was.date, schedules.opening_hours, products.time_zone)
    from unnest(
      ${ids(changed)}::bigint[],
      ${changed.map(({ scheduleId }) => scheduleId)}::bigint[],
      ${changed.map(({ capacity }) => capacity)}::integer[]
    ) as becomes (id, schedule_id, capacity)
    join timeslots as was on was.account_id = ${accountId} and was.id = becomes.id
    join schedules on schedules.account_id = was.account_id and schedules.id = becomes.schedule_id
    join products on products.account_id = was.account_id and products.id = was.product_id
    where timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
  return { removed: gone, changed: [...shut, ...adapted] }
}

/** Adds a schedule if `id` is null, otherwise updates it. Returns its id. */
export async function saveSchedule(
  tx: Transaction,
  accountId: number,
  {
    id,
    productId,
    pattern,
    unitPrices,
  }: { id: number | null; productId: number; pattern: DraftPattern; unitPrices: OwnPrices },
): Promise<number> {
  const { from, to, weekdays, times, capacity, openingHours, closedDates } = pattern
  const hours = hoursToJsonb(tx, openingHours)
  const prices = toJsonb(tx, unitPrices)
  if (id === null) {
    const [made] = await tx<{ id: number }[]>`
      insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity,
        opening_hours, closed_dates, unit_prices)
      values (${accountId}, ${productId}, ${from}, ${to}, ${weekdays}::smallint[], ${times}::time[],
        ${capacity}, ${hours}, ${closedDates}::date[], ${prices})
      returning id`
    return made!.id
  }
  await tx`
    update schedules set from_date = ${from}, to_date = ${to}, weekdays = ${weekdays}::smallint[],
      times = ${times}::time[], capacity = ${capacity}, opening_hours = ${hours},
      closed_dates = ${closedDates}::date[], unit_prices = ${prices}
    where account_id = ${accountId} and id = ${id}`
  return id
}

export async function findSchedule(
  sql: Queryable,
  accountId: number,
  { id, productId }: { id: number; productId: number },
): Promise<ScheduleRow | null> {
  const [schedule] = await sql<ScheduleRow[]>`
    select ${columns(sql)} from schedules
    where account_id = ${accountId} and product_id = ${productId} and id = ${id}`
  return schedule ?? null
}

/** Another schedule of the product with the same pattern, with any capacity. */
export async function findSamePattern(
  sql: Queryable,
  accountId: number,
  { id, productId, pattern }: { id: number | null; productId: number; pattern: Pattern },
): Promise<{ id: number } | null> {
  const { from, to, weekdays, times } = pattern
  const [twin] = await sql<{ id: number }[]>`
    select id from schedules
    where account_id = ${accountId} and product_id = ${productId} and id <> ${id ?? 0}
      and (from_date, to_date, weekdays, times)
        = (${from}::date, ${to}::date, ${weekdays}::smallint[], ${times}::time[])`
  return twin ?? null
}
