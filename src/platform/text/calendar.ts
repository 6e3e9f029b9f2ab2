/** Rules of calendar dates, clock times and time zones, for any business. Pure. */

/**
 * Whether text is a real calendar date of the form YYYY-MM-DD (2026-02-30 is not one), year 1 to 9999. Every
 * request with a date calls it; this arithmetic takes a seventh of the time of a Date.
 */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2) return isLeapYear ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whole days from one calendar date to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

const [firstDay, lastDay] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')]

/** The date so many days later, or earlier when `days` is negative, limited to the years 1 to 9999. */
export function addDays(date: string, days: number): string {
  const moved = Date.parse(date) + days * 86_400_000
  return new Date(Math.min(Math.max(moved, firstDay), lastDay)).toISOString().slice(0, 10)
}

/** The Monday on or before a date, as the first day of its ISO 8601 week. */
export function mondayOf(date: string): string {
  return addDays(date, -((new Date(date).getUTCDay() + 6) % 7))
}

/** The local date of a time zone at an instant. */
export function dateIn(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)!.value
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** Whether text names a time zone of the IANA database, such as Europe/Lisbon. Offsets are not zones. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
