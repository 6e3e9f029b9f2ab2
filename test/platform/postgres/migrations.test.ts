/** Migrations: each is applied once, even when several calls run at once, and a failed call applies none. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../src/platform/postgres/database.ts'
import { isMigrated } from '../../../src/platform/postgres/migrated.ts'
import { migrate } from '../../../src/platform/postgres/migrations.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { makeFolder } from '../../command-line.ts'
import { until } from '../../until.ts'

const files = readdirSync(projectPath('sql'))
  .filter((file) => file.includes('.do.'))
  .sort()

async function createEmptyDatabase(t: Test) {
  const admin = openDatabase(process.env.TEST_DATABASE_URL!, { poolSize: 1, applicationName: 'abs-test' })
  const name = `test_${randomBytes(8).toString('hex')}`
  await admin`create database ${admin(name)} template template0`
  const url = new URL(process.env.TEST_DATABASE_URL!)
  url.pathname = `/${name}`
  const sql = openDatabase(url.href, { poolSize: 4, applicationName: 'abs-test' })
  t.teardown(async () => {
    await sql.end()
    await admin`drop database ${admin(name)} with (force)`
    await admin.end()
  })
  const isThere = async (table: string) =>
    (await sql`select to_regclass(${table}) is not null as there`)[0]!.there as boolean
  return { url: url.href, sql, isThere }
}

t.test('of several migrations at once, one does the work, and the others find nothing to do', async (t) => {
  const { url, sql } = await createEmptyDatabase(t)
  t.equal(await isMigrated(sql), false)
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url)))
  t.same(applied.flat(), files)
  t.equal(applied.filter((names) => names.length === 0).length, 3)
  t.equal(await isMigrated(sql), true)
})

t.test('a file that fails undoes those before it', async (t) => {
  const { url, sql, isThere } = await createEmptyDatabase(t)
  // Conflicts with migration 106, which runs after the one that makes the table accounts.
  await sql`create sequence meter_entry_ids`
  await t.rejects(migrate(url), /meter_entry_ids/)
  t.equal(await isThere('accounts'), false)
  await sql`drop sequence meter_entry_ids`
  t.same(await migrate(url), files)
})

t.test('a migration whose connection breaks does nothing, and another one does everything', async (t) => {
  const { url, sql, isThere } = await createEmptyDatabase(t)
  const both = await sql.begin(async (tx) => {
    // This sequence blocks both migrations: one waits for this transaction, and the other for the first one.
    await tx`create sequence meter_entry_ids`
    const migrating = [migrate(url), migrate(url)]
    const settled = Promise.allSettled(migrating)
    const broken = Promise.race(migrating)
    broken.catch(() => {})
    await until(
      async () =>
        (
          await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'abs-migrate'
              and wait_event = 'transactionid'`
        ).length === 1,
    )
    await t.rejects(broken, /CONNECTION_CLOSED|terminating connection/)
    t.equal(await isThere('accounts'), false)
    await tx`drop sequence meter_entry_ids`
    return { settled }
  })
  t.same(
    (await both.settled).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    [files],
  )
})

t.test(
  'columns and indexes that were made ahead, as docs/operations.md says, are left as they are',
  async (t) => {
    const { url, sql, file, folder } = await prepareMigration(
      t,
      'alter table timeslots add column if not exists something_new text;\n' +
        'create index if not exists timeslots_by_something_new on timeslots (account_id, something_new);',
    )
    const script = await readFile(path.join(folder, file), 'utf8')
    const ahead = script.match(/^(alter table \w+ add column|create index) if not exists .*/gm) ?? []
    t.equal(ahead.length, 2)
    for (const statement of ahead) await sql.unsafe(statement.replace(/^create index/, '$& concurrently'))
    t.same(await migrate(url, { folder }), [file])
  },
)

/** A migrated database, and a further migration that changes a table that every booking needs. */
async function prepareMigration(t: Test, script = 'alter table timeslots add column something_new text;') {
  const database = await createEmptyDatabase(t)
  await migrate(database.url)
  const folder = await makeFolder(t)
  await cp(projectPath('sql'), folder, { recursive: true })
  const file = '999.do.something-new.sql'
  await writeFile(path.join(folder, file), script)
  return { ...database, file, folder }
}

t.test('a migration tries a locked table repeatedly, and no query waits behind the migration', async (t) => {
  const { url, sql, file, folder } = await prepareMigration(t)
  let migrating: Promise<string[]> | undefined
  await sql.begin(async (tx) => {
    await tx`lock table timeslots in access share mode`
    migrating = migrate(url, { folder })
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'abs-migrate' and wait_event = 'relation'`
      return waiting.length > 0
    })
    // If the migration waited until the end of this transaction, this query would wait behind it and be
    // refused.
    await sql.begin(async (request) => {
      await request`set local lock_timeout = '10s'`
      await request`select from timeslots`
    })
  })
  t.same(await migrating, [file])
})

t.test('a migration gives up when a table stays locked, names the holder, and changes nothing', async (t) => {
  const { url, sql, file, folder } = await prepareMigration(t)
  await sql.begin(async (tx) => {
    await tx`lock table timeslots in access share mode`
    const [own] = await tx`select pg_backend_pid() as pid`
    await t.rejects(migrate(url, { tries: 1, folder }), {
      message: new RegExp(`^no file of sql/ was applied: .*process ${own!.pid} \\(abs-test\\)`),
    })
  })
  t.same(await migrate(url, { folder }), [file])
})
