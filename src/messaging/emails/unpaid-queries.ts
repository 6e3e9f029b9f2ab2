/** The SQL of the e-mails about offers of the waitlist that were not paid. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'

/**
 * A sale whose payment was declined, or a booking that was not paid in time, with or without a waitlist
 * offer.
 */
export type UnpaidOffer = {
  accountId: number
  basketId: number | null
  bookingId: number | null
  cause: 'declined' | 'expired'
  traceContext: TraceContext | null
}

/**
 * For this long after an e-mail about an unpaid offer, declined payments queue no other e-mail: people try
 * several cards.
 */
const quietMinutes = 10

/**
 * Queues an e-mail for each of these sales and bookings that comes from a waitlist offer; returns how many.
 * For a declined payment, none is queued if the booking got one in the last ten minutes. For an expired hold,
 * none is queued if the customer had not taken the offer, or if one is still queued.
 */
export async function insertUnpaidEmails(tx: Transaction, offers: readonly UnpaidOffer[]): Promise<number> {
  const declined = offers.filter(({ cause }) => cause === 'declined')
  const expired = offers.filter(({ cause }) => cause === 'expired')
  const { count: ofDeclined } = await tx`
    insert into emails (account_id, kind, booking_id, waitlist_entry_id, details, trace_context)
    select distinct on (entry.account_id, entry.id) entry.account_id, 'offer-unpaid', bookings.id, entry.id,
      '{"Cause": "declined"}'::jsonb, unpaid.trace_context
    from unnest(
      ${declined.map(({ accountId }) => accountId)}::bigint[], ${declined.map(({ basketId }) => basketId)}::bigint[],
      ${declined.map((offer) => offer.traceContext)}::text[]
    ) as unpaid (account_id, basket_id, trace_context)
    join bookings on bookings.account_id = unpaid.account_id and bookings.basket_id = unpaid.basket_id
    join waitlist_entries as entry on entry.account_id = bookings.account_id and entry.booking_id = bookings.id
    where entry.status in ('offered', 'taken', 'expired') and bookings.status in ('held', 'expired')
      and bookings.email <> '' and not exists (
        select from emails as earlier
        where earlier.account_id = bookings.account_id and earlier.booking_id = bookings.id and kind = 'offer-unpaid'
          and earlier.created_at > app_now() - ${quietMinutes} * interval '1 minute'
      )`
  const { count: ofExpired } = await tx`
    insert into emails (account_id, kind, booking_id, waitlist_entry_id, details, trace_context)
    select entry.account_id, 'offer-unpaid', bookings.id, entry.id, '{"Cause": "expired"}'::jsonb, unpaid.trace_context
    from unnest(
      ${expired.map(({ accountId }) => accountId)}::bigint[], ${expired.map(({ bookingId }) => bookingId)}::bigint[],
      ${expired.map((offer) => offer.traceContext)}::text[]
    ) as unpaid (account_id, booking_id, trace_context)
    join bookings on bookings.account_id = unpaid.account_id and bookings.id = unpaid.booking_id
    join waitlist_entries as entry on entry.account_id = bookings.account_id and entry.booking_id = bookings.id
    where entry.status = 'taken' and bookings.status = 'expired' and bookings.email <> '' and not exists (
      select from emails as earlier
      where earlier.account_id = bookings.account_id and earlier.booking_id = bookings.id and kind = 'offer-unpaid'
        and earlier.status = 'queued'
    )`
  return ofDeclined + ofExpired
}

export type UnpaidFacts = {
  /** Whether the places are held, so that the customer can pay again. */
  isHeld: boolean
  /** Local time of the product, `YYYY-MM-DD HH:MM`. */
  localUntil: string | null
}

/** Reads whether the places of an offer are held, and until when. Null if there is no such offer. */
export async function findUnpaidFacts(
  sql: Queryable,
  accountId: number,
  entryId: number,
): Promise<UnpaidFacts | null> {
  const [facts] = await sql<UnpaidFacts[]>`
    select bookings.status = 'held' and baskets.status = 'open' and expires_at > app_now() as "isHeld",
      to_char(expires_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as "localUntil"
    from waitlist_entries as entry
    join bookings on bookings.account_id = entry.account_id and bookings.id = booking_id
    join baskets on baskets.account_id = entry.account_id and baskets.id = basket_id
    join timeslots on timeslots.account_id = entry.account_id and timeslots.id = bookings.timeslot_id
    join products on products.account_id = entry.account_id and products.id = product_id
    where entry.account_id = ${accountId} and entry.id = ${entryId}`
  return facts ?? null
}
