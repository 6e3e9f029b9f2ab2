/** The readers of the log benchmark: each records when it first saw each booking, by its reference. */
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../src/platform/postgres/database.ts'
import { ask } from './harness/http.ts'

/** What a reader has seen, with times of performance.now(). */
export type Seen = {
  at: Map<string, number>
  /** How many times a booking was read again. */
  repeated: number
}

export type Reader = {
  seen: Seen
  /** Reads to the end and returns what was seen. @throws when a read failed. */
  finish(): Promise<Seen>
}

const pauseMs = 20
const pageLength = 500

type Booking = { BookingReference: string }

/** Follows a partner's change feed: requests `next` at once after a full page, and soon after any other. */
export function followFeed(target: string, token: string): Reader {
  const agent = new Agent({ keepAlive: true })
  let path = `/api/v2/ota/marketplace/booking?Limit=${pageLength}`
  return startReader(async (see) => {
    const { status, link, body } = await ask(agent, target, { method: 'GET', path, token })
    // A process that was stopped for a second refuses requests for a moment. The measured times include that.
    if (status === 503) {
      await delay(pauseMs)
      return true
    }
    const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
    if (status !== 200 || !next) throw new Error(`the feed answers ${status}: ${body}`)
    const { pathname, search } = new URL(next)
    path = `${pathname}${search}`
    const { data } = JSON.parse(body) as { data: Booking[] }
    see(data.map(({ BookingReference }) => BookingReference))
    return data.length === pageLength
  })
}

export type TotalsReader = Reader & {
  /**
   * Reads in which the totals of the days were not the sum of the entries, or an entry's event had no number.
   */
  disagreements: () => number
}

/**
 * Reads the `order-completed` entries of an account as they are stored, with the numbers of their events and
 * the totals at the same moment. One worker must store all of them, so that later entries have higher ids.
 */
export function watchTotals(sql: Sql, accountId: number): TotalsReader {
  let [lastId, entries, disagreements] = [0, 0, 0]
  const reader = startReader(async (see) => {
    const rows = await sql<{ id: number; reference: string; number: number | null; total: number }[]>`
      select entry.id, bookings.reference, events.number, (
        select sum(events)::bigint from meter_daily where account_id = ${accountId} and meter = 'order-completed'
      ) as total
      from meter_entries as entry
      join bookings on bookings.account_id = entry.account_id
        and bookings.basket_id = (entry.extra_info::jsonb ->> 'BasketID')::bigint
      left join events on events.account_id = bookings.account_id and events.booking_id = bookings.id
        and events.type = 'booking.confirmed'
      where entry.account_id = ${accountId} and entry.meter = 'order-completed' and entry.id > ${lastId}
      order by entry.id`
    lastId = rows.at(-1)?.id ?? lastId
    entries += rows.length
    if (rows.some(({ number, total }) => number === null || total !== entries)) disagreements++
    see(rows.map(({ reference }) => reference))
    return false
  })
  return { ...reader, disagreements: () => disagreements }
}

/** @param read reads once, and returns whether to read again at once. */
function startReader(read: (see: (references: string[]) => void) => Promise<boolean>): Reader {
  const seen: Seen = { at: new Map(), repeated: 0 }
  const see = (references: string[]) => {
    const now = performance.now()
    for (const reference of references)
      if (seen.at.has(reference)) seen.repeated++
      else seen.at.set(reference, now)
  }
  let finishing = false
  const run = async () => {
    for (;;) {
      const isLast = finishing
      if (await read(see)) continue
      if (isLast) return
      await delay(pauseMs)
    }
  }
  const ended = run()
  // finish() throws the failure.
  ended.catch(() => {})
  return {
    seen,
    async finish() {
      finishing = true
      await ended
      return seen
    },
  }
}
