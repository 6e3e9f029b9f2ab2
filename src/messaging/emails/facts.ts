/** The SQL that reads the current data for an e-mail when it is written. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import { endsAt } from '../../inventory/on-sale.ts'
import { type Bought, boughtColumns } from '../../inventory/service.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { readLedger } from '../../sales/ledger/service.ts'
import type { PauseReason } from '../webhooks/endpoints/model.ts'
import { moneyOf, type SaleMoney } from './sale-money.ts'
import type { ChangeTrigger, Trigger } from './triggers.ts'

export type BookingFacts = Bought & {
  id: number
  /** The money of its sale; null for a partner's sale, which is paid to the partner. */
  sale: SaleMoney | null
  reference: string
  /** The refund in minor units, as text; null if none was decided. */
  refundMinor: string | null
  status: string
  attendance: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  /** The customer's languages, the preferred one first; null unless a reseller sent them. */
  locales: string[] | null
  productId: number
  productName: string
  durationMinutes: number
  timeZone: string
  timeslotId: number
  date: string
  time: string
  /** Null unless its timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  startsAt: Date
  /** Local time of the product, `YYYY-MM-DDTHH:MM:SS`; so is `localEnd`. */
  localStart: string
  endsAt: Date
  localEnd: string
  /** Its timeslot before the move, for an e-mail about a move. */
  movedFrom?: MovedFromFacts
  /** Its party before the change, for an e-mail about a changed party. */
  partyBefore?: { Participants: number; Units: { UnitID: number; Name: string; Quantity: number }[] }
}

/** Where a booking was before a move. `productName` is empty if the timeslot is unknown, or has been deleted since. */
export type MovedFromFacts = Pick<BookingFacts, 'date' | 'time' | 'openingHours'> & { productName: string }

export type WorkflowFacts = {
  trigger: Trigger
  offsetMinutes: number
  productId: number | null
  subject: string
  body: string
  active: boolean
}

export type OfferFacts = {
  /** Whether the places are still held for the party that got the offer. */
  isOpen: boolean
  /** Local time of the product, `YYYY-MM-DD HH:MM`. */
  localUntil: string | null
}

