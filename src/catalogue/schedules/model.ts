/** Pure rules of schedules: how a weekly pattern is written on the wire and in the database. */

import type { OwnPriceFields } from '../units/own-prices.ts'

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

export type ScheduleFields = {
  From: string
  To: string
  Weekdays: (typeof weekdays)[number][]
  Times: string[]
  Capacity: number
  ClosedDates?: string[]
  UnitPrices?: OwnPriceFields[]
}

/** A weekly pattern of local dates and times, both dates included. Weekdays are ISO numbers, Monday is 1. */
export type Pattern = { from: string; to: string; weekdays: number[]; times: string[] }

/** A schedule without its capacity and closed dates, written in the one way in which equal patterns are equal. */
export function toPattern({
  From,
  To,
  Weekdays,
  Times,
}: Partial<Omit<ScheduleFields, 'UnitPrices'>> &
  Pick<ScheduleFields, 'From' | 'To' | 'Weekdays' | 'Times'>): Pattern {
  return {
    from: From,
    to: To,
    weekdays: Weekdays.map((day) => weekdays.indexOf(day) + 1).sort((a, b) => a - b),
    times: Times.toSorted(),
  }
}

export function fromPattern({ from, to, weekdays: numbers, times }: Pattern) {
  return { From: from, To: to, Weekdays: numbers.map((number) => weekdays[number - 1]!), Times: times }
}

/** Closed dates in the one way they are kept: each once, earliest first. */
export function toClosedDates(dates: readonly string[]): string[] {
  return [...new Set(dates)].sort()
}
