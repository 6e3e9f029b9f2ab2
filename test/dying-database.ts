/**
 * A database whose client dies: at a statement of a transaction, or after its commit and before the response.
 */
import { problems } from '../src/http/problems.ts'
import type { Sql } from '../src/platform/postgres/database.ts'

export type Life = {
  /** The number, from 1, of the statement at which each transaction dies; null if none does. */
  statement: number | null
  /** Whether the client dies after the commit of each transaction, before the response. */
  endsWithCommit: boolean
}

/**
 * Throws `unavailable` where the client dies. A transaction that dies before its commit is rolled back, as
 * PostgreSQL does when a client is gone. Queries outside of transactions work.
 */
export function dyingDatabase(sql: Sql): { sql: Sql; life: Life } {
  const life: Life = { statement: null, endsWithCommit: false }
  const begin = async (work: (tx: unknown) => unknown) => {
    let statements = 0
    const result = await sql.begin((tx) =>
      work(
        new Proxy(tx, {
          apply(target, self, given) {
            const [first] = given as [{ raw?: unknown }]
            if (first?.raw && ++statements === life.statement) throw problems.unavailable()
            return Reflect.apply(target, self, given)
          },
        }),
      ),
    )
    if (life.endsWithCommit) throw problems.unavailable()
    return result
  }
  const mortal = new Proxy(sql, {
    get: (target, name, receiver) => (name === 'begin' ? begin : Reflect.get(target, name, receiver)),
  })
  return { sql: mortal, life }
}
