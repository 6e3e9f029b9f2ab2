/** Pure limits of availability requests: the length of a range, and the number of products. */

import type { FieldError } from '../../platform/schema/validation.ts'
import { addDays, daysBetween } from '../../platform/text/calendar.ts'

/** The most days in a request for the dates of one product. */
export const maxDays = 366
/** The most days in a request for the dates of many products, or for all timeslots of one product. */
export const maxDaysOfMany = 31
export const maxProducts = 100

/**
 * Checks that `to` is not before `from`, and that the range has at most `most` days. Returns the error in a
 * list.
 */
export function rangeErrors(from: string, to: string, most = maxDays): FieldError[] {
  const days = daysBetween(from, to) + 1
  if (days < 1) return [{ field: 'EndDate', message: 'must not be before StartDate' }]
  if (days > most) return [{ field: 'EndDate', message: `must be at most ${most - 1} days after StartDate` }]
  return []
}

/** The dates of a range in groups of seven days, beginning with its first date. */
export function weeksOf(from: string, to: string): string[][] {
  const dates = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index))
  return Array.from({ length: Math.ceil(dates.length / 7) }, (_, week) =>
    dates.slice(week * 7, (week + 1) * 7),
  )
}

/** An error for each of a request's ActivityIDs that occurs earlier in the same request. */
export function repeatErrors(ids: readonly string[]): FieldError[] {
  const places = new Map<string, number>()
  return ids.flatMap((id, index) => {
    const first = places.get(id)
    if (first === undefined) places.set(id, index)
    return first === undefined ? [] : [atPlace(index, `${id} is the same as ActivityIDs[${first}]`)]
  })
}

/** An error for each of a request's ActivityIDs that has null at its index in `found`. */
export function unknownErrors(ids: readonly string[], found: readonly unknown[]): FieldError[] {
  return ids.flatMap((id, index) =>
    found[index] === null ? [atPlace(index, `${id} is not a product in the shopfront`)] : [],
  )
}

function atPlace(index: number, message: string): FieldError {
  return { field: `ActivityIDs[${index}]`, message }
}
