/** The days and meters of a page of usage: those of its address, or the last thirty days. */

import { addDays, dateIn, daysBetween } from '../../platform/text/calendar.ts'

export type UsageRange = { from: string; to: string; meter?: string[] }

const defaultDays = 30

/**
 * Without an end, the range ends today in the account's time zone, or at its start if that is later. Without
 * a start, it begins 29 days before its end.
 */
export function chooseRange(
  { from, to, meter }: Partial<UsageRange>,
  timeZone: string,
  now = new Date(),
): UsageRange {
  const today = dateIn(timeZone, now)
  const last = to ?? (from && from > today ? from : today)
  return { from: from ?? addDays(last, 1 - defaultDays), to: last, ...(meter && { meter }) }
}

/** A range that ends today. */
export function lastDays(days: number, timeZone: string): { from: string; to: string } {
  const to = dateIn(timeZone, new Date())
  return { from: addDays(to, 1 - days), to }
}

/** Every day of a range, in order; null if there are too many to show. */
export function listDays({ from, to }: UsageRange, most: number): string[] | null {
  const count = daysBetween(from, to) + 1
  return count > most ? null : Array.from({ length: count }, (_, index) => addDays(from, index))
}

/** A range as the query of an address. */
export function toQuery({ from, to, meter = [] }: UsageRange): string {
  const query = new URLSearchParams({ from, to })
  for (const name of meter) query.append('meter', name)
  return query.toString()
}
