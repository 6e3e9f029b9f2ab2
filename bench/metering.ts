/**
 * Metering measured: entries accepted over HTTP while the worker stores them, beside a Fastify that does nothing
 * and the textbook route; a backlog drained, beside one job per entry; summaries over few entries and over many.
 * Redis syncs every write. Needs wrk and redis-server on the PATH; it starts everything else itself.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { createAccount, createKey } from '../src/accounts/service.ts'
import { openDatabase, type Sql } from '../src/platform/database.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { promiseEnd } from '../src/platform/end-with-parent.ts'
import { migrate } from '../src/platform/migrations.ts'
import { projectPath } from '../src/platform/paths.ts'
import { openQueue } from '../src/queue/producer.ts'
import { startRedisServer } from '../test/redis-server.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    waiting: { type: 'string', default: '1000000' },
    single: { type: 'string', default: '20000' },
    entries: { type: 'string', default: '10000000' },
  },
})
const seconds = Number(values.seconds)
const connections = 64
const [webPort, rivalPort] = [3921, 3922]
const entriesPerJob = 200

const folder = await mkdtemp(path.join(tmpdir(), 'abs-bench-'))
const postgres = await startEmbeddedPostgres(folder)
const redis = await startRedisServer(folder)
if (!redis) throw new Error('redis-server is not on the PATH')
const children: ChildProcess[] = []
const sql = openDatabase(postgres.url, { poolSize: 2, applicationName: 'abs-bench' })
try {
  await migrate(postgres.url)
  const { accountId, token } = await prepare()
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, Redis appendfsync always`)
  await measureAccepting(accountId, token)
  await measureDraining(accountId)
  await measureSummary(token)
} finally {
  for (const child of children) child.kill('SIGKILL')
  await sql.end()
  await redis.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function prepare() {
  const { id: accountId } = await createAccount(sql, { slug: 'bench', name: 'Bench', timeZone: 'UTC' })
  const scopes = ['usage:write', 'usage:read'] as const
  const token = await createKey(sql, { accountId, partner: null, scopes, expiresInDays: null })
  await sql`create table textbook_entries (
    id bigint generated always as identity primary key, meter text not null, usage numeric not null,
    occurred_at timestamptz not null default now())`
  await sql`create index on textbook_entries (meter, occurred_at)`
  await sql`create table textbook_totals (
    meter text, day date, total numeric not null, events bigint not null, primary key (meter, day))`
  return { accountId, token }
}

async function measureAccepting(accountId: number, token: string): Promise<void> {
  const rival = await start(['bench', 'metering-rivals.js'], { PORT: String(rivalPort) })
  await answers(`http://127.0.0.1:${rivalPort}/`)
  const bare = await load(`http://127.0.0.1:${rivalPort}/bare`, token)
  const textbook = await load(`http://127.0.0.1:${rivalPort}/textbook`, token)
  await end(rival)
  const web = await start(['src', 'server.js'], { PORT: String(webPort), REDIS_URL: redis!.url })
  const worker = await startWorker()
  await answers(`http://127.0.0.1:${webPort}/readyz`)
  await delay(2000)
  await load(`http://127.0.0.1:${webPort}/api/v2/usage/meters`, token, 3)
  const ours = await load(`http://127.0.0.1:${webPort}/api/v2/usage/meters`, token)
  await delay(2000)
  const [stored] = await sql<{ events: number }[]>`
    select coalesce(sum(events), 0)::bigint as events from meter_daily where account_id = ${accountId}`
  const ready = (await (await fetch(`http://127.0.0.1:${webPort}/readyz`)).json()) as {
    data: { Backlog: { Jobs: number } }
  }
  console.log('| accepting, 64 connections | entries/s | p50 | p99 |\n|---|---|---|---|')
  for (const [name, { perSecond, p50, p99 }] of Object.entries({ 'bare Fastify': bare, textbook, ours })) {
    console.log(`| ${name} | ${perSecond.toFixed(0)} | ${p50} | ${p99} |`)
  }
  console.log(
    `${(ours.perSecond / bare.perSecond).toFixed(2)} × bare, ${(ours.perSecond / textbook.perSecond).toFixed(1)} × textbook; ` +
      `2 s after the end ${ready.data.Backlog.Jobs} jobs wait and ${stored!.events} entries are stored`,
  )
  await end(worker)
  await end(web)
}

async function measureDraining(accountId: number): Promise<void> {
  const waiting = Number(values.waiting)
  const log = pino({ level: 'silent' })
  const options = { redisUrl: redis!.url, databaseUrl: postgres.url, prefix: '{abs}', log }
  const queue = openQueue({ ...options, allowVolatile: false, backlogLimit: 1e9 })
  await queue.looked
  const now = Date.now()
  for (let id = 1; id <= waiting; id += entriesPerJob * 20) {
    const jobs = Array.from({ length: 20 }, (_, job) => id + job * entriesPerJob)
    await Promise.all(
      jobs.map((first) =>
        queue.add(
          'usage.store',
          Array.from({ length: entriesPerJob }, (_, offset) => {
            const entry = first + offset
            const occurred = Math.floor(now / 1000) - (entry % 1000)
            return [accountId, 1e12 + entry, now, `meter ${entry % 100}`, '1.5', occurred, null] as const
          }).map((tuple) => [...tuple] as never),
        ),
      ),
    )
  }
  const began = performance.now()
  const worker = await startWorker()
  while ((await queue.listUnfinished()).size > 0) await delay(20)
  const ours = waiting / ((performance.now() - began) / 1000)
  await end(worker)
  await queue.close()

  const connection = new Redis(redis!.url, { maxRetriesPerRequest: null })
  const single = new Queue('one-entry', { connection })
  const count = Number(values.single)
  for (let sent = 0; sent < count; sent += 1000) {
    const data = { Meter: `meter ${sent % 100}`, Usage: 1.5 }
    await single.addBulk(Array.from({ length: 1000 }, () => ({ name: 'entry', data })))
  }
  const beganSingle = performance.now()
  const rival = await start(['bench', 'metering-rivals.js'], {
    PORT: String(rivalPort),
    REDIS_URL: redis!.url,
  })
  while (Object.values(await single.getJobCounts('waiting', 'active')).some((left) => left > 0))
    await delay(20)
  const textbook = count / ((performance.now() - beganSingle) / 1000)
  await end(rival)
  await single.close()
  connection.disconnect()
  console.log(
    `draining with one worker, its start included: ${waiting} entries in jobs of ${entriesPerJob} at ${ours.toFixed(0)}/s; ` +
      `${count} in jobs of one at ${textbook.toFixed(0)}/s`,
  )
}

/** Entries of 100 meters over 400 days: few, then many, summed up over all of those days. */
async function measureSummary(token: string): Promise<void> {
  const web = await start(['src', 'server.js'], { PORT: String(webPort), REDIS_URL: redis!.url })
  await answers(`http://127.0.0.1:${webPort}/readyz`)
  const medians: number[] = []
  for (const count of [10_000, Number(values.entries)]) {
    await fill(sql, count)
    medians.push(await timeSummaries(token))
  }
  const [few, many] = medians as [number, number]
  console.log(
    `summary of 400 days: ${few.toFixed(1)} ms over 10000 entries, ${many.toFixed(1)} ms over ${values.entries} ` +
      `(median of 200): ${(many / few).toFixed(2)} ×`,
  )
  await end(web)
}

