/** The data that the views of the calendar need. */
import type { DayTotals, Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Texts } from '../../languages/texts.ts'
import type { CalendarView } from './range.ts'

export type ShownCalendar = {
  view: CalendarView
  /** Today's date in the account's time zone, `YYYY-MM-DD`. */
  today: string
  /** The present time of day in the account's time zone, `HH:MM`. */
  now: string
  timeZone: string
  /** Whether timeslots can be changed. In test mode they cannot. */
  isLive: boolean
  /** The timeslots of a day or a week. Empty for a month. */
  slots: readonly Timeslot[]
  /** Whether there are more timeslots than are shown. */
  isCut: boolean
  /** The totals of each day that has timeslots. Empty unless the view is a month. */
  totals: readonly DayTotals[]
  products: readonly { id: number; name: string }[]
  /** How many customers of closed timeslots must still be called. */
  openCalls: number
  t: Texts
}
