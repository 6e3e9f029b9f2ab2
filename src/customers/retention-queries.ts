/** The SQL that deletes personal data after the configured time. Each query finds due rows by an index. */
import { endsAt } from '../inventory/on-sale.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'

export type EndedSlot = { id: number; startsAt: Date }

/**
 * Locks some timeslots of an account that ended at least this many days ago and are not marked as erased, in
 * the order of their start, after `after`. It skips timeslots that another transaction has locked.
 */
export function lockEndedSlots(
  tx: Transaction,
  accountId: number,
  { days, after, limit }: { days: number; after: EndedSlot | null; limit: number },
) {
  return tx<EndedSlot[]>`
    select slot.id, slot.starts_at as "startsAt" from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and slot.customers_erased_at is null
      and slot.starts_at <= app_now() - ${days} * interval '1 day'
      and ${endsAt(tx)} <= app_now() - ${days} * interval '1 day'
      ${after ? tx`and (slot.starts_at, slot.id) > (${after.startsAt}, ${after.id})` : tx``}
    order by slot.starts_at, slot.id limit ${limit}
    for update of slot skip locked`
}

/**
 * Locks some bookings of these locked timeslots, in the order of their ids: bookings that are not erased yet,
 * and that are confirmed, cancelled or expired. Returns the ids.
 */
export async function lockBookingsOfSlots(
  tx: Transaction,
  accountId: number,
  { slotIds, limit }: { slotIds: number[]; limit: number },
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from bookings
    where account_id = ${accountId} and timeslot_id = any(${slotIds}::bigint[]) and erasure_id is null
      and status in ('confirmed', 'cancelled', 'expired')
    order by id limit ${limit}
    for update`
  return rows.map(({ id }) => id)
}

/** Marks the locked timeslots whose bookings are all erased. */
export async function markErased(tx: Transaction, accountId: number, slotIds: number[]): Promise<void> {
  await tx`
    update timeslots as slot set customers_erased_at = app_now()
    where account_id = ${accountId} and id = any(${slotIds}::bigint[])
      and not exists (
        select from bookings
        where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id and erasure_id is null
      )`
}

/**
 * Deletes some e-mails that were made at least `days` days ago and are not queued. Returns their message ids.
 */
export async function deleteEndedEmails(sql: Queryable, days: number): Promise<string[]> {
  const rows = await sql<{ messageId: string }[]>`
    delete from emails where ctid = any(array(
      select ctid from emails
      where status <> 'queued' and created_at <= app_now() - ${days} * interval '1 day'
      order by created_at limit 1000 for update skip locked
    ))
    returning message_id as "messageId"`
  return rows.map(({ messageId }) => messageId)
}

/** Deletes some runs of deleted workflows; returns how many. Ids of workflows are not used again. */
export async function deleteOrphanRuns(sql: Queryable): Promise<number> {
  // The recursive query finds each workflow by the primary key, without reading all its runs.
  const { count } = await sql`
    with recursive ran as (
      (select account_id, workflow_id from workflow_runs order by account_id, workflow_id limit 1)
      union all
      select next.account_id, next.workflow_id from ran cross join lateral (
        select account_id, workflow_id from workflow_runs
        where (workflow_runs.account_id, workflow_runs.workflow_id) > (ran.account_id, ran.workflow_id)
        order by account_id, workflow_id limit 1
      ) as next
    )
    delete from workflow_runs where ctid = any(array(
      select run.ctid from ran cross join lateral (
        select ctid from workflow_runs
        where workflow_runs.account_id = ran.account_id and workflow_runs.workflow_id = ran.workflow_id
        limit 1000
      ) as run
      where not exists (
        select from workflows where workflows.account_id = ran.account_id and workflows.id = ran.workflow_id
      )
      limit 1000
    ))`
  return count
}
