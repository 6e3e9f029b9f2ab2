/**
 * The SQL that queues the e-mails of workflows for moves and changed parties. from-events.ts selects the
 * changes.
 */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import { isNotifiedByReseller } from './reseller-queries.ts'
import type { FollowedTrigger } from './triggers.ts'

/**
 * Where a booking was before a move, and the number of the event that moved it. Stored in the details of the
 * e-mail. E-mails that an earlier version of the service queued have no `TimeslotID`, and some have no
 * `Number`.
 */
export type MovedFrom = { Date: string; Time: string; TimeslotID?: number; Number: number }

/**
 * The party before a change, and the number of the event that changed it. A product without units has no
 * `Units`.
 */
export type PartyBefore = {
  Participants: number
  Units?: { UnitID: number; Quantity: number }[]
  Number: number
}

/** The state of a booking before a change, stored in the details of the e-mail. */
export type BeforeChange = { MovedFrom?: MovedFrom | null; PartyBefore?: PartyBefore }

export type EmailedChange = {
  accountId: number
  bookingId: number
  trigger: FollowedTrigger
  number: number
  before: BeforeChange
  traceContext: TraceContext | null
}

/**
 * Queues the e-mails of workflows for these changes. The caller passes at most one change of each trigger for
 * a booking. If an e-mail of the same workflow for the same booking is queued and not claimed, no further
 * e-mail is queued: the queued e-mail will have the latest data.
 * @returns the number of queued e-mails.
 */
export async function insertChangeEmails(
  tx: Transaction,
  changes: readonly EmailedChange[],
): Promise<number> {
  const { count } = await tx`
    insert into emails (account_id, kind, workflow_id, booking_id, details, next_try_at, trace_context)
    select workflow.account_id, 'workflow', workflow.id, bookings.id, change.before::jsonb,
      app_now() + workflow.offset_minutes * interval '1 minute', change.trace_context
    from unnest(
      ${changes.map(({ accountId }) => accountId)}::bigint[], ${changes.map(({ bookingId }) => bookingId)}::bigint[],
      ${changes.map(({ trigger }) => trigger)}::text[], ${changes.map(({ number }) => number)}::bigint[],
      ${changes.map(({ before }) => JSON.stringify(before))}::text[], ${changes.map((change) => change.traceContext)}::text[]
    ) with ordinality as change (account_id, booking_id, trigger, number, before, trace_context, place)
    join bookings on bookings.account_id = change.account_id and bookings.id = change.booking_id
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join workflows as workflow on workflow.account_id = change.account_id and workflow.active
      and workflow.trigger = change.trigger and (workflow.product_id is null or workflow.product_id = slot.product_id)
      and workflow.swept_number < change.number
    where bookings.status = 'confirmed' and bookings.email <> '' and bookings.erasure_id is null
      and not ${isNotifiedByReseller(tx, { accountId: tx`bookings.account_id`, id: tx`bookings.id` })}
      and not exists (
        select from emails as waiting
        where waiting.account_id = bookings.account_id and waiting.booking_id = bookings.id
          and waiting.workflow_id = workflow.id and waiting.status = 'queued' and waiting.lease is null
      )
    order by place, workflow.id`
  return count
}
