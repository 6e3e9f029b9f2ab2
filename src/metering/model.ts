/** Pure rules of metering: the form of an entry, and how a range of days is summed up. */

import type { FieldError } from '../platform/schema/validation.ts'
import { daysBetween } from '../platform/text/calendar.ts'
import type { EntryTuple } from '../queue/jobs.ts'

/**
 * An accepted entry. `usage` is a plain decimal, `acceptedAt` Unix milliseconds, `occurredAt` Unix seconds.
 */
export type Entry = {
  accountId: number
  id: number
  acceptedAt: number
  meter: string
  usage: string
  occurredAt: number
  extraInfo: string | null
}

export function fromTuple([
  accountId,
  id,
  acceptedAt,
  meter,
  usage,
  occurredAt,
  extraInfo,
]: EntryTuple): Entry {
  return { accountId, id, acceptedAt, meter, usage, occurredAt, extraInfo }
}

/** An entry as the caller sent it. */
export type Submission = { Meter: string; Usage: number; ExtraInfo?: string; OccurredAt?: number }

/** The values that the service adds to submissions. A retry with the same idempotency key gets the same values. */
export type Acceptance = { ids: number[]; acceptedAt: number; occurredAt: number }

/** The number of entries, and their approximate size in bytes, as JSON or as rows. */
export function measureEntries(entries: readonly Entry[]): { count: number; bytes: number } {
  const bytes = entries.reduce(
    (sum, { meter, extraInfo }) => sum + 60 + meter.length + (extraInfo?.length ?? 0),
    0,
  )
  return { count: entries.length, bytes }
}

/** The months (UTC) in which entries were accepted, each as its first day (YYYY-MM-DD). */
export function monthsOf(entries: readonly Entry[]): string[] {
  const months = entries.map(({ acceptedAt }) => firstOfMonth(new Date(acceptedAt).toISOString()))
  return [...new Set(months)]
}

/**
 * The most days of a summary by day, and of a file of entries: two years, so that a year can be compared with
 * the previous one.
 */
export const dailyRangeLimit = 731
/** The most sums by meter and day in one summary: enough for a year of more than a thousand meters. */
export const dailyTotalsLimit = 500_000

export type Days = { from: string; to: string }

/** The errors of a range of valid dates; empty if `to` is not before `from`. */
export function rangeErrors({ from, to }: Days): FieldError[] {
  return daysBetween(from, to) < 0 ? [{ field: 'to', message: 'must not be before the first day' }] : []
}

/** The errors of a range for sums by day or for a file of entries. Its length is also limited. */
export function dailyRangeErrors(range: Days): FieldError[] {
  const message = `must be at most ${dailyRangeLimit - 1} days after the first day: a summary by day or a file of entries covers at most ${dailyRangeLimit} days`
  return daysBetween(range.from, range.to) < dailyRangeLimit ? rangeErrors(range) : [{ field: 'to', message }]
}

/** The errors for a request that has more than `dailyTotalsLimit` sums by day. */
export function dailyTotalsErrors(): FieldError[] {
  const bound = `a response has at most ${dailyTotalsLimit} sums by day, one for each meter and day with entries`
  return [
    { field: 'to', message: `must be closer to the first day: ${bound}` },
    { field: 'meter', message: `must name fewer meters: ${bound}` },
  ]
}

/**
 * Splits a range of days into its whole months and the days before and after them, so that a long range needs
 * few rows. `months` reaches from the first day of the first whole month to the last day of the last one; it
 * is null if the range contains no whole month.
 */
export function splitRange({ from, to }: Days): { months: Days | null; days: Days[] } {
  const first = from.endsWith('-01') ? from : firstOfNextMonth(from)
  const last = addDays(to, 1).endsWith('-01') ? to : addDays(firstOfMonth(to), -1)
  if (first > last) return { months: null, days: [{ from, to }] }
  const before = from < first ? [{ from, to: addDays(first, -1) }] : []
  const after = last < to ? [{ from: firstOfMonth(to), to }] : []
  return { months: { from: first, to: last }, days: [...before, ...after] }
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

function firstOfNextMonth(day: string): string {
  const date = new Date(`${firstOfMonth(day)}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return writeDay(date)
}

function addDays(day: string, days: number): string {
  return writeDay(new Date(Date.parse(day) + days * 86_400_000))
}

/** For a day after the year 9999, returns a text that is no date but sorts after all dates. */
function writeDay(date: Date): string {
  return date.getUTCFullYear() > 9999 ? '9999-12-32' : date.toISOString().slice(0, 10)
}

/** The last entry of a page of the list. The next page begins after it. */
export type Position = { day: string; meter: string; id: number }
