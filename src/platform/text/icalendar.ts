/** Writes iCalendar files (RFC 5545). Pure. */

export type CalendarEvent = {
  /** The same in each file for the same event. */
  uid: string
  /** Instants, or calendar dates for an event of whole days. The end is exclusive. */
  times: { start: Date; end: Date } | { startDate: string; endDate: string }
  summary: string
  description: string
  url: string
  cancelled: boolean
}

export type Calendar = {
  /** Only for a calendar that programs subscribe to, and not for a file with entries to import. */
  feed?: { name: string; description: string }
  events: readonly CalendarEvent[]
}

const head = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Activity Booking Service//Calendar//EN',
  'CALSCALE:GREGORIAN',
  // With PUBLISH, DTSTAMP is the time at which the file was written.
  'METHOD:PUBLISH',
]

export function writeCalendar({ feed, events }: Calendar, writtenAt: Date): string {
  const lines = [
    ...head,
    ...(feed ? feedLines(feed) : []),
    ...events.flatMap((event) => eventLines(event, writtenAt)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function feedLines({ name, description }: NonNullable<Calendar['feed']>): string[] {
  return [
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `X-WR-CALDESC:${escapeText(description)}`,
  ]
}

function eventLines({ uid, times, ...event }: CalendarEvent, writtenAt: Date): string[] {
  const days = 'startDate' in times
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${utc(writtenAt)}`,
    days ? `DTSTART;VALUE=DATE:${times.startDate.replaceAll('-', '')}` : `DTSTART:${utc(times.start)}`,
    days ? `DTEND;VALUE=DATE:${times.endDate.replaceAll('-', '')}` : `DTEND:${utc(times.end)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `URL:${event.url}`,
    `STATUS:${event.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ]
}

function utc(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Escapes a text (RFC 5545, 3.3.11), and removes control characters, most of which RFC 5545 does not allow. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, '')
}

const maxOctets = 75

/**
 * Splits a line between two characters, into parts of at most 75 octets. The space that begins a continuation
 * is included.
 */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= maxOctets) return line
  const parts = ['']
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      parts.push('')
      octets = 1
    }
    parts[parts.length - 1] += character
    octets += size
  }
  return parts.join('\r\n ')
}
