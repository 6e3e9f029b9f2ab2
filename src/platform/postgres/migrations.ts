/**
 * Brings a database to the newest schema: BullMQ's tables, then the numbered files in sql/. Any number of
 * processes may call it at once; one works, and the others wait and find nothing to do.
 */
import path from 'node:path'
import { runMigrations } from 'bullmq'
import pg from 'pg'
import Postgrator from 'postgrator'
import { tryAgain } from '../async/try-again.ts'
import { openDatabase, type Sql, type Transaction } from './database.ts'
import { isLockTimeout, isRetryable } from './errors.ts'
import { migrationFiles, refuseReplaced, schemaTable } from './migrated.ts'

const migrationLock = 7_241_103
// Less than the two seconds that a web request waits for a lock: a query that needs a table waits behind a
// migration that waits for that table. More than one second: after that time, PostgreSQL cancels an automatic
// vacuum of the table.
const lockMs = 1500
// In the first tries, the files of sql/ wait less than one second (`deadlock_timeout`). When a migration and a
// query wait for each other's tables, the migration then gives up before PostgreSQL detects a deadlock and ends
// the query. BullMQ's migrations always wait `lockMs`.
const quickMs = 500
const quickTries = 20
const pauseMs = 1000
const maxTries = 150

/**
 * Applies the missing files of sql/ in one transaction, which also holds the lock that makes other processes
 * wait. If the connection breaks, no file is applied. BullMQ's own migrations are committed before the files.
 * The service may run meanwhile: if another session has locked a table, the migration waits briefly, rolls
 * back, and tries again after a second, `tries` times in all.
 * @returns the names of the files that were applied now, oldest first.
 * @throws when the database has migrations that were replaced, when a file that was applied before has
 * changed since, or when every try found a table locked.
 */
export async function migrate(
  databaseUrl: string,
  { tries = maxTries, folder = migrationFiles } = {},
): Promise<string[]> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-migrate' })
  try {
    const when = (error: unknown) => isLockTimeout(error) || isRetryable(error)
    let tried = 0
    const lockTimeout = () => (++tried <= quickTries ? quickMs : lockMs)
    const applied = await tryAgain(() => attempt(sql, databaseUrl, folder, lockTimeout()), {
      tries,
      when,
      pauseMs,
    })
    return applied.map(({ filename }) => path.basename(filename))
  } catch (error) {
    throw isLockTimeout(error) ? await explainHeld(sql) : error
  } finally {
    await sql.end()
  }
}

function attempt(sql: Sql, databaseUrl: string, folder: string, lockTimeoutMs: number) {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${migrationLock})`
    await refuseReplaced(tx)
    // BullMQ's migrations have their own transaction, which is committed before the files of sql/ are applied.
    await migrateQueues(databaseUrl)
    await tx`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`
    return applyMissing(tx, folder)
  })
}

/** The transaction that has been open longest is probably the one that holds the table. */
async function explainHeld(sql: Sql): Promise<Error> {
  const [oldest] = await sql<{ pid: number; name: string; seconds: number }[]>`
    select pid, coalesce(nullif(application_name, ''), backend_type) as name,
      extract(epoch from now() - xact_start)::integer as seconds
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    order by xact_start limit 1`
  const held = 'no file of sql/ was applied: another session has locked a table that must be changed'
  return new Error(
    oldest
      ? `${held}; process ${oldest.pid} (${oldest.name}) has had a transaction open for ${oldest.seconds} s`
      : `${held}; run the migration again`,
  )
}

async function applyMissing(tx: Transaction, folder: string) {
  const postgrator = new Postgrator({
    driver: 'pg',
    migrationPattern: path.join(folder, '*.do.*.sql'),
    schemaTable,
    execQuery: async (query: string) => ({ rows: await tx.unsafe(query) }),
    execSqlScript: async (script: string) => {
      await tx.unsafe(script).simple()
    },
  })
  return postgrator.migrate()
}

async function migrateQueues(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, lock_timeout: lockMs })
  await client.connect()
  try {
    await runMigrations(client)
  } finally {
    await client.end()
  }
}
