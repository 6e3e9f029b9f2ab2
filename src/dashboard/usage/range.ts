/** Which days and meters a page of usage is about: those of its address, or the last thirty. */

export type Range = { from: string; to: string; meter?: string[] }

const usualDays = 30
const dayMilliseconds = 86_400_000

/** What the address leaves out ends today, in the account's zone, and begins 29 days before its end. */
export function chooseRange({ from, to, meter }: Partial<Range>, timeZone: string, now = Date.now()): Range {
  const last = to ?? (from && from > localDay(now, timeZone) ? from : localDay(now, timeZone))
  return { from: from ?? addDays(last, 1 - usualDays), to: last, ...(meter && { meter }) }
}

/** The days that end with today. */
export function lastDays(days: number, timeZone: string, now = Date.now()): { from: string; to: string } {
  const to = localDay(now, timeZone)
  return { from: addDays(to, 1 - days), to }
}

/** Every day of a range, in order; null when there are more than can be shown. */
export function listDays({ from, to }: Range, most: number): string[] | null {
  const count = (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
  return count > most ? null : Array.from({ length: count }, (_, index) => addDays(from, index))
}

/** A range as an address has it. */
export function toQuery({ from, to, meter = [] }: Range): string {
  const query = new URLSearchParams({ from, to })
  for (const name of meter) query.append('meter', name)
  return query.toString()
}

function localDay(instant: number, timeZone: string): string {
  // Swedish writes dates as ISO does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant)
}

function addDays(day: string, days: number): string {
  const date = new Date(Date.parse(day) + days * dayMilliseconds)
  return date.getUTCFullYear() < 1 ? '0001-01-01' : date.toISOString().slice(0, 10)
}
