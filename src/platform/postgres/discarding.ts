/** A transaction that is never committed: it writes, reads what it wrote, and leaves nothing. */
import type { Sql, Transaction } from './database.ts'

/**
 * Does the work in a transaction that sees the database as of one instant and is rolled back at its end. Rows
 * that it locks stay locked until then, and drawn ids stay unused.
 * @returns what the work returned.
 */
export async function inDiscardedTransaction<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const done: T[] = []
  const end = new Error('this transaction is discarded')
  try {
    await sql.begin('isolation level repeatable read', async (tx) => {
      done.push(await work(tx))
      throw end
    })
  } catch (error) {
    if (error !== end) throw error
  }
  return done[0]!
}
