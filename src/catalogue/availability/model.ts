/** Pure rules of availability: how far a range may reach. */

import type { FieldError } from '../../platform/schema/validation.ts'
import { daysBetween } from '../../platform/text/calendar.ts'

export const mostDays = 366

/** What is wrong with a range of dates whose ends are real dates; nothing when it can be asked for. */
export function rangeErrors(from: string, to: string): FieldError[] {
  const days = daysBetween(from, to) + 1
  if (days < 1) return [{ field: 'EndDate', message: 'must not be before StartDate' }]
  if (days > mostDays) return [{ field: 'EndDate', message: `must be within ${mostDays} days of StartDate` }]
  return []
}
