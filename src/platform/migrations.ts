/**
 * Brings a database to the newest schema: BullMQ's tables, then the project's own numbered files in sql/.
 * Any number of processes may call it at once; one works, the others wait and find nothing to do.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { runMigrations } from 'bullmq'
import pg from 'pg'
import Postgrator from 'postgrator'
import { openDatabase, type Queryable, type Transaction } from './database.ts'
import { projectPath } from './paths.ts'

const migrationLock = 7_241_103
const schemaTable = 'schema_migrations'
const pattern = projectPath('sql', '*.sql')

/**
 * Applies what is missing, all of it in one transaction, which also holds the lock that keeps others waiting: when
 * its connection breaks, nothing was done, and nobody goes on without the lock.
 * @returns the names of the files that were applied now, oldest first.
 * @throws when a file that was applied before has been changed since.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-migrate' })
  try {
    const applied = await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${migrationLock})`
      // In a transaction of their own, which is committed before isMigrated() says yes.
      await migrateQueues(databaseUrl)
      return applyMissing(tx)
    })
    return applied.map(({ filename }) => path.basename(filename))
  } finally {
    await sql.end()
  }
}

function applyMissing(tx: Transaction) {
  const postgrator = new Postgrator({
    driver: 'pg',
    migrationPattern: pattern,
    schemaTable,
    execQuery: async (query: string) => ({ rows: await tx.unsafe(query) }),
    execSqlScript: async (script: string) => {
      await tx.unsafe(script).simple()
    },
  })
  return postgrator.migrate()
}

/**
 * Whether the database has every migration that this build came with; it may have newer ones.
 * @throws when PostgreSQL is out of reach.
 */
export async function isMigrated(sql: Queryable): Promise<boolean> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass(${schemaTable}) is not null as there`
  if (!table?.there) return false
  const [row] = await sql<{ version: number }[]>`select max(version) as version from ${sql(schemaTable)}`
  return (row?.version ?? 0) >= newestMigration
}

const newestMigration = Math.max(
  ...readdirSync(path.dirname(pattern)).map((file) => Number.parseInt(file, 10) || 0),
)

async function migrateQueues(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await runMigrations(client)
  } finally {
    await client.end()
  }
}
