/** Whether a database, as it is reached, is one to serve from. */
import {
  listLimits,
  mostOfStatement,
  openDatabase,
  type PoolMode,
  type Sql,
  type TimeoutProfile,
} from './database.ts'
import { isOutOfReach } from './errors.ts'
import { isMigrated, notMigrated, refuseReplaced } from './migrations.ts'

/**
 * A process that waits for PostgreSQL is useful; one that meets the tables of another version is not, nor one whose
 * statements could wait for a lock without end, or would be ended before their time.
 * @throws what is wrong and what to do, in a sentence.
 */
export async function refuseUnfit(
  databaseUrl: string,
  poolMode: PoolMode,
  patience: TimeoutProfile,
): Promise<void> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-start', poolMode })
  try {
    await refuseReplaced(sql)
    if (!(await isMigrated(sql))) throw new Error(notMigrated)
    const fault = poolMode === 'transaction' && (await findPoolFault(sql, patience))
    if (fault) throw new Error(fault)
  } catch (error) {
    if (/^unsupported startup parameter/.test((error as Error).message))
      throw new Error('a PgBouncer is in between: set DATABASE_POOL_MODE=transaction and DATABASE_DIRECT_URL')
    if (!isOutOfReach(error)) throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function findPoolFault(sql: Sql, patience: TimeoutProfile): Promise<string | null> {
  const limits = await listLimits(sql)
  const missing = limits.filter(({ milliseconds }) => milliseconds === 0).map(({ name }) => name)
  if (missing.length > 0)
    return `the pool gives its connections no ${missing.join(', ')}: see connect_query in ops/pgbouncer.ini`
  const needed = mostOfStatement(patience)
  const given = limits.find(({ name }) => name === 'statement_timeout')!.milliseconds
  return given < needed
    ? `the pool ends a statement after ${given / 1000} seconds, and this process needs ${needed / 1000}: name the pool of the workers in its DATABASE_URL, booking_worker in ops/pgbouncer.ini`
    : null
}
