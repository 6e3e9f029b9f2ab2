/** Use cases of reading and correcting metered usage: summaries, lists of entries, voids. */
import type { Caller } from '../../accounts/service.ts'
import { readPage } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import { tryAgain } from '../../platform/async/try-again.ts'
import { isRetryable, type Sql } from '../../platform/postgres/database.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { readCursor } from '../../platform/text/cursor.ts'
import { type Position, rangeErrors } from '../model.ts'
import type { EntriesQuery, Summary, SummaryQuery } from '../schemas.ts'
import type { AwaitStored, Pending } from './pending.ts'
import { findEntry, isRejected, listEntries, type UsageEntryRow, voidEntry } from './queries.ts'
import { sumUsage, type TotalRow } from './summary-queries.ts'

/** Where to read from, and how to wait for what is on its way there. */
export type Reading = { sql: Sql; awaitStored: AwaitStored }

/**
 * Sums of every entry that was acknowledged, and every event of a built-in meter that was committed, before the call, as
 * far as 2 seconds of waiting suffice. `pending` says how many of the account's entries are not counted, those
 * that the database refuses included, or `unknown`.
 * @throws Problem validation when the range ends before it begins.
 */
export async function summarize(
  { sql, awaitStored }: Reading,
  { accountId, timeZone }: Pick<Caller, 'accountId' | 'timeZone'>,
  { from, to, meter, granularity }: SummaryQuery,
): Promise<{ summary: Summary; pending: string }> {
  checkRange(from, to)
  const pending = await awaitStored(accountId)
  const rows = await sumUsage(sql, {
    accountId,
    timeZone,
    from,
    to,
    meters: trimmed(meter),
    byDay: granularity === 'day',
    pendingIds: pending?.ids ?? [],
  })
  const everything = rows.find((row) => row.meter === null)!
  const { fromSecond, toSecond } = everything
  return {
    summary: {
      Period: { From: from, To: to, FromTimestamp: fromSecond, ToTimestamp: toSecond },
      Totals: { Usage: Number(everything.total), Events: everything.events },
      Meters: listMeters(rows, granularity === 'day'),
    },
    pending: pending ? String(everything.uncounted) : 'unknown',
  }
}

function listMeters(rows: TotalRow[], byDay: boolean): Summary['Meters'] {
  const counted = rows.filter(({ events }) => events > 0)
  const days = new Map<string, DayTotal[]>()
  for (const { meter, day, total, events } of counted) {
    if (meter === null || day === null) continue
    days.set(meter, [...(days.get(meter) ?? []), { Day: day, TotalUsage: Number(total), EventCount: events }])
  }
  const inOrder = (meter: string) => days.get(meter)?.sort((one, other) => (one.Day < other.Day ? -1 : 1))
  return counted.flatMap(({ meter, day, total, events }) => {
    if (meter === null || day !== null) return []
    const sums = { Meter: meter, TotalUsage: Number(total), EventCount: events }
    return [byDay ? { ...sums, Days: inOrder(meter) } : sums]
  })
}

type DayTotal = { Day: string; TotalUsage: number; EventCount: number }

// A person has to look first.
const parkedSeconds = 3600

/**
 * Stored entries of a range of days, by day, meter and ID. `next` is where the list goes on, if it does.
 * @throws Problem validation for a range or a cursor that makes no sense.
 */
export async function browseEntries(
  { sql }: Pick<Reading, 'sql'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { from, to, meter, limit, cursor }: EntriesQuery,
): Promise<{ entries: UsageEntryRow[]; next: string | null }> {
  checkRange(from, to)
  const after = cursor === undefined ? null : position(cursor)
  const filter = { accountId, from, to, meters: trimmed(meter), after }
  const { rows, next } = await readPage(
    limit,
    (limit) => listEntries(sql, { ...filter, limit }),
    ({ day, meter, id }) => [day, meter, id],
  )
  return { entries: rows, next }
}

/**
 * Takes an entry out of the totals, once: voiding it again changes nothing and gives the first reason.
 * @throws Problem not-found when the account has no such entry; unavailable when it may not be stored yet, or
 *   is rejected: it is in no total, and can be voided once somebody has seen to it.
 */
export async function voidUsage(
  { sql, awaitStored }: Reading,
  { accountId }: Pick<Caller, 'accountId'>,
  { id, reason }: { id: number; reason: string },
): Promise<UsageEntryRow> {
  if (!(await findEntry(sql, accountId, id))) {
    const pending = await awaitStored(accountId)
    // Asked in this order, an entry that is tried again just now is found in one of the two.
    const rejected = await isRejected(sql, accountId, id)
    if (!(await findEntry(sql, accountId, id))) throw rejected ? parked() : missing(pending, id)
  }
  // Dropping a month's partition can cross a void of an entry in it; one of them is told to begin anew.
  await tryAgain(() => voidEntry(sql, { accountId, id, reason: reason.trim() }), {
    tries: 2,
    when: isRetryable,
  })
  const entry = await findEntry(sql, accountId, id)
  // Its month was pruned in between.
  if (!entry) throw problems.entryNotFound()
  return entry
}

function parked(): Error {
  return problems.unavailable(
    'The entry was accepted, but could not be stored, so no total counts it. It can be voided once the operator has seen to it.',
    parkedSeconds,
  )
}

function missing(pending: Pending | null, id: number): Error {
  const perhapsQueued = !pending?.exact || pending.ids.includes(id)
  return perhapsQueued
    ? problems.unavailable('The entry may not be stored yet; please try again.')
    : problems.entryNotFound()
}

function checkRange(from: string, to: string): void {
  const errors = rangeErrors(from, to)
  if (errors.length > 0) throw problems.validation(errors)
}

function position(cursor: string): Position {
  const [day = '', meter = '', id = 0] = readCursor(cursor, ['string', 'string', 'number']) ?? []
  if (!isCalendarDate(day))
    throw problems.validation([{ field: 'cursor', message: 'must come from an answer before' }])
  return { day, meter, id }
}

function trimmed(meters: string[] | undefined): string[] | null {
  return meters?.map((meter) => meter.trim()) ?? null
}
