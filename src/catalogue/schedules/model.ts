/** Pure rules of schedules: a weekly pattern as in the API and as in the database. */

import { type DailyFields, type OpeningPeriod, openingView, timesOf } from '../opening-hours.ts'
import type { OwnPriceFields } from '../units/own-prices.ts'

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

export type ScheduleFields = DailyFields & {
  From: string
  To: string
  Weekdays: (typeof weekdays)[number][]
  Capacity: number
  ClosedDates?: string[]
  UnitPrices?: OwnPriceFields[]
}

/** A weekly pattern of local dates and times, both dates included. Weekdays are ISO numbers, Monday is 1. */
export type Pattern = { from: string; to: string; weekdays: number[]; times: string[] }

/** The pattern of a schedule in its canonical form, so that equal patterns are equal values. */
export function toPattern({
  From,
  To,
  Weekdays,
  ...daily
}: DailyFields & Pick<ScheduleFields, 'From' | 'To' | 'Weekdays'>): Pattern {
  return {
    from: From,
    to: To,
    weekdays: Weekdays.map((day) => weekdays.indexOf(day) + 1).sort((a, b) => a - b),
    times: timesOf(daily),
  }
}

export function fromPattern({
  from,
  to,
  weekdays: numbers,
  times,
  openingHours,
}: Pattern & { openingHours: OpeningPeriod[] | null }) {
  const Weekdays = numbers.map((number) => weekdays[number - 1]!)
  return { From: from, To: to, Weekdays, Times: times, ...openingView(openingHours) }
}

/** Closed dates in their canonical form: each once, earliest first. */
export function toClosedDates(dates: readonly string[]): string[] {
  return [...new Set(dates)].sort()
}
