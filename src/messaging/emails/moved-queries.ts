/** The SQL that queues the e-mails of workflows for moves. from-events.ts decides which moves get one. */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import { isNotifiedByReseller } from './reseller-queries.ts'

/** Where a booking was, and the number of the event that moved it, as the details of the e-mail hold it. */
export type MovedFrom = { Date: string; Time: string; Number: number }

export type ToldMove = {
  accountId: number
  bookingId: number
  number: number
  from: MovedFrom | null
  traceContext: TraceContext | null
}

/**
 * Queues an e-mail of each workflow for each of these moves, at most one for each booking; returns how many.
 * An e-mail that still waits will have the latest timeslot, so a second move queues no other.
 */
export async function insertMovedEmails(tx: Transaction, moves: readonly ToldMove[]): Promise<number> {
  const { count } = await tx`
    insert into emails (account_id, kind, workflow_id, booking_id, details, next_try_at, trace_context)
    select workflow.account_id, 'workflow', workflow.id, bookings.id,
      jsonb_build_object('MovedFrom', moved.origin::jsonb),
      app_now() + workflow.offset_minutes * interval '1 minute', moved.trace_context
    from unnest(
      ${moves.map(({ accountId }) => accountId)}::bigint[], ${moves.map(({ bookingId }) => bookingId)}::bigint[],
      ${moves.map(({ number }) => number)}::bigint[], ${moves.map(({ from }) => JSON.stringify(from))}::text[],
      ${moves.map((move) => move.traceContext)}::text[]
    ) with ordinality as moved (account_id, booking_id, number, origin, trace_context, place)
    join bookings on bookings.account_id = moved.account_id and bookings.id = moved.booking_id
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join workflows as workflow on workflow.account_id = moved.account_id and workflow.active
      and workflow.trigger = 'booking-moved' and (workflow.product_id is null or workflow.product_id = slot.product_id)
      and workflow.swept_number < moved.number
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