/** Returns the current time of the database's clock. */
export async function findNow(sql: Queryable): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select app_now() as now`
  return row!.now
}

/** A booking by its id or its reference, with all data for templates; null when there is none. */
export async function findBookingFacts(
  sql: Queryable,
  accountId: number,
  key: { id: number } | { reference: string },
): Promise<BookingFacts | null> {
  const wanted = 'id' in key ? sql`bookings.id = ${key.id}` : sql`bookings.reference = ${key.reference}`
  const [booking] = await sql<(Omit<BookingFacts, 'sale'> & { basketId: number })[]>`
    select bookings.id, basket_id as "basketId", reference, bookings.status, refund_minor::text as "refundMinor", attendance, ${boughtColumns(sql)}, first_name as "firstName",
      last_name as "lastName", email, phone, reservations.contact->'locales' as locales, ${slotColumns(sql)}
    from bookings
    left join reservations on reservations.account_id = bookings.account_id and reservations.booking_id = bookings.id
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = timeslot_id
    join products on products.account_id = bookings.account_id and products.id = product_id
    cross join lateral (select ${endsAt(sql)} as ends_at) as computed
    where bookings.account_id = ${accountId} and ${wanted}`
  if (!booking) return null
  const ledger = (await readLedger(sql, accountId, [booking.basketId])).get(booking.basketId)
  return { ...booking, sale: ledger ? moneyOf(ledger) : null }
}

export type SlotFacts = Pick<
  BookingFacts,
  | ('productId' | 'productName' | 'durationMinutes' | 'timeZone' | 'timeslotId' | 'date' | 'time')
  | ('openingHours' | 'startsAt' | 'localStart' | 'endsAt' | 'localEnd')
>

/** The data of a timeslot for templates; null when there is none. */
export async function findSlotFacts(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<SlotFacts | null> {
  const [slot] = await sql<SlotFacts[]>`
    select ${slotColumns(sql)} from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = product_id
    cross join lateral (select ${endsAt(sql)} as ends_at) as computed
    where slot.account_id = ${accountId} and slot.id = ${id}`
  return slot ?? null
}

function slotColumns(sql: Queryable) {
  return sql`products.id as "productId", products.name as "productName",
    duration_minutes as "durationMinutes", time_zone as "timeZone", slot.id as "timeslotId", date, time,
    opening_hours as "openingHours", starts_at as "startsAt",
    ${wallClock(sql, sql`starts_at`)} as "localStart", ends_at as "endsAt",
    ${wallClock(sql, sql`ends_at`)} as "localEnd"`
}

function wallClock(sql: Queryable, instant: ReturnType<typeof sql>) {
  return sql`to_char(${instant} at time zone time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`
}

/**
 * Adds up the refunds of a booking that were caused by the change with this event number, or by later changes
 * of the same kind. Amounts that were set off are not included.
 */
export async function sumChangeRefunds(
  sql: Queryable,
  accountId: number,
  { id, number, cause }: { id: number; number: number; cause: 'moved' | 'amended' },
): Promise<string> {
  const [sum] = await sql<{ minor: string }[]>`
    select coalesce(sum(refunds.amount_minor), 0)::text as minor from bookings
    join refunds on refunds.account_id = bookings.account_id and refunds.basket_id = bookings.basket_id
      and refunds.booking_id = bookings.id
    where bookings.account_id = ${accountId} and bookings.id = ${id} and refunds.cause = ${cause}
      -- A change begins after the previous change has committed.
      and refunds.decided_at > coalesce((
        select max(occurred_at) from events
        where events.account_id = bookings.account_id and events.booking_id = bookings.id
          and events.type = ${`booking.${cause}`} and events.number < ${number}
      ), '-infinity')`
  return sum!.minor
}

export async function findWorkflowFacts(sql: Queryable, accountId: number, id: number) {
  const [workflow] = await sql<WorkflowFacts[]>`
    select trigger, offset_minutes as "offsetMinutes", product_id as "productId", subject, body, active
    from workflows where account_id = ${accountId} and id = ${id}`
  return workflow ?? null
}

/** The active workflows for a trigger and a product, by id; at most five. */
export function listChangeWorkflows(
  sql: Queryable,
  accountId: number,
  { trigger, productId }: { trigger: ChangeTrigger; productId: number },
) {
  return sql<{ id: number; name: string; offsetMinutes: number; subject: string; body: string }[]>`
    select id, name, offset_minutes as "offsetMinutes", subject, body from workflows
    where account_id = ${accountId} and active and trigger = ${trigger}
      and (product_id = ${productId} or product_id is null)
    order by id limit 5`
}

/**
 * The account's own confirmation text for bookings of a product. A workflow for this product takes precedence
 * over a workflow for all products.
 */
export async function findConfirmationWords(sql: Queryable, accountId: number, productId: number) {
  const [words] = await sql<{ subject: string; body: string }[]>`
    select subject, body from workflows
    where account_id = ${accountId} and active and trigger = 'booking-confirmed'
      and (product_id = ${productId} or product_id is null)
    order by product_id nulls last, id limit 1`
  return words ?? null
}

/** The offer of a waitlist entry. */
export async function findOfferFacts(sql: Queryable, accountId: number, entryId: number) {
  const [offer] = await sql<OfferFacts[]>`
    select entry.status = 'offered' and baskets.status = 'open' and expires_at > app_now() as "isOpen",
      to_char(expires_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as "localUntil"
    from waitlist_entries as entry
    join bookings on bookings.account_id = entry.account_id and bookings.id = booking_id
    join baskets on baskets.account_id = entry.account_id and baskets.id = basket_id
    join timeslots on timeslots.account_id = entry.account_id and timeslots.id = bookings.timeslot_id
    join products on products.account_id = entry.account_id and products.id = product_id
    where entry.account_id = ${accountId} and entry.id = ${entryId}`
  return offer ?? null
}

export type PausedEndpoint = {
  id: number
  url: string
  description: string
  isPartners: boolean
  partnerName: string | null
  /** Whether e-mails go to the `Email` of the endpoint, and not to the owners of the account. */
  hasEmail: boolean
  reason: PauseReason
  /** Local time of the account, `YYYY-MM-DD HH:MM`. */
  pausedAt: string
  failingSince: string | null
  timeZone: string
  /** How many deliveries are neither delivered nor set aside. */
  unfinished: number
  /**
   * The outcome of a recent failed try: the status of the response, or `fault` with the reason if there was
   * none.
   */
  httpStatus: number | null
  fault: string | null
}

/**
 * The paused webhook endpoint that an e-mail is about. Null if the endpoint has been resumed, even if it is
 * paused again.
 */
export async function findPausedEndpoint(
  sql: Queryable,
  { accountId, details }: { accountId: number; details: Record<string, unknown> },
): Promise<PausedEndpoint | null> {
  const at = (instant: ReturnType<typeof sql>) =>
    sql`to_char(${instant} at time zone time_zone, 'YYYY-MM-DD HH24:MI')`
  const [endpoint] = await sql<PausedEndpoint[]>`
    select endpoint.id, url, description, partner_id is not null as "isPartners", partners.name as "partnerName",
      endpoint.email is not null as "hasEmail", pause_reason as reason, ${at(sql`paused_at`)} as "pausedAt",
      ${at(sql`failing_since`)} as "failingSince", time_zone as "timeZone", unfinished, late.http_status as "httpStatus",
      late.fault
    from webhook_endpoints as endpoint
    join accounts on accounts.account_id = endpoint.account_id
    left join partners on partners.account_id = endpoint.account_id and partners.id = partner_id
    left join lateral (
      select http_status, fault from webhook_deliveries as delivery
      where delivery.account_id = endpoint.account_id and endpoint_id = endpoint.id and delivery.status = 'pending'
        and tries > 0
      order by next_try_at desc limit 1
    ) as late on true
    where endpoint.account_id = ${accountId} and endpoint.id = ${Number(details.EndpointID)}
      and paused_at = ${String(details.PausedAt)}::text::timestamptz`
  return endpoint ?? null
}

export async function isOptedOut(sql: Queryable, accountId: number, hash: Buffer): Promise<boolean> {
  const [found] = await sql`
    select from email_optouts where account_id = ${accountId} and address_hash = ${hash}`
  return found !== undefined
}
