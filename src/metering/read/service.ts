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
 * The means to read usage: database connections (`longReads` for summaries), the wait for entries that are
 * still queued, and the shares, which divide the connections for summaries between accounts.
 */
export type Reading = { sql: Sql; longReads: Sql; awaitStored: AwaitStored; shares: Shares }

// The Retry-After of a rejected entry: the operator must resolve it first, which takes hours.
const rejectedRetrySeconds = 3600

/**
 * Stored entries of a range of days, by day, meter and id. `next` is the cursor of the next page; null if
 * there is none.
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
 * Voids an entry, once: voiding it again changes nothing and returns the entry with the first reason.
 * @throws Problem not-found if the account has no such entry; unavailable if the entry may not be stored yet,
 * or if the database rejected it. No total counts a rejected entry, and it can be voided after the operator
 * has resolved the rejection.
 */
export async function voidUsage(
  { sql, awaitStored }: Pick<Reading, 'sql' | 'awaitStored'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { id, reason }: { id: number; reason: string },
): Promise<UsageEntryRow> {
  if (!(await findEntry(sql, accountId, id))) {
    const pending = await awaitStored(accountId)
    // Looks in the rejects first: a retry moves an entry from there to the entries, and in the other order it
    // could be found in neither.
    const rejected = await isRejected(sql, accountId, id)
    if (!(await findEntry(sql, accountId, id))) throw rejected ? rejectedProblem() : missing(pending, id)
  }
  // A prune that drops the entry's partition can conflict with this void; PostgreSQL aborts one of the two,
  // and that one is tried again.
  await tryAgain(() => voidEntry(sql, { accountId, id, reason: reason.trim() }), {
    tries: 2,
    when: isRetryable,
  })
  const entry = await findEntry(sql, accountId, id)
  // The month of the entry was pruned meanwhile.
  if (!entry) throw problems.entryNotFound()
  return entry
}

function rejectedProblem(): Error {
  return problems.unavailable(
    'The entry was accepted, but could not be stored, so no total counts it. It can be voided after the operator has resolved this.',
    rejectedRetrySeconds,
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
