/** How many deadlocks PostgreSQL has detected, by its own statistics. */
import type { Sql } from '../src/platform/postgres/database.ts'
import { until } from './until.ts'

/**
 * The deadlocks in the database of `sql` since it was made, also those after which a transaction was tried again.
 * Ends all other sessions of the database, because an idle session may report its deadlocks only after ten seconds.
 */
export async function countDeadlocks(sql: Sql): Promise<number> {
  const connection = await sql.reserve()
  try {
    const ended = await connection<{ pid: number }[]>`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    const pids = ended.map(({ pid }) => pid)
    await until(
      async () => (await connection`select from pg_stat_activity where pid = any(${pids})`).length === 0,
    )
    await connection`select pg_stat_force_next_flush()`
    const [row] = await connection<{ deadlocks: number }[]>`
      select deadlocks from pg_stat_database where datname = current_database()`
    return row!.deadlocks
  } finally {
    connection.release()
  }
}
