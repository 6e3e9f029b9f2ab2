/** Use cases of listing and voiding usage entries. summaries.ts adds them up. */
import type { Caller } from '../../accounts/service.ts'
import { readPage } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Shares } from '../../platform/async/shares.ts'
import { tryAgain } from '../../platform/async/try-again.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { isRetryable } from '../../platform/postgres/errors.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { readCursor } from '../../platform/text/cursor.ts'
import { type Days, dailyRangeErrors, type Position, rangeErrors } from '../model.ts'
import type { EntriesQuery } from '../schemas.ts'
import type { AwaitStored, Pending } from './pending.ts'
import { findEntry, isRejected, listEntries, type UsageEntryRow, voidEntry } from './queries.ts'

/**
 * The means to read usage: database connections, the wait for entries that are still queued, and the shares by which accounts
 * use the connections for summaries (`longReads`).
 */
export type Reading = { sql: Sql; longReads: Sql; awaitStored: AwaitStored; shares: Shares }

// The operator must resolve the rejected entry first, which takes hours.
const parkedSeconds = 3600

/**
 * Stored entries of a range of days, by day, meter and ID. `next` is the position of the next page, if there
 * is one.
 * @throws Problem validation for an invalid range or cursor.
 */
export async function browseEntries(
  { sql }: Pick<Reading, 'sql'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { from, to, meter, limit, cursor }: EntriesQuery,
): Promise<{ entries: UsageEntryRow[]; next: string | null }> {
  refuse(rangeErrors({ from, to }))
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
 * Voids an entry, once: voiding it again changes nothing and returns the first reason.
 * @throws Problem not-found when the account has no such entry; unavailable when it may not be stored yet, or
 * is rejected: then no total counts it, and it can be voided after the operator has resolved the rejection.
 */
export async function voidUsage(
  { sql, awaitStored }: Pick<Reading, 'sql' | 'awaitStored'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { id, reason }: { id: number; reason: string },
): Promise<UsageEntryRow> {
  if (!(await findEntry(sql, accountId, id))) {
    const pending = await awaitStored(accountId)
    // First the rejects and then the entries: a retry moves an entry from the rejects to the entries, and must not hide it.
    const rejected = await isRejected(sql, accountId, id)
    if (!(await findEntry(sql, accountId, id))) throw rejected ? parked() : missing(pending, id)
  }
  // A prune that drops the month's partition can conflict with a void in it; one of the two is retried.
  await tryAgain(() => voidEntry(sql, { accountId, id, reason: reason.trim() }), {
    tries: 2,
    when: isRetryable,
  })
  const entry = await findEntry(sql, accountId, id)
  // Its month was pruned meanwhile.
  if (!entry) throw problems.entryNotFound()
  return entry
}

function parked(): Error {
  return problems.unavailable(
    'The entry was accepted, but could not be stored, so no total counts it. It can be voided after the operator has resolved this.',
    parkedSeconds,
  )
}

function missing(pending: Pending | null, id: number): Error {
  const perhapsQueued = !pending?.exact || pending.ids.includes(id)
  return perhapsQueued
    ? problems.unavailable('The entry may not be stored yet; please try again.')
    : problems.entryNotFound()
}

/** @throws Problem validation for a range that is too long for a file of entries, or that ends before it begins. */
export function checkFileRange(range: Days): void {
  refuse(dailyRangeErrors(range))
}

/** @throws Problem validation if there are errors. */
export function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw problems.validation(errors)
}

function position(cursor: string): Position {
  const [day = '', meter = '', id = 0] = readCursor(cursor, ['string', 'string', 'number']) ?? []
  if (!isCalendarDate(day))
    throw problems.validation([{ field: 'cursor', message: 'must come from an earlier response' }])
  return { day, meter, id }
}

export function trimmed(meters: string[] | undefined): string[] | null {
  return meters?.map((meter) => meter.trim()) ?? null
}
