/** The SQL that manages workflows. The SQL of the sweep is in sweep-queries.ts. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { Trigger } from '../emails/triggers.ts'

/** The fields of a workflow that the operator sets. */
export type WorkflowInput = {
  name: string
  trigger: Trigger
  offsetMinutes: number
  productId: number | null
  subject: string
  body: string
  active: boolean
}

export type WorkflowRow = WorkflowInput & { id: number; createdAt: Date; updatedAt: Date }

/** Workflows with an id above `after`, by id; at most `limit`. */
export function listWorkflows(sql: Queryable, accountId: number, after: number, limit: number) {
  return sql<WorkflowRow[]>`
    select ${columns(sql)} from workflows
    where account_id = ${accountId} and id > ${after}
    order by id limit ${limit}`
}

export async function findWorkflow(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<WorkflowRow | null> {
  const [workflow] = await sql<WorkflowRow[]>`
    select ${columns(sql)} from workflows where account_id = ${accountId} and id = ${id}`
  return workflow ?? null
}

/** Finds a workflow and locks it until the transaction ends. Null if there is none. */
export async function lockWorkflow(
  tx: Transaction,
  accountId: number,
  id: number,
): Promise<WorkflowRow | null> {
  const [workflow] = await tx<WorkflowRow[]>`
    select ${columns(tx)} from workflows where account_id = ${accountId} and id = ${id} for no key update`
  return workflow ?? null
}

export async function isProduct(sql: Queryable, accountId: number, productId: number): Promise<boolean> {
  const [product] = await sql`select from products where account_id = ${accountId} and id = ${productId}`
  return product !== undefined
}

export async function countWorkflows(sql: Queryable, accountId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from workflows where account_id = ${accountId}`
  return row!.count
}

/** Makes a workflow; null if another workflow has the name. */
export async function insertWorkflow(
  tx: Transaction,
  accountId: number,
  workflow: WorkflowInput,
): Promise<WorkflowRow | null> {
  const [made] = await tx<WorkflowRow[]>`
    insert into workflows (account_id, name, trigger, offset_minutes, product_id, subject, body, active,
      swept_number)
    values (${accountId}, ${workflow.name}, ${workflow.trigger}, ${workflow.offsetMinutes},
      ${workflow.productId}, ${workflow.subject}, ${workflow.body}, ${workflow.active},
      ${endOfLog(tx, accountId)})
    on conflict (account_id, name) do nothing
    returning ${columns(tx)}`
  return made ?? null
}

/**
 * Changes a workflow; null if there is none. A workflow that is switched on, or gets another trigger, offset
 * or product, sends nothing for bookings that were due before the change.
 * @throws a unique violation if another workflow has the name.
 */
export async function updateWorkflow(
  tx: Transaction,
  accountId: number,
  id: number,
  workflow: WorkflowInput,
): Promise<WorkflowRow | null> {
  const { name, trigger, offsetMinutes, productId, subject, body, active } = workflow
  const [changed] = await tx<WorkflowRow[]>`
    update workflows set name = ${name}, trigger = ${trigger}, offset_minutes = ${offsetMinutes},
      product_id = ${productId}, subject = ${subject}, body = ${body}, active = ${active}, updated_at = now(),
      armed_at = case
        when active and trigger = ${trigger} and offset_minutes = ${offsetMinutes}
          and product_id is not distinct from ${productId} then armed_at else app_now() end,
      swept_number = case when active then swept_number else ${endOfLog(tx, accountId)} end
    where account_id = ${accountId} and id = ${id}
    returning ${columns(tx)}`
  return changed ?? null
}

/**
 * In workflows with the subject and the body of `from`, replaces them with the subject and the body of `to`.
 * The name is replaced too if it is still that of `from` and no other workflow has the name of `to`.
 */
export async function translateWorkflow(
  tx: Transaction,
  accountId: number,
  { from, to }: { from: WorkflowInput; to: WorkflowInput },
): Promise<void> {
  await tx`
    update workflows set subject = ${to.subject}, body = ${to.body}, updated_at = now(),
      name = case when name = ${from.name} and not exists (
        select from workflows as other where other.account_id = ${accountId} and other.name = ${to.name}
      ) then ${to.name} else name end
    where account_id = ${accountId} and trigger = ${from.trigger} and subject = ${from.subject} and body = ${from.body}`
}

/**
 * Deletes and returns a workflow; null if there is none. Its queued e-mails are dropped when they are due.
 */
export async function deleteWorkflow(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<WorkflowRow | null> {
  const [removed] = await sql<WorkflowRow[]>`
    delete from workflows where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
  return removed ?? null
}

function columns(sql: Queryable) {
  return sql`id, name, trigger, offset_minutes as "offsetMinutes", product_id as "productId", subject, body,
    active, created_at as "createdAt", updated_at as "updatedAt"`
}

/** The last number of the account's log. */
function endOfLog(sql: Queryable, accountId: number) {
  return sql`coalesce((select last_number from event_counters where account_id = ${accountId}), 0)`
}
