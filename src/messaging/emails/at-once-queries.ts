/** The SQL that queues the e-mails of workflows without a delay when a booking is confirmed or cancelled. */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import { isNotifiedByReseller } from './reseller-queries.ts'

export type AtOnceChange = {
  accountId: number
  bookingId: number
  trigger: 'booking-confirmed' | 'booking-cancelled'
  traceContext: TraceContext | null
}

/**
 * Queues the e-mails of workflows for these changes, and records each pair of workflow and booking in
 * `workflow_runs`, so that the sweep skips it. If the sweep queued them, a confirmation could come after the
 * e-mail of a later change. The rows are written in the same order as by the sweep, which prevents deadlocks.
 * Because accounts share the transaction, at most five workflows of an account for the same trigger and
 * product are processed here, and at most five for the same trigger that apply to all products. The sweep
 * processes the others.
 * @returns the number of queued e-mails.
 */
export async function insertAtOnceEmails(tx: Transaction, changes: readonly AtOnceChange[]): Promise<number> {
  const { count } = await tx`
    with workflow as (
      select account_id, id, trigger, product_id, armed_at,
        row_number() over (partition by account_id, trigger, product_id order by id) as place
      from workflows
      where active and offset_minutes = 0 and trigger in ('booking-confirmed', 'booking-cancelled')
        and account_id = any(${[...new Set(changes.map(({ accountId }) => accountId))]}::bigint[])
    ), due as (
      select distinct on (workflow.account_id, workflow.id, bookings.id)
        workflow.account_id, workflow.id as workflow_id, bookings.id as booking_id, change.trace_context, change.place
      from unnest(
        ${changes.map(({ accountId }) => accountId)}::bigint[], ${changes.map(({ bookingId }) => bookingId)}::bigint[],
        ${changes.map(({ trigger }) => trigger)}::text[], ${changes.map((change) => change.traceContext)}::text[]
      ) with ordinality as change (account_id, booking_id, trigger, trace_context, place)
      join bookings on bookings.account_id = change.account_id and bookings.id = change.booking_id
      join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
      join workflow on workflow.account_id = change.account_id and workflow.trigger = change.trigger and workflow.place <= 5
        and (workflow.product_id is null or workflow.product_id = slot.product_id)
      where bookings.erasure_id is null
        and case change.trigger
          when 'booking-confirmed' then bookings.status = 'confirmed' and confirmed_at >= workflow.armed_at
          else bookings.status = 'cancelled' and cancelled_at >= workflow.armed_at
            and cancel_reason <> 'closure' and confirmed_at is not null
        end
        and not ${isNotifiedByReseller(tx, { accountId: tx`bookings.account_id`, id: tx`bookings.id` })}
      order by workflow.account_id, workflow.id, bookings.id
    ), run as (
      insert into workflow_runs (account_id, workflow_id, booking_id)
      select account_id, workflow_id, booking_id from due
      on conflict do nothing
      returning account_id, workflow_id, booking_id
    )
    insert into emails (account_id, kind, workflow_id, booking_id, trace_context)
    select account_id, 'workflow', workflow_id, booking_id, trace_context
    from run join due using (account_id, workflow_id, booking_id)
    order by place, workflow_id`
  return count
}
