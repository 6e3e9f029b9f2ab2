/**
 * Bookings per second over HTTP, beside pgbench with the textbook transaction on the same PostgreSQL: spread
 * over 1,000 timeslots, and all on one. Needs pgbench and wrk on the PATH. It starts everything else itself.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createAccount, createKey } from '../src/accounts/service.ts'
import { toActivityId } from '../src/catalogue/model.ts'
import { openDatabase, type Sql } from '../src/platform/database.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { promiseEnd } from '../src/platform/end-with-parent.ts'
import { migrate } from '../src/platform/migrations.ts'
import { projectPath } from '../src/platform/paths.ts'
import { probePort } from '../src/platform/ports.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
const seconds = Number(values.seconds)
const connections = 64
const port = await probePort('127.0.0.1', 0)
const slotCounts = { spread: 1000, hot: 1 }

type Shape = keyof typeof slotCounts
type Figure = { perSecond: number; p50: string; p99: string }

const run = promisify(execFile)

const dataDir = await mkdtemp(path.join(tmpdir(), 'abs-bench-'))
const postgres = await startEmbeddedPostgres(dataDir)
try {
  await migrate(postgres.url)
  const sql = openDatabase(postgres.url, { poolSize: 2, applicationName: 'abs-bench' })
  const { token, products } = await prepare(sql)
  const web = await startWeb(postgres.url)
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${seconds} s each`)
  console.log(
    '| bookings | HTTP, 64 connections | p50 | p99 | pgbench textbook (best of 16 and 64 clients) | ratio |',
  )
  console.log('|---|---|---|---|---|---|')
  // What autovacuum does within a minute of a first load: the planner learns that the tables are not empty.
  await book(token, products.spread, slotCounts.spread, 2)
  await sql`analyze`
  for (const shape of ['spread', 'hot'] as const) {
    const textbook = Math.max(await pgbench(postgres.url, shape, 16), await pgbench(postgres.url, shape, 64))
    const http = await book(token, products[shape], slotCounts[shape], seconds)
    const ratio = (http.perSecond / textbook).toFixed(1)
    console.log(
      `| ${shape} | ${http.perSecond.toFixed(0)}/s | ${http.p50} | ${http.p99} | ${textbook.toFixed(0)}/s | ${ratio} × |`,
    )
  }
  await checkNothingOversold(sql)
  web.kill('SIGTERM')
  await once(web, 'exit')
  await sql.end()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function prepare(sql: Sql) {
  const { id: accountId } = await createAccount(sql, { slug: 'bench', name: 'Bench', timeZone: 'UTC' })
  const token = await createKey(sql, { accountId, partner: 'OTA', scopes: ['ota'], expiresInDays: null })
  const products = { spread: '', hot: '' }
  for (const [shape, count] of Object.entries(slotCounts) as [Shape, number][]) {
    const [product] = await sql<{ id: number; activity: string }[]>`
      insert into products (account_id, name, description, duration_minutes, price_minor, currency, time_zone, in_shopfront)
      values (${accountId}, ${shape}, '', 60, 100, 'EUR', 'UTC', true) returning id, activity_id as activity`
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select ${accountId}, ${product!.id}, '2035-01-01'::date + n / 20, make_time(n % 20, 0, 0),
        '2035-01-01'::date + n / 20 + make_time(n % 20, 0, 0), 1000000
      from generate_series(0, ${count - 1}) as n`
    products[shape] = toActivityId(product!.activity)
  }
  await sql`create table textbook_timeslots (id bigint primary key, capacity integer, booked integer)`
  await sql`insert into textbook_timeslots select n, 1000000, 0 from generate_series(1, 1000) as n`
  await sql`create table textbook_bookings (
    id bigint generated always as identity primary key, timeslot_id bigint not null references textbook_timeslots,
    reference text unique, participants integer, first_name text, last_name text, email text,
    created_at timestamptz default now())`
  await sql`create index on textbook_bookings (timeslot_id)`
  return { token, products }
}

async function startWeb(databaseUrl: string) {
  const web = spawn(process.execPath, [projectPath('dist', 'src', 'server.js')], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  promiseEnd(web.stdin)
  while (web.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer?.ok) return web
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the web process does not start')
}

async function pgbench(url: string, shape: Shape, clients: number): Promise<number> {
  const script = projectPath('bench', 'textbook.sql')
  const args = ['-n', '-M', 'prepared', '-f', script, '-D', `slots=${slotCounts[shape]}`]
  args.push('-c', String(clients), '-j', '2', '-T', String(seconds), url)
  const { stdout } = await run('pgbench', args)
  return Number(/tps = ([\d.]+)/.exec(stdout)![1])
}

async function book(token: string, activityId: string, slots: number, forSeconds: number): Promise<Figure> {
  const script = projectPath('bench', 'booking.lua')
  const load = ['-t', '1', '-c', String(connections), '-d', `${forSeconds}s`, '--latency', '-s', script]
  const url = `http://127.0.0.1:${port}/api/v2/ota/marketplace/booking`
  const { stdout } = await run('wrk', [...load, url, '--', token, activityId, String(slots)])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  const latency = (percentile: number) => new RegExp(`^ +${percentile}% +(\\S+)$`, 'm').exec(stdout)![1]!
  return {
    perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)![1]),
    p50: latency(50),
    p99: latency(99),
  }
}

async function checkNothingOversold(sql: Sql): Promise<void> {
  const [audit] = await sql<{ wrong: number; bookings: number }[]>`
    select count(*) filter (where slot.booked <> made.places) as wrong, sum(made.bookings) as bookings
    from timeslots as slot
    cross join lateral (
      select coalesce(sum(participants), 0) as places, count(*) as bookings from bookings
      where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
    ) as made`
  if (audit!.wrong > 0) throw new Error(`${audit!.wrong} timeslots disagree with their bookings`)
  console.log(`${audit!.bookings} bookings made; every timeslot’s counter agrees with them`)
}
