/**
 * Brings a database to the newest schema: the project's own numbered files in sql/, then BullMQ's tables.
 * Any number of processes may call it at once; one works, the others wait and find nothing to do.
 */
import { runMigrations } from 'bullmq'
import pg from 'pg'
import Postgrator from 'postgrator'
import { openDatabase } from './database.ts'
import { projectPath } from './paths.ts'

const migrationLock = 7_241_103

/**
 * Applies what is missing, each file in a transaction of its own.
 * @returns the names of the files that were applied now, oldest first.
 * @throws when a file that was applied before has been changed since.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-migrate' })
  try {
    await sql`select pg_advisory_lock(${migrationLock})`
    const postgrator = new Postgrator({
      driver: 'pg',
      migrationPattern: projectPath('sql', '*.sql'),
      schemaTable: 'schema_migrations',
      execQuery: async (query: string) => ({ rows: await sql.unsafe(query) }),
      execSqlScript: async (script: string) => {
        await sql.begin((tx) => tx.unsafe(script).simple())
      },
    })
    const applied = await postgrator.migrate()
    await migrateQueues(databaseUrl)
    return applied.map(({ filename }) => filename.split('/').at(-1)!)
  } finally {
    await sql.end()
  }
}

async function migrateQueues(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await runMigrations(client)
  } finally {
    await client.end()
  }
}
