/** A database that was migrated by files before 101 is refused, and the message says what to do. */
import { readdir } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { startEmbeddedPostgres } from '../../../src/platform/embedded/embedded-postgres.ts'
import { openDatabase, type Sql } from '../../../src/platform/postgres/database.ts'
import { makeFolder, run } from '../../command-line.ts'
import { createDatabase } from '../../helper.ts'
import { startProcess } from '../../processes.ts'
import { startAllInOne } from '../../start/all-in-one.ts'

const refusal =
  'the database was made by a version before migration 101 and cannot be upgraded: set DATABASE_URL to an empty ' +
  'database; with npm start, delete the folder DATA_DIR (.data) or set DATA_DIR to another folder\n'

/** Makes the rows that postgrator wrote for the migrations before 101. */
async function noteOldMigrations(sql: Sql): Promise<void> {
  await sql`create table if not exists schema_migrations
    (version bigint primary key, name text, md5 text, run_at timestamptz)`
  await sql`delete from schema_migrations`
  await sql`insert into schema_migrations (version) values (0)`
  await sql`
    insert into schema_migrations
    select version, 'an earlier file', md5(version::text), now() from generate_series(1, 17) as version
    where version <> 10`
}

/**
 * A database with the tables of this version, whose table schema_migrations has the rows of an earlier
 * version.
 */
async function createOldDatabase(t: Test) {
  const database = await createDatabase(t)
  await noteOldMigrations(database.sql)
  return database
}

t.test('cli migrate refuses a database of an earlier version, and changes nothing', async (t) => {
  const { sql, url } = await createOldDatabase(t)
  t.match(await run({ DATABASE_URL: url }, 'migrate'), { code: 1, stdout: '', stderr: `error: ${refusal}` })
  t.match(await sql`select max(version)::integer as newest from schema_migrations`, [{ newest: 17 }])
})

for (const [name, entry] of [
  ['web', 'src/server.js'],
  ['worker', 'workers/worker.js'],
] as const) {
  t.test(`a ${name} process refuses a database of an earlier version`, async (t) => {
    const { url } = await createOldDatabase(t)
    const { ended, output } = startProcess(t, entry, { DATABASE_URL: url, PORT: '0', WORKER_PORT: '0' })
    t.equal(await ended, 1)
    t.equal(output(), refusal)
  })
}

t.test('npm start refuses a database of an earlier version, whether configured or embedded', async (t) => {
  const { url } = await createOldDatabase(t)
  const DATA_DIR = await makeFolder(t)
  const own = await startEmbeddedPostgres(DATA_DIR)
  const sql = openDatabase(own.url, { poolSize: 1, applicationName: 'abs-test' })
  await noteOldMigrations(sql)
  await sql.end()
  await own.stop()
  const named: Record<string, string>[] = [{}, { DATABASE_URL: url }]
  for (const variables of named) {
    const { ended, printed } = startAllInOne(t, { DATA_DIR, ...variables })
    t.equal(await ended, 1)
    t.match(printed, { stdout: '', stderr: refusal })
  }
  t.notOk((await readdir(`${DATA_DIR}/postgres`)).includes('postmaster.pid'), 'no PostgreSQL runs after that')
})
