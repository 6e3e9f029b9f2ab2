/** Checks at start whether this process may use the database. */
import {
  listLimits,
  openDatabase,
  type PoolMode,
  type Sql,
  statementTimeoutMs,
  type TimeoutProfile,
} from './database.ts'
import { isOutOfReach } from './errors.ts'
import { isMigrated, notMigrated, refuseReplaced } from './migrated.ts'

/**
 * Refuses a database that lacks migrations of this build or has migrations that were replaced. Also refuses a
 * pooler that does not set all timeouts of listLimits(), or whose statement timeout is too short. A database
 * that is down is not refused.
 * @throws an error whose message says what is wrong and what to do.
 */
export async function refuseUnfit(
  databaseUrl: string,
  poolMode: PoolMode,
  timeouts: TimeoutProfile,
): Promise<void> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-start', poolMode })
  try {
    await refuseReplaced(sql)
    if (!(await isMigrated(sql))) throw new Error(notMigrated)
    const fault = poolMode === 'transaction' && (await findPoolFault(sql, timeouts))
    if (fault) throw new Error(fault)
  } catch (error) {
    if (/^unsupported startup parameter/.test((error as Error).message))
      throw new Error(
        'the database is behind PgBouncer: set DATABASE_POOL_MODE=transaction and DATABASE_DIRECT_URL',
      )
    if (!isOutOfReach(error)) throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function findPoolFault(sql: Sql, timeouts: TimeoutProfile): Promise<string | null> {
  const limits = await listLimits(sql)
  const missing = limits.filter(({ milliseconds }) => milliseconds === 0).map(({ name }) => name)
  if (missing.length > 0)
    return `the pool does not set ${missing.join(', ')} for its connections: see connect_query in ops/pgbouncer.ini`
  const needed = statementTimeoutMs(timeouts)
  const given = limits.find(({ name }) => name === 'statement_timeout')!.milliseconds
  return given < needed
    ? `the pool ends a statement after ${given / 1000} s, and this process needs ${needed / 1000} s: use the pool of the workers (booking_worker in ops/pgbouncer.ini) in its DATABASE_URL`
    : null
}
