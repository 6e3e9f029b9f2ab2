/** Use cases of reading and correcting metered usage entries: lists and voids. What adds them up is in summaries.ts. */
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

/** Where to read from, how to wait for what is on its way there, and how accounts share the connections for summaries. */
export type Reading = { sql: Sql; longReads: Sql; awaitStored: AwaitStored; shares: Shares }

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
 * Takes an entry out of the totals, once: voiding it again changes nothing and gives the first reason.
 * @throws Problem not-found when the account has no such entry; unavailable when it may not be stored yet, or
 *   is rejected: it is in no total, and can be voided once somebody has seen to it.
 */
export async function voidUsage(
  { sql, awaitStored }: Pick<Reading, 'sql' | 'awaitStored'>,
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

/** @throws Problem validation for a range that no file of entries may have. */
export function checkFileRange(range: Days): void {
  refuse(dailyRangeErrors(range))
}

/** @throws Problem validation when anything is wrong. */
export function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw problems.validation(errors)
}

function position(cursor: string): Position {
  const [day = '', meter = '', id = 0] = readCursor(cursor, ['string', 'string', 'number']) ?? []
  if (!isCalendarDate(day))
    throw problems.validation([{ field: 'cursor', message: 'must come from an answer before' }])
  return { day, meter, id }
}

export function trimmed(meters: string[] | undefined): string[] | null {
  return meters?.map((meter) => meter.trim()) ?? null
}
