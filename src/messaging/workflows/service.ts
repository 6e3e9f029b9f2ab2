/** Use cases of workflows: listing, making and changing them, switching them on or off, and deleting them. */

import { lockAccount } from '../../accounts/service.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { isTaken } from '../../platform/postgres/errors.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import type { RenderBudget } from '../emails/render-budget.ts'
import { previewWords } from '../emails/service.ts'
import * as queries from './queries.ts'
import type { WorkflowsQuery } from './schemas.ts'

export type { WorkflowInput, WorkflowRow } from './queries.ts'

/**
 * The maximum number of workflows of an account. The limit is needed because the sweep queries each active
 * one every 30 seconds.
 */
export const maxWorkflows = 100

/** A workflow to write, and the budget that counts the rendering of its templates. */
type Written = { workflow: queries.WorkflowInput; renders: RenderBudget }

/**
 * Workflows by id. `next` is the cursor of the next page; null if there is none.
 * @throws Problem validation for an invalid cursor.
 */
export async function browseWorkflows(
  sql: Sql,
  accountId: number,
  { Limit, Cursor }: WorkflowsQuery,
): Promise<{ workflows: queries.WorkflowRow[]; next: string | null }> {
  const [after] = readPosition(Cursor, ['number']) ?? [0]
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listWorkflows(sql, accountId, after, limit),
    ({ id }) => [id],
  )
  return { workflows: rows, next }
}

/** @throws Problem not-found when the account has no such workflow. */
export async function requireWorkflow(sql: Sql | Transaction, accountId: number, id: number) {
  const workflow = await queries.findWorkflow(sql, accountId, id)
  if (!workflow) throw problems.workflowNotFound()
  return workflow
}

/**
 * Makes a workflow. It sends nothing for bookings that were due before.
 * @throws Problem validation for an unknown product and for templates that cannot be rendered;
 * workflow-name-taken; account-limit-reached; rate-limited as previewWords().
 */
export async function createWorkflow(
  tx: Transaction,
  accountId: number,
  { workflow, renders }: Written,
): Promise<queries.WorkflowRow> {
  await check(tx, accountId, { workflow, renders })
  // If two workflows are made at the same time, the lock makes the second request count both.
  await lockAccount(tx, accountId)
  if ((await queries.countWorkflows(tx, accountId)) >= maxWorkflows)
    throw problems.accountLimitReached('workflows', maxWorkflows)
  const made = await queries.insertWorkflow(tx, accountId, workflow)
  if (!made) throw problems.workflowNameTaken(workflow.name)
  return made
}

/**
 * Replaces a workflow.
 * @param seen the version that the caller has read, if it sends one.
 * @throws as createWorkflow() except account-limit-reached, and Problem not-found or edited-meanwhile.
 */
export async function replaceWorkflow(
  tx: Transaction,
  accountId: number,
  id: number,
  { workflow, renders, seen }: Written & { seen?: string },
): Promise<queries.WorkflowRow> {
  requireVersion(seen, await lockWorkflow(tx, accountId, id))
  await check(tx, accountId, { workflow, renders })
  const changed = await queries.updateWorkflow(tx, accountId, id, workflow).catch((error) => {
    throw isTaken(error) ? problems.workflowNameTaken(workflow.name) : error
  })
  return changed!
}

/** Switches a workflow on or off, without other changes. @throws Problem not-found. */
export async function switchWorkflow(
  tx: Transaction,
  accountId: number,
  id: number,
  active: boolean,
): Promise<queries.WorkflowRow> {
  const existing = await lockWorkflow(tx, accountId, id)
  return (await queries.updateWorkflow(tx, accountId, id, { ...existing, active }))!
}

async function lockWorkflow(tx: Transaction, accountId: number, id: number) {
  const workflow = await queries.lockWorkflow(tx, accountId, id)
  if (!workflow) throw problems.workflowNotFound()
  return workflow
}

/** Deletes and returns a workflow. @throws Problem not-found. */
export async function removeWorkflow(
  sql: Sql | Transaction,
  accountId: number,
  id: number,
): Promise<queries.WorkflowRow> {
  const removed = await queries.deleteWorkflow(sql, accountId, id)
  if (!removed) throw problems.workflowNotFound()
  return removed
}

async function check(tx: Transaction, accountId: number, { workflow, renders }: Written): Promise<void> {
  const errors: FieldError[] = []
  if (workflow.trigger === 'before-start' && workflow.offsetMinutes === 0)
    errors.push({ field: 'OffsetMinutes', message: 'must be at least 1 before the start' })
  if (workflow.productId !== null && !(await queries.isProduct(tx, accountId, workflow.productId)))
    errors.push({ field: 'ProductID', message: 'is not a product of this account' })
  const options = { reference: null, renders, isForSaving: true }
  const { faults } = await previewWords(tx, accountId, workflow, options)
  errors.push(...faults)
  if (errors.length > 0) throw problems.validation(errors)
}
