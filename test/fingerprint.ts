/** A fingerprint of a database, to check that nothing in it has changed. */
import type { Sql } from '../src/platform/postgres/database.ts'

/** Tables to which sign-ins, and requests that only read, write too. */
const omitted = ['sessions', 'sign_in_guesses', 'sign_in_origins', 'partner_calls']

/**
 * A digest of each table except those above, without the column `last_used_at`.
 * @param accountId only rows of this account, and only tables with an account. Without it, all rows and
 * tables.
 */
export async function fingerprint(sql: Sql, accountId?: number): Promise<Record<string, string>> {
  const tables = await sql<{ name: string; owned: boolean }[]>`
    select tablename as name, exists (
      select from information_schema.columns
      where table_schema = 'public' and table_name = tablename and column_name = 'account_id'
    ) as owned
    from pg_tables where schemaname = 'public' and tablename <> all (${omitted})`
  const some = accountId === undefined ? tables : tables.filter(({ owned }) => owned)
  const prints = some.map(async ({ name }) => {
    const rows = accountId === undefined ? sql`` : sql`where account_id = ${accountId}`
    const [row] = await sql<{ print: string }[]>`
      select coalesce(md5(string_agg(kept, ',' order by kept)), '') as print
      from (select (to_jsonb(one) - 'last_used_at')::text as kept from ${sql(name)} as one ${rows}) as all_rows`
    return [name, row!.print] as const
  })
  return Object.fromEntries(await Promise.all(prints))
}
