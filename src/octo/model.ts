/** Ids and instants as OCTO writes them. Pure. */
import { activityIdPattern, activityUuid } from '../catalogue/model.ts'
import { isCalendarDate } from '../platform/text/calendar.ts'
import { withOffset } from '../platform/text/local-time.ts'
import { implicitUnit } from '../sales/booking/pricing.ts'

/** The id of the one option that each product has. */
export const defaultOption = 'DEFAULT'

const activityId = new RegExp(activityIdPattern)

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** The UUID inside a productId; null for any other text. */
export function parseProductId(text: string): string | null {
  return activityId.test(text) ? activityUuid(text) : null
}

export function toOctoUnitId(id: number): string {
  return String(id)
}

/** The id of the unit with this unitId; null for unknown text. A product without units has one unit, "0". */
export function parseUnitId(text: string, units: readonly { id: number }[] | null): number | null {
  const known = units ?? [implicitUnit(0)]
  return known.find(({ id }) => toOctoUnitId(id) === text)?.id ?? null
}

/** A local date and clock time, which name a timeslot of a product. */
export type LocalStart = { date: string; time: string }

/** The local start in an availabilityId, whether or not there is such a timeslot; null for other text. */
export function parseAvailabilityId(text: string): LocalStart | null {
  const [, date = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d):00[+-]\d\d:\d\d$/.exec(text) ?? []
  return isCalendarDate(date) ? { date, time } : null
}

/** The availabilityId of a timeslot. `localStart` is wall clock text, `YYYY-MM-DDTHH:MM:SS`. */
export function toAvailabilityId({ startsAt, localStart }: { startsAt: Date; localStart: string }): string {
  return withOffset(startsAt, localStart)
}

/** An instant in UTC, in whole seconds. */
export function toUtc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`
}
