/** The SQL of keeping personal data no longer than configured. Each query finds what is due by an index. */
import { endsAt } from '../inventory/on-sale.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'

export type EndedSlot = { id: number; startsAt: Date }

/**
 * Locks some timeslots of an account that ended so many days ago and have bookings whose customer may be known, those
 * that began first before the others, behind `after`. One that somebody else holds is passed over.
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

/** Locks some bookings of locked timeslots that can be erased, in the order of their ids; gives those. */
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

/** Marks those of locked timeslots that have no booking left whose customer may be known. */
export async function markErased(tx: Transaction, accountId: number, slotIds: number[]): Promise<void> {
  await tx`
    update timeslots as slot set customers_erased_at = app_now()
    where account_id = ${accountId} and id = any(${slotIds}::bigint[])
      and not exists (
        select from bookings
        where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id and erasure_id is null
      )`
}

/** Deletes some e-mails that were made so many days ago and are not queued; gives the ids of their messages. */
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

/** Deletes some runs of workflows that are deleted themselves; gives how many. Their ids are not used again. */
export async function deleteOrphanRuns(sql: Queryable): Promise<number> {
  // From one workflow to the next by the primary key, past all the runs of each.
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
