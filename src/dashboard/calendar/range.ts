/** The days that a view of the calendar shows, and the path of a view. Pure. */
import { addDays, mondayOf } from '../../platform/text/calendar.ts'
import { lastDayOf } from '../../reports/sales/report/model.ts'

export const calendarViews = ['day', 'week', 'month'] as const
export type CalendarView = {
  view: (typeof calendarViews)[number]
  date: string
  productId: number | null
}

/** The first and the last day that a view shows; a month is shown in whole weeks. */
export function rangeOf({ view, date }: Pick<CalendarView, 'view' | 'date'>): { from: string; to: string } {
  if (view === 'day') return { from: date, to: date }
  if (view === 'week') return { from: mondayOf(date), to: addDays(mondayOf(date), 6) }
  return { from: mondayOf(firstOf(date)), to: addDays(mondayOf(lastDayOf(date, 'month')), 6) }
}

/** Every day that a view shows, in order. The last week of the year 9999 has fewer than seven days. */
export function daysOf(view: Pick<CalendarView, 'view' | 'date'>): string[] {
  const { from, to } = rangeOf(view)
  const days = [from]
  while (days.at(-1)! < to) days.push(addDays(days.at(-1)!, 1))
  return days
}

/**
 * The date of the previous or next view. For a month, it is the same day of the previous or next month, or
 * the last day if that month is shorter.
 */
export function stepFrom({ view, date }: Pick<CalendarView, 'view' | 'date'>, steps: 1 | -1): string {
  if (view !== 'month') return addDays(date, steps * (view === 'week' ? 7 : 1))
  const inMonth = steps === 1 ? addDays(lastDayOf(date, 'month'), 1) : addDays(firstOf(date), -1)
  const last = lastDayOf(inMonth, 'month')
  const same = `${inMonth.slice(0, 8)}${date.slice(8)}`
  return same < last ? same : last
}

export function calendarPath({ view, date, productId }: CalendarView): string {
  const query = new URLSearchParams({ View: view, Date: date })
  if (productId !== null) query.set('ProductID', String(productId))
  return `/dashboard/calendar?${query}`
}

function firstOf(date: string): string {
  return `${date.slice(0, 8)}01`
}
