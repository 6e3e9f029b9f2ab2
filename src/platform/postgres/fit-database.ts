/** Whether a database, as it is reached, is one to serve from. */
import { listMissingSettings, openDatabase, type PoolMode, type Sql } from './database.ts'
import { isOutOfReach } from './errors.ts'
import { isMigrated, notMigrated, refuseReplaced } from './migrations.ts'

/**
 * A process that waits for PostgreSQL is useful; one that meets the tables of another version is not, nor one whose
 * statements could wait for a lock without end.
 * @throws what is wrong and what to do, in a sentence.
 */
export async function refuseUnfit(databaseUrl: string, poolMode: PoolMode): Promise<void> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-start', poolMode })
  try {
    await refuseReplaced(sql)
    const fault = await findFault(sql, poolMode)
    if (fault) throw new Error(fault)
  } catch (error) {
    if (/^unsupported startup parameter/.test((error as Error).message))
      throw new Error('a PgBouncer is in between: set DATABASE_POOL_MODE=transaction and DATABASE_DIRECT_URL')
    if (!isOutOfReach(error)) throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function findFault(sql: Sql, poolMode: PoolMode): Promise<string | null> {
  if (!(await isMigrated(sql))) return notMigrated
  const missing = poolMode === 'transaction' ? await listMissingSettings(sql) : []
  return missing.length > 0
    ? `the pool gives its connections no ${missing.join(', ')}: see connect_query in ops/pgbouncer.ini`
    : null
}
