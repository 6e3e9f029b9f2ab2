/** What the calendar shows. */
import type { DayTotals, Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Texts } from '../../languages/texts.ts'
import type { CalendarView } from './range.ts'

export type ShownCalendar = {
  view: CalendarView
  /** The account's date, and the time there, `HH:MM`. */
  today: string
  now: string
  timeZone: string
  /** Whether timeslots can be changed, as they cannot in test mode. */
  isLive: boolean
  /** Those of a day or a week. */
  slots: readonly Timeslot[]
  /** Whether there are more than are shown. */
  isCut: boolean
  /** The days of a month that have timeslots. */
  totals: readonly DayTotals[]
  products: readonly { id: number; name: string }[]
  /** How many customers of closed timeslots are to be called still. */
  openCalls: number
  t: Texts
}
