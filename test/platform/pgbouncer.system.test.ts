/** The service behind a PgBouncer in transaction mode, with the settings of ops/pgbouncer.ini. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import {
  type DatabaseOptions,
  openDatabase,
  type Queryable,
  type Sql,
} from '../../src/platform/postgres/database.ts'
import { isOutOfReach } from '../../src/platform/postgres/errors.ts'
import { refuseUnfit } from '../../src/platform/postgres/fit-database.ts'
import { createPgbouncer, isInstalled, workersUrl } from '../fleet/pgbouncer.ts'
import { createDatabase } from '../helper.ts'

const skip = isInstalled() ? false : 'there is no PgBouncer here'

/**
 * Starts a PgBouncer with `size` server connections. Returns it with a direct connection to its database, and `open`,
 * which connects through PgBouncer.
 */
async function startPgbouncer(t: Test, size: number, settings: string[] = []) {
  const { sql: direct, url } = await createDatabase(t)
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-pgbouncer-'))
  const server = new URL(url)
  // PgBouncer accepts no unknown settings.
  server.search = ''
  const pool = await createPgbouncer('pool', folder, server.href, [
    `default_pool_size = ${size}`,
    ...settings,
  ])
  await pool.start()
  t.teardown(async () => {
    await pool.stop()
    await rm(folder, { recursive: true })
  })
  const open = (timeouts: DatabaseOptions['timeouts']): Sql => {
    const sql = openDatabase(pool.url, {
      poolSize: 10,
      applicationName: 'abs-pooled',
      timeouts,
      poolMode: 'transaction',
    })
    t.teardown(() => sql.end({ timeout: 1 }))
    return sql
  }
  return { direct, url, pool, open }
}

t.test('many clients share few server connections, and each gets its own results', { skip }, async (t) => {
  const { direct, open } = await startPgbouncer(t, 2)
  const pools = [open('request'), open('request'), open('job')]
  const ask = async (sql: Queryable, number: number) => {
    const [row] = await sql<{ number: number }[]>`select ${number}::integer as number`
    return row!.number
  }
  const asked = Array.from({ length: 300 }, (_, number) => number)
  const answers = asked.map((number) => {
    const sql = pools[number % pools.length]!
    return number % 2 ? ask(sql, number) : sql.begin((tx) => ask(tx, number))
  })
  t.same(await Promise.all(answers), asked)
  const [row] = await direct<{ servers: number }[]>`
    select count(*)::integer as servers from pg_stat_activity
    where datname = current_database() and application_name = 'abs-pooled'`
  t.ok(row!.servers <= 2, `${row!.servers} connections of the server`)
})

t.test(
  'a transaction has the timeouts of its own pool, even on a connection that pools share',
  { skip },
  async (t) => {
    const { open } = await startPgbouncer(t, 1)
    const limits = (sql: Sql, options = 'read write') =>
      sql.begin(options, async (tx) => {
        const rows = await tx<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where name like '%\_timeout' order by name`
        return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
      })
    const request = {
      lock_timeout: 2000,
      statement_timeout: 10_000,
      idle_in_transaction_session_timeout: 5000,
    }
    const job = { lock_timeout: 0, statement_timeout: 50_000, idle_in_transaction_session_timeout: 60_000 }
    const [web, worker] = [open('request'), open('job')]
    for (const [sql, expected] of [
      [web, request],
      [worker, job],
      [web, request],
    ] as const)
      t.match(await limits(sql), expected)
    t.match(await limits(web, 'isolation level repeatable read read only'), request)
  },
)

t.test('a wait for a lock always ends, in a transaction and outside of one', { skip }, async (t) => {
  const { direct, open } = await startPgbouncer(t, 4)
  const sql = open('request')
  await direct`create table places (sold integer)`
  await direct`insert into places values (0)`
  await direct.begin(async (tx) => {
    await tx`update places set sold = 1`
    const refused = { code: '55P03' }
    await Promise.all([
      t.rejects(sql`update places set sold = 2`, refused),
      t.rejects(
        sql.begin((waiting) => waiting`update places set sold = ${3}`),
        refused,
      ),
    ])
  })
  t.same(await sql`select sold from places`, [{ sold: 1 }])
})

t.test(
  'a client that waits too long for a server connection gets an error that PostgreSQL is out of reach',
  { skip },
  async (t) => {
    const { open } = await startPgbouncer(t, 1, ['query_wait_timeout = 1'])
    // The transaction of a job may be idle for a minute.
    const [holder, waiter] = [open('job'), open('request')]
    await holder.begin(async (tx) => {
      await tx`select 1`
      const error = await waiter`select ${1}::integer`.catch((error) => error)
      t.ok(isOutOfReach(error), `${error.code} ${error.message}`)
    })
    t.match(await waiter`select 2 as number`, [{ number: 2 }])
  },
)

t.test(
  'a process refuses a pool that differs from its configuration or sets no limits, and says what to do',
  { skip },
  async (t) => {
    const { url, pool } = await startPgbouncer(t, 1)
    await t.resolves(refuseUnfit(pool.url, 'transaction', 'request'))
    await t.rejects(refuseUnfit(pool.url, 'session', 'request'), {
      message: /set DATABASE_POOL_MODE=transaction/,
    })
    await t.rejects(refuseUnfit(url, 'transaction', 'request'), {
      message: /not set idle_in.*, lock_timeout.*connect_query/,
    })
  },
)

t.test('a worker refuses the pool of the web processes, and names its own', { skip }, async (t) => {
  const { pool } = await startPgbouncer(t, 1)
  await t.rejects(refuseUnfit(pool.url, 'transaction', 'job'), {
    message: /after 10 s, and this process needs 50 s: .*booking_worker/,
  })
  await t.resolves(refuseUnfit(workersUrl(pool.url), 'transaction', 'job'))
})
