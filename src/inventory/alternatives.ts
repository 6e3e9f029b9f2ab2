/** Finds alternatives to a timeslot that has too few places, and makes the Problem that lists them. */
import { type Alternative, alternativesSearch, type Problem, problems } from '../http/problems.ts'
import type { Queryable } from '../platform/postgres/database.ts'
import type { SlotName } from './lock-queries.ts'
import { freePlaces, isOnSale } from './on-sale.ts'

/**
 * A request that was refused. `whole`: whether the request needs a timeslot that has no bookings and no
 * holds.
 */
export type RefusedRequest = SlotName & { places: number; whole: boolean }

/**
 * For each refused request, in order: the next timeslots of the same product that would fit, at most five,
 * after the requested date and time and within the limits of alternativesSearch. Null if the account has no
 * such product or, with `shopfrontOnly`, if the product is not in the shopfront. Equal requests are searched
 * once.
 */
export async function listAlternatives(
  sql: Queryable,
  refused: RefusedRequest[],
  shopfrontOnly: boolean,
): Promise<{ alternatives: Alternative[] | null }[]> {
  const distinct = [...new Map(refused.map((request) => [nameOf(request), request])).values()]
  const rows = await sql<{ place: number; alternatives: Alternative[] }[]>`
    select asked.place, coalesce(found.alternatives, '[]') as alternatives
    from unnest(
      ${distinct.map((_, index) => index)}::integer[],
      ${distinct.map((request) => request.accountId)}::bigint[],
      ${distinct.map((request) => request.activity)}::uuid[],
      ${distinct.map((request) => request.date)}::date[],
      ${distinct.map((request) => request.time)}::time[],
      ${distinct.map((request) => request.places)}::integer[],
      ${distinct.map((request) => String(request.whole))}::text[]::boolean[]
    ) as asked (place, account_id, activity, date, time, places, whole)
    join products on products.account_id = asked.account_id
      and products.activity_id = asked.activity
      ${shopfrontOnly ? sql`and products.in_shopfront` : sql``}
    cross join lateral (
      -- The earliest day that may be on sale: an all-day timeslot may close on the day after its date.
      select greatest(asked.date, earliest) as first_day,
        case when asked.date < earliest then '00:00' else asked.time end as first_time
      from (
        select (((select app_now()) + products.booking_cutoff_minutes * interval '1 minute')
          at time zone products.time_zone)::date - 1 as earliest
      ) as clock
    ) as search
    cross join lateral (
      select json_agg(json_build_object(
        'Date', to_char(date, 'YYYY-MM-DD'), 'Time', to_char(time, 'HH24:MI'), 'Available', free
      ) order by date, time) as alternatives
      from (
        select slot.date, slot.time, ${freePlaces(sql)} as free
        -- With the product in the condition and in the order, PostgreSQL uses the index on (account_id, product_id, date, time), and not timeslots_by_date. So it reads no timeslot of another product.
        from (
          select product_id, date, time, starts_at, closes_at, status, capacity, booked, held from timeslots
          where account_id = products.account_id
            and (product_id, date, time) >= (products.id, first_day, first_time)
            and (product_id, date, time) < (products.id, first_day + ${alternativesSearch.days}::integer, time '00:00')
            and (date, time) > (asked.date, asked.time)
          order by product_id, date, time
          limit ${alternativesSearch.timeslots}
        ) as slot
        where ${isOnSale(sql)} and ${freePlaces(sql)} >= asked.places
          and (slot.booked + slot.held = 0 or not asked.whole)
        order by slot.product_id, slot.date, slot.time
        limit 5
      ) as next_slots
    ) as found`
  const found = new Map(rows.map(({ place, alternatives }) => [nameOf(distinct[place]!), alternatives]))
  return refused.map((request) => ({ alternatives: found.get(nameOf(request)) ?? null }))
}

function nameOf({ accountId, activity, date, time, places, whole }: RefusedRequest): string {
  return [accountId, activity, date, time, places, whole].join(' ')
}

/** The reason for a refusal. `available` is the number of free places; 0 if the timeslot is not on sale. */
export type Refusal = { onSale: boolean; available: number }

/**
 * The Problem for a refusal.
 * @param line the index of the refused line, if the request has several lines.
 */
export function refusalProblem(
  { onSale, available }: Refusal,
  alternatives: Alternative[],
  line?: number,
): Problem {
  return onSale
    ? problems.insufficientCapacity(available, alternatives, line)
    : problems.timeslotUnavailable(alternatives, line)
}

/**
 * Thrown to roll back a transaction that cannot get the places it needs. withAlternatives() makes the Problem
 * from it.
 */
export class PlacesRefused extends Error {
  readonly asked: RefusedRequest
  readonly refusal: Refusal
  /** The index of the refused line, if the request has several lines. */
  readonly line: number | undefined

  constructor(asked: RefusedRequest, refusal: Refusal, line?: number) {
    super('the places are not available')
    this.asked = asked
    this.refusal = refusal
    this.line = line
  }
}

/**
 * Runs a use case. If the use case throws PlacesRefused, this function throws a Problem with the next
 * timeslots that would fit. It searches for these timeslots after the rollback, when nothing is locked.
 * @param namesLine whether the problem names the line, for requests with `Lines`.
 */
export async function withAlternatives<T>(
  sql: Queryable,
  useCase: () => Promise<T>,
  { shopfrontOnly = false, namesLine = true } = {},
): Promise<T> {
  try {
    return await useCase()
  } catch (error) {
    if (!(error instanceof PlacesRefused)) throw error
    const [found] = await listAlternatives(sql, [error.asked], shopfrontOnly)
    const line = namesLine ? error.line : undefined
    throw refusalProblem(error.refusal, found?.alternatives ?? [], line)
  }
}
