/** What audits found last. The audits themselves are those of the features they audit. */
import type { Queryable } from '../platform/database.ts'

export type AuditKind = 'usage-totals' | 'booked-places'
export type Audit = { kind: AuditKind; finishedAt: Date; differences: number }

/** Keeps how many differences an audit of an account found that ends now. */
export async function upsertAudit(
  sql: Queryable,
  accountId: number,
  kind: AuditKind,
  differences: number,
): Promise<void> {
  await sql`
    insert into audits (account_id, kind, finished_at, differences)
    values (${accountId}, ${kind}, now(), ${differences})
    on conflict (account_id, kind) do update set
      finished_at = excluded.finished_at, differences = excluded.differences`
}

export function listAudits(sql: Queryable, accountId: number) {
  return sql<Audit[]>`
    select kind, finished_at as "finishedAt", differences from audits where account_id = ${accountId}`
}
