/** Texts of the dashboard in Portuguese: the calendar and its feeds. */
import type { calendar as english } from '../en/calendar.ts'

export const calendar: Readonly<Record<keyof typeof english, string>> = {}
