/** The SQL of the table `erasures`, which records erasures. queries.ts has the SQL that erases data. */
import type { Queryable } from '../platform/postgres/database.ts'

export type Cause = { cause: 'command' | 'retention' } | { cause: 'dashboard'; userId: number }

export async function insertErasure(sql: Queryable, accountId: number, by: Cause): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into erasures (account_id, cause, user_id)
    values (${accountId}, ${by.cause}, ${'userId' in by ? by.userId : null})
    returning id`
  return made!.id
}

export type Erasure = { accountId: number; id: number }
/**
 * An erasure whose e-mails and stored responses are not cleared yet, and how many bookings it had when it was
 * read.
 */
export type UnfinishedErasure = Erasure & { bookings: number }

/**
 * Erasures, of one account or of all, whose e-mails and stored responses are not cleared yet; by account,
 * oldest first.
 */
export function listUnfinished(sql: Queryable, accountId: number | null) {
  return sql<UnfinishedErasure[]>`
    select account_id as "accountId", id, bookings from erasures
    where finished_at is null ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
    order by account_id, id`
}

/** Adds to the counts of an erasure. */
export async function countCleared(
  sql: Queryable,
  { accountId, id }: Erasure,
  { tickets = 0, emails = 0, answers = 0 }: { tickets?: number; emails?: number; answers?: number },
): Promise<void> {
  await sql`
    update erasures set tickets = tickets + ${tickets}, emails = emails + ${emails}, answers = answers + ${answers}
    where account_id = ${accountId} and id = ${id}`
}

/** Ends an erasure, unless bookings were added to it after it was read; returns whether it ended. */
export async function endErasure(
  sql: Queryable,
  { accountId, id, bookings }: UnfinishedErasure,
): Promise<boolean> {
  const { count } = await sql`
    update erasures set finished_at = coalesce(finished_at, app_now())
    where account_id = ${accountId} and id = ${id} and bookings = ${bookings}`
  return count === 1
}

/** How much an erasure cleared. `answers` counts stored responses, not answers to waiver questions. */
export type ErasureCounts = {
  bookings: number
  tickets: number
  emails: number
  answers: number
  finishedAt: Date | null
}

export async function readErasure(sql: Queryable, { accountId, id }: Erasure): Promise<ErasureCounts> {
  const [row] = await sql<ErasureCounts[]>`
    select bookings, tickets, emails, answers, finished_at as "finishedAt" from erasures
    where account_id = ${accountId} and id = ${id}`
  return row!
}
