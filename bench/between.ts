/**
 * Measures the cost of PgBouncer in transaction mode, and how much load a standby takes from the primary: one
 * web process on Debian's PostgreSQL, with neither of them, with each, and with both. Prints a table.
 * `npm run bench` does not include it, because it needs Debian's packages.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toActivityId } from '../src/catalogue/model.ts'
import { openDatabase, type Sql } from '../src/platform/postgres/database.ts'
import { migrate } from '../src/platform/postgres/migrations.ts'
import { createCluster, createStandby } from '../test/fleet/debian-postgres.ts'
import { createPgbouncer } from '../test/fleet/pgbouncer.ts'
import { bookingRequests, makeAccount, makeProduct } from './fixtures.ts'
import { type Figures, type LoadRequest, runLoad } from './harness/load.ts'
import { startWebs, stopAll } from './harness/processes.ts'
import { measureSize, type Size, storeMany } from './sizes.ts'

const seconds = Number(process.argv[2] ?? 6)
const connections = 64

const folder = await mkdtemp(path.join(tmpdir(), 'abs-between-'))
const primary = await createCluster('primary', path.join(folder, 'primary'))
await primary.start()
await migrate(primary.url)
const standby = await createStandby('standby', path.join(folder, 'standby'), primary)
const pool = await createPgbouncer('pool', folder, primary.url)
const standbyPool = await createPgbouncer('standby-pool', folder, standby.url)
const members = [standby, pool, standbyPool]
for (const member of members) await member.start()
const sql = openDatabase(primary.url, { poolSize: 2, applicationName: 'abs-bench' })
try {
  await run(sql)
} finally {
  await sql.end({ timeout: 1 })
  for (const member of members.toReversed()) await member.stop()
  await primary.stop()
  await rm(folder, { recursive: true })
}

async function run(sql: Sql): Promise<void> {
  const account = await makeAccount(sql)
  const product = await makeProduct(sql, { ...account, name: 'tour', slots: 1000, capacity: 1_000_000 })
  await sql`vacuum analyze`
  const base = `/api/v2/ota/marketplace/availability/${toActivityId(product.activity)}/timeslots`
  const availabilityRequests = product.slots
    .filter((_, index) => index % 20 === 0)
    .map(({ date }): LoadRequest => {
      return { method: 'GET', path: `${base}?Date=${date}`, token: account.token }
    })
  const bookings = bookingRequests(account.token, product)
  const pooled = { DATABASE_POOL_MODE: 'transaction', DATABASE_DIRECT_URL: primary.url }
  const ways: [string, Record<string, string>][] = [
    ['PostgreSQL alone', { DATABASE_URL: primary.url }],
    ['behind PgBouncer', { DATABASE_URL: pool.url, ...pooled }],
    ['with a standby', { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url }],
    ['with both', { DATABASE_URL: pool.url, DATABASE_REPLICA_URL: standbyPool.url, ...pooled }],
  ]
  let sizeOfBooking: Size | undefined
  process.stdout.write(
    '| | bookings/s | p50 ms | p99 ms | availability/s | p50 ms | p99 ms | statements/s on the primary during availability |\n' +
      '| --- | --: | --: | --: | --: | --: | --: | --: |\n',
  )
  for (const [name, environment] of ways) {
    const webs = await startWebs(1, environment)
    const load = (requests: LoadRequest[]) =>
      runLoad({ targets: webs.map(({ url }) => url), requests, connections, seconds })
    let booked: Figures
    const size = await measureSize(sql, async () => {
      booked = await load(bookings)
      return booked.accepted
    })
    sizeOfBooking ??= size
    const before = await countStatements(sql)
    const shown = await load(availabilityRequests)
    const statements = (await countStatements(sql)) - before
    await stopAll(webs)
    const cells = [...figures(booked!), ...figures(shown), Math.round(statements / seconds)]
    process.stdout.write(`| ${[name, ...cells].join(' | ')} |\n`)
  }
  const sizeOfEntry = await measureSize(sql, () => storeMany(sql, account.accountId, 200))
  for (const [what, size] of [
    ['a booking', sizeOfBooking!],
    ['an entry', sizeOfEntry],
  ] as const)
    process.stdout.write(
      `${what}, average of ${size.count}: ${Math.round(size.diskBytes)} bytes on disk, ${Math.round(size.walBytes)} bytes of WAL\n`,
    )
}

function figures({ perSecond, p50, p99 }: Figures): (number | string)[] {
  return [Math.round(perSecond), p50.toFixed(1), p99.toFixed(1)]
}

/** Transactions of the primary, most of which are a single statement. */
async function countStatements(sql: Sql): Promise<number> {
  // An idle session reports the rest of its statistics within 10 seconds.
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const [row] = await sql<{ count: number }[]>`
    select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`
  return row!.count
}
