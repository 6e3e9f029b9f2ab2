/** All SQL of OCTO's supplier, which is the account. */
import type { Queryable } from '../../platform/postgres/database.ts'

export async function findSupplier(sql: Queryable, accountId: number) {
  const [supplier] = await sql<{ slug: string; name: string }[]>`
    select slug, name from accounts where account_id = ${accountId}`
  return supplier!
}
