/** The latest results of audits. Each audit itself is in the feature that it checks. */
import type { Queryable } from '../../platform/postgres/database.ts'

const auditKinds = ['usage-totals', 'booked-places', 'sales-totals'] as const
export type AuditKind = (typeof auditKinds)[number]
export type Audit = { kind: AuditKind; finishedAt: Date; differences: number }

/** Stores the number of differences that an audit has found, with the time of this call as its end. */
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

/**
 * For each kind of audit: the sum of the differences that the last audits of all live accounts found, and
 * when the oldest of these audits ended (Unix seconds). An account without an audit is counted with its
 * creation time. Only a command audits test accounts.
 */
export function sumAudits(sql: Queryable) {
  return sql<{ kind: AuditKind; differences: number; oldestSecond: number }[]>`
    select kind, coalesce(sum(differences), 0)::bigint as differences,
      extract(epoch from min(coalesce(finished_at, created_at)))::float8 as "oldestSecond"
    from accounts cross join unnest(${auditKinds}::text[]) as kind
    left join audits using (account_id, kind)
    where account_id > 0
    group by kind`
}
