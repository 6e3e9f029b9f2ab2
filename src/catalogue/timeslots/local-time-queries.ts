/** SQL that converts given local times to instants, and finds local times that a clock change skips. */
import type { Transaction } from '../../platform/postgres/database.ts'

export type LocalTime = { date: string; time: string; timeZone: string }

/**
 * The instant of each local time, as text and in the order of `times`; null if a clock change skips the local
 * time.
 */
export async function listInstants(tx: Transaction, times: LocalTime[]): Promise<(string | null)[]> {
  const rows = await tx<{ instant: string | null }[]>`
    select local_instant(date + time, zone)::text as instant
    from unnest(
      ${times.map(({ date }) => date)}::date[],
      ${times.map(({ time }) => time)}::time[],
      ${times.map(({ timeZone }) => timeZone)}::text[]
    ) with ordinality as given (date, time, zone, place)
    order by place`
  return rows.map(({ instant }) => instant)
}

/** For each product, the first of its timeslots whose local time does not exist in the new time zone. */
export function listStrandedTimeslots(
  tx: Transaction,
  accountId: number,
  moves: { id: number; timeZone: string }[],
): Promise<{ id: number; date: string; time: string }[]> {
  return tx<{ id: number; date: string; time: string }[]>`
    select distinct on (slot.product_id) slot.product_id as id, slot.date, slot.time
    from unnest(
      ${moves.map(({ id }) => id)}::bigint[], ${moves.map(({ timeZone }) => timeZone)}::text[]
    ) as moved (product_id, zone)
    join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = moved.product_id
    where local_instant(slot.date + slot.time, moved.zone) is null
    order by slot.product_id, slot.date, slot.time`
}
