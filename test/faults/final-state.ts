/** The state of the database after a run, read directly, and samples of timeslots during it. */
import { setTimeout as delay } from 'node:timers/promises'
import { resumeEndpoint } from '../../src/messaging/webhooks/endpoints/queries.ts'
import { openDatabase, type Queryable } from '../../src/platform/postgres/database.ts'
import type { Sample, SlotState } from './history.ts'

export type FinalBooking = {
  reference: string
  slot: string
  participants: number
  status: string
  channel: string
  payment: string | null
  email: string | null
  basketId: number
}
export type FinalEvent = {
  accountId: number
  number: number | null
  type: string
  actor: string
  basketId: number | null
  bookingId: number | null
  waitlistEntryId: number | null
  details: { Kind?: string; BookingID?: number }
}
export type FinalState = {
  slots: SlotState[]
  bookings: FinalBooking[]
  baskets: { id: number; status: string }[]
  payments: { event: string; outcome: string }[]
  /** The ids of the payment events whose payments are recorded. */
  paidEvents: string[]
  /** The log. */
  events: FinalEvent[]
  entries: { id: number; meter: string; extraInfo: string | null }[]
  /** Events by meter, as summaries have them. */
  totals: { meter: string; events: number }[]
  rejects: number
  /** The account whose booking events the receiver of webhooks gets; null if there is no endpoint. */
  webhookAccountId: number | null
}

export async function readFinalState(databaseUrl: string): Promise<FinalState> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-faults' })
  try {
    return {
      slots: await readSlots(sql),
      bookings: await sql<FinalBooking[]>`
        select reference, ${slotName(sql)} as slot, participants, bookings.status, channel,
          payment_reference as payment, email, basket_id as "basketId"
        from bookings join timeslots on timeslots.id = timeslot_id`,
      baskets: await sql<FinalState['baskets']>`select id, status from baskets`,
      payments: await sql<FinalState['payments']>`select event_id as event, outcome from payment_events`,
      paidEvents: (
        await sql<{ event: string }[]>`
          select event_id as event from payments where event_id is not null`
      ).map(({ event }) => event),
      events: await sql<FinalEvent[]>`
        select account_id as "accountId", number, type, actor, basket_id as "basketId",
          booking_id as "bookingId",
          waitlist_entry_id as "waitlistEntryId", details
        from events`,
      entries: await sql<FinalState['entries']>`
        select id, meter, extra_info as "extraInfo" from meter_entries`,
      totals: await sql<FinalState['totals']>`
        select meter, sum(events)::bigint as events from meter_daily group by meter`,
      rejects: (await sql`select from usage_rejects`).length,
      webhookAccountId:
        (await sql<{ id: number }[]>`select account_id as id from webhook_endpoints`)[0]?.id ?? null,
    }
  } finally {
    await sql.end()
  }
}

/** Whether every event has its number, and so its entry. */
export async function isSettled(databaseUrl: string): Promise<boolean> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-faults' })
  try {
    return (await sql`select from events where number is null limit 1`).length === 0
  } finally {
    await sql.end()
  }
}

function readSlots(sql: Queryable): Promise<SlotState[]> {
  return sql<SlotState[]>`
    select ${slotName(sql)} as slot, capacity, booked, held,
      coalesce(sum(participants) filter (where bookings.status = 'confirmed'), 0)::bigint as "confirmedPlaces",
      coalesce(sum(participants) filter (where bookings.status = 'held'), 0)::bigint as "heldPlaces"
    from timeslots left join bookings on timeslot_id = timeslots.id and bookings.status in ('confirmed', 'held')
    group by timeslots.account_id, timeslots.id`
}

function slotName(sql: Queryable) {
  return sql`(date::text || ' ' || to_char(time, 'HH24:MI'))`
}

/**
 * Resumes the endpoint if it was paused, and makes waiting deliveries due, as an operator does. Returns
 * whether everything was already delivered.
 */
export async function hastenWebhooks(databaseUrl: string): Promise<boolean> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-faults', timeouts: 'request' })
  try {
    const endpoints = await sql<{ accountId: number; id: number; isDone: boolean }[]>`
      select account_id as "accountId", id, unfinished = 0 and position >= coalesce(last_number, 0) as "isDone"
      from webhook_endpoints left join event_counters using (account_id)`
    for (const { accountId, id } of endpoints) await sql.begin((tx) => resumeEndpoint(tx, accountId, id))
    return endpoints.every(({ isDone }) => isDone)
  } finally {
    await sql.end()
  }
}

/**
 * Reads all timeslots repeatedly, without a proxy, until stopped. Skips reads that fail while PostgreSQL is
 * down.
 */
export function startSampling(databaseUrl: string, samples: Sample[]): { stop(): Promise<void> } {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-faults', timeouts: 'request' })
  let stopping = false
  const sampling = (async () => {
    while (!stopping) {
      const slots = await readSlots(sql).catch(() => null)
      if (slots) samples.push({ at: performance.now(), slots: [...slots] })
      await delay(restMs)
    }
  })()
  return {
    async stop() {
      stopping = true
      await sampling
      await sql.end()
    },
  }
}
const restMs = 250
