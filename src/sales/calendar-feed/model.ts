/** Rules of calendar feeds, without I/O: the secret in an address, and the calendar entry of a departure. */
import { createHash, randomBytes } from 'node:crypto'
import { isTestAccount, liveAccountOf, testAccountOf } from '../../accounts/model.ts'
import type { Locale } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import { fullName } from '../../platform/text/full-name.ts'
import type { CalendarEvent } from '../../platform/text/icalendar.ts'

export type FeedRow = {
  accountId: number
  id: number
  accountName: string
  /** The locale of the account. The texts of the feed are in its language. */
  locale: Locale
  userEmail: string
  /** Null for all products. */
  productId: number | null
  productName: string | null
  showsNames: boolean
  createdAt: Date
  revokedAt: Date | null
  lastUsedAt: Date | null
}

export type DepartureRow = {
  id: number
  productName: string
  date: string
  nextDate: string
  startsAt: Date
  endsAt: Date
  isAllDay: boolean
  capacity: number
  booked: number
  held: number
  status: 'open' | 'closed'
}

export type PartyRow = {
  timeslotId: number
  firstName: string | null
  lastName: string | null
  participants: number
}

/** How many feeds a user may have in an account, not counting revoked feeds. */
export const maxFeeds = 20
/** The most departures in a feed, and the most parties that it names. */
export const maxDepartures = 5000
export const maxParties = 10_000
export const daysBack = 30
export const daysAhead = 90

/** The file name of a new feed, with 256 random bits, and the hash that is stored. */
export function makeFeedName(accountId: number): { name: string; hash: Buffer } {
  const mode = isTestAccount(accountId) ? 'test_' : ''
  const token = `cal_${mode}${liveAccountOf(accountId)}_${randomBytes(32).toString('base64url')}`
  return { name: `${token}.ics`, hash: hashOf(token) }
}

/**
 * The account in a feed's file name, and the hash of its token; null for other text. The account is not
 * verified: the caller must find a stored feed with this hash.
 */
export function parseFeedName(name: string): { accountId: number; hash: Buffer } | null {
  const [, token, mode, digits] = /^(cal_(test_)?([1-9]\d{0,15})_[\w-]{43})\.ics$/.exec(name) ?? []
  const liveId = Number(digits)
  if (token === undefined || !Number.isSafeInteger(liveId)) return null
  return { accountId: mode ? testAccountOf(liveId) : liveId, hash: hashOf(token) }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

type FeedContent = { departures: readonly DepartureRow[]; parties: readonly PartyRow[]; publicUrl: string }

/** The calendar entries of the departures in a feed. */
export function feedEvents(t: Texts, { accountId }: FeedRow, content: FeedContent): CalendarEvent[] {
  const { departures, parties, publicUrl } = content
  const named = new Map<number, string[]>()
  for (const party of parties) {
    const line = `${fullName(party.firstName, party.lastName) || t.say('feed.no-name')}: ${party.participants}`
    const lines = named.get(party.timeslotId)
    if (lines) lines.push(line)
    else named.set(party.timeslotId, [line])
  }
  const dashboard = `${publicUrl}/dashboard${isTestAccount(accountId) ? '/test' : ''}`
  return departures.map((departure) => {
    const { id, productName, booked, held, capacity, status } = departure
    const cancelled = status === 'closed'
    const facts = [
      ...(cancelled ? [t.say('feed.closed')] : []),
      t.say('feed.places', { booked, capacity, held }),
      ...(named.get(id) ?? []),
    ]
    return {
      uid: `departure-${id}.account-${accountId}@activity-booking-service`,
      times: departure.isAllDay
        ? { startDate: departure.date, endDate: departure.nextDate }
        : { start: departure.startsAt, end: departure.endsAt },
      summary: cancelled
        ? t.say('feed.summary.closed', { product: productName })
        : t.say('feed.summary', { product: productName, booked, capacity }),
      description: facts.join('\n'),
      url: `${dashboard}/calendar/timeslots/${id}`,
      cancelled,
    }
  })
}
