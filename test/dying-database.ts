/**
 * A database whose client dies: at a statement of a transaction, or after its commit and before the response.
 */
import { problems } from '../src/http/problems.ts'
import type { Sql } from '../src/platform/postgres/database.ts'

export type Life = {
  /** The statement of a transaction at which it dies; null for none. */
  statement: number | null
  /** Whether it dies at the commit of a transaction. */
  endsWithCommit: boolean
}

/**
 * Reads outside of transactions go on. PostgreSQL rolls back a transaction whose client is gone, and so does
 * this.
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
