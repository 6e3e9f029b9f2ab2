/** Reads the dates or ids of an availability request, and limits the length of its response. Pure. */
import { addDays, daysBetween } from '../../platform/text/calendar.ts'
import { octoErrors } from '../errors.ts'
import { type LocalStart, parseAvailabilityId } from '../model.ts'
import type { OctoProduct } from '../products/queries.ts'
import type { AvailabilityBody } from './schemas.ts'

const maxDays = 366
/** The maximum number of timeslots and prices, counted together, in one response. */
const maxWeight = 20_000

export type DateRange = { from: string; to: string }

/** @throws Problem when a date is missing, or when the dates are in the wrong order or too far apart. */
export function rangeOf(from: string | undefined, to: string | undefined): DateRange {
  if (from === undefined || to === undefined)
    throw octoErrors.badRequest('localDateStart and localDateEnd are both required.')
  const days = daysBetween(from, to) + 1
  if (days < 1) throw octoErrors.badRequest('localDateEnd must not be before localDateStart.')
  if (days > maxDays)
    throw octoErrors.badRequest(`The range of dates must have at most ${maxDays} days, both ends included.`)
  return { from, to }
}

/**
 * The range of dates, or the timeslot ids, that a request names.
 * @throws Problem unless the request has exactly one of localDate, a range and availabilityIds, and it is
 * valid.
 */
export function subjectOf({ localDate, localDateStart, localDateEnd, availabilityIds }: AvailabilityBody) {
  const hasRange = localDateStart !== undefined || localDateEnd !== undefined
  if ([localDate !== undefined, hasRange, availabilityIds !== undefined].filter(Boolean).length !== 1)
    throw octoErrors.badRequest(
      'Give either localDate, or localDateStart and localDateEnd, or availabilityIds.',
    )
  if (availabilityIds) return { ids: availabilityIds, starts: startsOf(availabilityIds) }
  return localDate === undefined ? rangeOf(localDateStart, localDateEnd) : rangeOf(localDate, localDate)
}

/** The local starts in the ids, without duplicates. */
function startsOf(ids: readonly string[]): LocalStart[] {
  const starts = new Map<string, LocalStart>()
  for (const id of ids) {
    const start = parseAvailabilityId(id)
    if (!start) throw octoErrors.invalidAvailabilityId(id)
    starts.set(`${start.date} ${start.time}`, start)
  }
  return [...starts.values()]
}

export function datesOf({ from, to }: DateRange): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index))
}

/**
 * The maximum number of timeslots of a product in one response. It is lower for a product with many units.
 */
export function maxSlots({ units }: Pick<OctoProduct, 'units'>): number {
  return Math.floor(maxWeight / (1 + (units?.length ?? 1)))
}

/** @throws Problem when there are more timeslots than one response may have. */
export function refuseTooMany(found: number, most: number): void {
  if (found > most)
    throw octoErrors.badRequest(`There are more than ${most} timeslots on these dates: ask for fewer days.`)
}
