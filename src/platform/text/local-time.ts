/** Local dates and instants as text. Pure. */

/** RFC 3339 with offset, from an instant and its local time (`YYYY-MM-DDTHH:MM:SS`). */
export function withOffset(instant: Date, local: string): string {
  const minutes = Math.round((Date.parse(`${local}Z`) - instant.getTime()) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${local}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

const dayMs = 86_400_000

/**
 * The instant of a local time `YYYY-MM-DDTHH:MM` in a time zone. If the local time occurs twice, the earlier
 * instant is returned. If the clock skips the local time, the instant is before the skip: 01:30, which Lisbon
 * skips in March, is read as 00:30.
 */
export function instantIn(timeZone: string, local: string): Date {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const offsetAt = (at: number) => Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - at
  const shown = Date.parse(`${local}Z`)
  const candidates = [shown - dayMs, shown + dayMs]
    .map((near) => shown - offsetAt(near))
    .sort((a, b) => a - b)
  return new Date(candidates.find((at) => at + offsetAt(at) === shown) ?? candidates[0]!)
}

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A calendar date in words: Saturday 15 June 2030. */
export function longDate(date: string): string {
  // Built from parts, because versions of Node put commas in different places.
  const parts = dateFormat.formatToParts(new Date(`${date}T00:00:00Z`))
  return parts.flatMap(({ type, value }) => (type === 'literal' ? [] : [value])).join(' ')
}
