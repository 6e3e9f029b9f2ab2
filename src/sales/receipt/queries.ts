/** The SQL of what a receipt says besides its sale and the money of it. */
import type { Queryable } from '../../platform/postgres/database.ts'

/** Who sold it, and on which clock its times are. */
export async function findSeller(sql: Queryable, accountId: number) {
  const [seller] = await sql<{ name: string; timeZone: string }[]>`
    select name, time_zone as "timeZone" from accounts where account_id = ${accountId}`
  return seller!
}
