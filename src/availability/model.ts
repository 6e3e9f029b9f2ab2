/** Pure rules of availability: how far a range may reach, and how an instant is written in local time. */
import { daysBetween } from '../platform/calendar.ts'
import type { FieldError } from '../platform/validation.ts'

export const mostDays = 366

/** What is wrong with a range of dates whose ends are real dates; nothing when it can be asked for. */
export function rangeErrors(from: string, to: string): FieldError[] {
  const days = daysBetween(from, to) + 1
  if (days < 1) return [{ field: 'EndDate', message: 'must not be before StartDate' }]
  if (days > mostDays) return [{ field: 'EndDate', message: `must be within ${mostDays} days of StartDate` }]
  return []
}

/** RFC 3339 with offset, from an instant and what the local clock shows then (`YYYY-MM-DDTHH:MM:SS`). */
export function withOffset(instant: Date, local: string): string {
  const minutes = Math.round((Date.parse(`${local}Z`) - instant.getTime()) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${local}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
