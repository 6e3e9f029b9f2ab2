/** Empties a database that was made from the template, which takes less time than to make another one. */
import type { Sql } from '../src/platform/postgres/database.ts'

const schema = `'public'::regnamespace`
// The catalogs that a change of the schema writes to. Moving the clock is not such a change. Queues have their own
// schema, made when they are first used.
const catalogs = [
  `pg_class as changed where relnamespace = ${schema}`,
  `pg_constraint as changed where connamespace = ${schema}`,
  `pg_proc as changed where pronamespace = ${schema} and proname <> 'app_now'`,
  `pg_trigger as changed join pg_class as own on own.oid = tgrelid where relnamespace = ${schema}`,
  `pg_attrdef as changed join pg_class as own on own.oid = adrelid where relnamespace = ${schema}`,
]

/**
 * Returns a function that deletes all rows. It deletes nothing and returns false if the schema has changed
 * since this call. Sequences are not reset, so an id that a process has cached never belongs to a new row.
 */
export async function createEmptying(sql: Sql): Promise<() => Promise<boolean>> {
  const [{ next }] = await sql<[{ next: string }]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`
  const counting = `(select count(*) from pg_class where relnamespace = ${schema})`
  const [{ count }] = await sql.unsafe<[{ count: number }]>(`select ${counting}::integer as count`)
  const changes = [
    ...catalogs.map((rows) => `exists (select from ${rows} and changed.xmin::text::bigint >= ${next})`),
    `${counting} <> ${count}`,
  ]
  // The tables that have a page have had rows. To ask each table for rows would take ten times as long, because
  // PostgreSQL would plan a query of a hundred tables.
  const findings = `
    select null as name where ${changes.join(' or ')}
    union all
    select oid::regclass::text from pg_class
    where relnamespace = ${schema} and relkind = 'r' and relname <> 'schema_migrations' and pg_relation_size(oid) > 0`
  return async () => {
    const used = await sql.unsafe<{ name: string | null }[]>(findings, [], { prepare: true })
    if (used.some(({ name }) => name === null)) return false
    if (used.length === 0) return true
    await sql.begin(async (tx) => {
      // This disables triggers and foreign keys, so that the tables can be emptied in any order.
      await tx`set local session_replication_role = replica`
      await tx.unsafe(used.map(({ name }) => `delete from ${name}`).join(';'))
    })
    return true
  }
}
