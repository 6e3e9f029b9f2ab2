/** The SQL of messages to all bookings of a timeslot: the recipients and the e-mails. */

import type { EventBooking } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { traceContext } from '../../platform/tracing/tracing.ts'
import type { MessageWords } from '../emails/model.ts'
import { isNotifiedByReseller } from '../emails/reseller-queries.ts'

export type MessageRecipient = {
  bookingId: number
  reference: string
  firstName: string | null
  lastName: string | null
  phone: string | null
  hasEmail: boolean
  /** Whether the reseller notifies the customer, instead of the operator. */
  isNotifiedByReseller: boolean
}

/** The confirmed bookings of a timeslot, by name; at most `limit`. */
export function listRecipients(
  sql: Queryable,
  accountId: number,
  { timeslotId, limit }: { timeslotId: number; limit: number },
) {
  return sql<MessageRecipient[]>`
    select id as "bookingId", reference, first_name as "firstName", last_name as "lastName", phone,
      coalesce(email, '') <> '' as "hasEmail", ${isNotifiedByReseller(sql, { accountId, id: sql`bookings.id` })} as "isNotifiedByReseller"
    from bookings
    where account_id = ${accountId} and timeslot_id = ${timeslotId} and status = 'confirmed'
    order by lower(last_name), id
    limit ${limit}`
}

/** How many confirmed bookings of a timeslot get a message by e-mail. */
export async function countEmailed(sql: Queryable, accountId: number, timeslotId: number): Promise<number> {
  const [row] = await sql<{ written: number }[]>`
    select count(*)::integer as written from bookings
    where account_id = ${accountId} and timeslot_id = ${timeslotId} and status = 'confirmed'
      and email <> '' and not ${isNotifiedByReseller(sql, { accountId, id: sql`bookings.id` })}`
  return row!.written
}

/** How many bookings of a timeslot are only held, or are on its waitlist. */
export async function countUnconfirmed(
  sql: Queryable,
  accountId: number,
  timeslotId: number,
): Promise<number> {
  const [row] = await sql<{ parties: number }[]>`
    select count(*)::integer as parties from bookings
    where account_id = ${accountId} and timeslot_id = ${timeslotId} and status in ('held', 'waitlisted')`
  return row!.parties
}

/**
 * The e-mails that all customers of a timeslot got: a message of the operator, or the notice of a closure.
 */
export type SentToAll = {
  kind: 'message' | 'closure'
  at: Date
  /** Null if the subjects of the e-mails differ. */
  subject: string | null
  /** The operator's words about a closure. */
  message: string | null
  emails: number
  sent: number
}

/**
 * The e-mails to all customers of a timeslot, by time. Bookings that a user or partner has moved since are not counted.
 */
export function listSentToAll(sql: Queryable, accountId: number, timeslotId: number) {
  return sql<SentToAll[]>`
    select kind, emails.created_at as at, count(*)::integer as emails,
      (count(*) filter (where emails.status = 'sent'))::integer as sent,
      case when count(distinct details ->> 'Subject') = 1 then min(details ->> 'Subject') end as subject,
      min(details ->> 'Message') filter (where kind = 'closure') as message
    from (
      select id from bookings where account_id = ${accountId} and timeslot_id = ${timeslotId}
      union
      select booking_id from closure_calls where account_id = ${accountId} and timeslot_id = ${timeslotId}
    ) as concerned
    join emails on emails.account_id = ${accountId} and emails.booking_id = concerned.id
    join timeslots as slot on slot.account_id = ${accountId} and slot.id = ${timeslotId}
    where kind = 'message' and details -> 'TimeslotID' = to_jsonb(slot.id)
      or kind = 'closure' and details ->> 'FromDate' = slot.date::text and details ->> 'FromTime' = to_char(slot.time, 'HH24:MI')
    group by kind, emails.created_at
    order by emails.created_at, kind`
}

/**
 * Queues an e-mail for each confirmed booking that has an address and whose customer no reseller notifies;
 * returns these bookings.
 */
export async function insertMessages(
  tx: Transaction,
  accountId: number,
  words: MessageWords,
): Promise<EventBooking[]> {
  return tx<EventBooking[]>`
    with recipient as (
      select id, basket_id, timeslot_id, partner_id, channel from bookings
      where account_id = ${accountId} and timeslot_id = ${words.TimeslotID} and status = 'confirmed'
        and email <> '' and not ${isNotifiedByReseller(tx, { accountId, id: tx`bookings.id` })}
    ), made as (
      insert into emails (account_id, kind, booking_id, details, trace_context)
      select ${accountId}, 'message', id, ${JSON.stringify(words)}::text::jsonb, ${traceContext()}
      from recipient order by id
      returning booking_id
    )
    select id, basket_id as "basketId", timeslot_id as "timeslotId", partner_id as "partnerId", channel
    from recipient join made on booking_id = id
    order by id`
}

/**
 * Seconds until the account may queue `more` further e-mails of messages without exceeding `most` in 24
 * hours; 0 if it may do so now. More than `most` are allowed if none was queued in the last 24 hours.
 */
export async function findMessageWait(
  tx: Transaction,
  accountId: number,
  { more, most }: { more: number; most: number },
): Promise<number> {
  const [row] = await tx<{ seconds: number }[]>`
    select ceil(extract(epoch from created_at + interval '1 day' - app_now()))::integer as seconds from emails
    where account_id = ${accountId} and kind = 'message'
    order by id desc offset ${Math.max(0, most - more)} limit 1`
  return Math.max(0, row?.seconds ?? 0)
}