async function fill(on: Sql, count: number): Promise<void> {
  await on`truncate meter_entries, meter_daily, meter_monthly`
  await on`
    insert into meter_entries (account_id, id, accepted_at, meter, usage, occurred_at, day)
    select 1, n, now(), 'meter ' || n % 100, 1.5, day, day
    from generate_series(1, ${count}) as n
    cross join lateral (select '2025-01-01'::date + (n::bigint * 2654435761 / 100 % 400)::integer as day) as at`
  await on`
    insert into meter_daily (account_id, meter, day, total, events)
    select 1, meter, day, sum(usage), count(*) from meter_entries group by meter, day`
  await on`
    insert into meter_monthly (account_id, meter, month, total, events)
    select 1, meter, date_trunc('month', day), sum(total), sum(events) from meter_daily group by meter, 3`
  await on`vacuum analyze meter_entries, meter_daily, meter_monthly`
}

async function timeSummaries(token: string): Promise<number> {
  const times: number[] = []
  for (let asked = 0; asked < 250; asked++) {
    const began = performance.now()
    const answer = await fetch(
      `http://127.0.0.1:${webPort}/api/v2/usage/meters?from=2025-01-01&to=2026-02-04`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const { data } = (await answer.json()) as { data: { Meters: unknown[] } }
    if (data.Meters.length !== 100) throw new Error('not every meter is there')
    if (asked >= 50) times.push(performance.now() - began)
  }
  return times.sort((one, other) => one - other)[times.length >> 1]!
}

type Figure = { perSecond: number; p50: string; p99: string }

async function load(url: string, token: string, duration = seconds): Promise<Figure> {
  const script = path.join(folder, 'post.lua')
  await writeFile(
    script,
    `wrk.method = "POST"\nwrk.body = '{"Meter":"api-calls","Usage":1.5}'\n` +
      `wrk.headers["content-type"] = "application/json"\nwrk.headers["authorization"] = "Bearer ${token}"\n`,
  )
  const args = ['-t1', `-c${connections}`, `-d${duration}`, '--latency', '-s', script, url]
  const { stdout } = await promisify(execFile)('wrk', args)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  const read = (pattern: RegExp) => pattern.exec(stdout)![1]!
  return {
    perSecond: Number(read(/Requests\/sec: +([\d.]+)/)),
    p50: read(/50% +(\S+)/),
    p99: read(/99% +(\S+)/),
  }
}

function startWorker(): Promise<ChildProcess> {
  return start(['workers', 'worker.js'], { REDIS_URL: redis!.url, WORKER_PORT: '0' })
}

async function start(file: string[], environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [projectPath('dist', ...file)], {
    env: { PATH: process.env.PATH, DATABASE_URL: postgres.url, LOG_LEVEL: 'error', ...environment },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  children.push(child)
  promiseEnd(child.stdin!)
  await once(child, 'spawn')
  return child
}

async function answers(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => null))) await delay(50)
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([exited, delay(5000)])
  child.kill('SIGKILL')
}
