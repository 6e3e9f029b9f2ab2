/** How many times PostgreSQL has read a whole table, by its own statistics. */
import type { Queryable } from '../src/platform/postgres/database.ts'

/** @param sql the only connection that has run the queries. */
export async function countWholeReads(
  sql: Queryable,
  tables: readonly string[],
): Promise<Record<string, number>> {
  await sql`select pg_stat_force_next_flush()`
  const rows = await sql<{ table: string; reads: number }[]>`
    select relname as "table", seq_scan as reads from pg_stat_user_tables
    where relname = any(${[...tables]}::text[]) order by relname`
  return Object.fromEntries(rows.map(({ table, reads }) => [table, reads]))
}
