/**
 * Large summaries: those by day have limits, others may have any size, and none delays another account.
 */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { buildOn, makeCaller } from '../helper.ts'
import { proxyTo, throughProxy } from '../proxy.ts'
import { until } from '../until.ts'
import { buildUsage } from './fixtures.ts'

type Meter = { Meter: string; TotalUsage: number; EventCount: number }

/** Inserts the totals of `count` meters on one day: 1 for the first, 2 for the second, and so on. */
async function insertMeters(sql: Sql, accountId: number, count: number, namePrefix = 'meter-') {
  await sql`
    insert into meter_daily (account_id, meter, day, total, events)
    select ${accountId}, ${namePrefix} || n, '2026-11-20', n, 2 from generate_series(1, ${count}::integer) as n`
  await sql`
    insert into meter_monthly (account_id, meter, month, total, events)
    select account_id, meter, '2026-11-01', total, events from meter_daily where account_id = ${accountId}`
  await sql`analyze meter_daily, meter_monthly`
}

/** Sends a request over the network, and does not read the response yet. */
async function sendRequest(
  origin: URL,
  headers: Record<string, string>,
  query: string,
): Promise<IncomingMessage> {
  const request = get(new URL(`/api/v2/usage/meters?${query}`, origin), { headers, agent: false })
  // Some tests break the connection.
  request.on('error', () => {})
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

async function listenUsage(t: Test) {
  const built = await buildUsage(t, 'postgres', { workers: 0 })
  return { ...built, origin: await listen(built.app) }
}

async function listen(app: FastifyInstance): Promise<URL> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return new URL(`http://127.0.0.1:${port}`)
}

/**
 * Measures the processor time of this process until `stop`, which returns the milliseconds of the longest turn of the
 * event loop, and of all turns.
 */
function watchTurns() {
  const usedMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const begun = usedMs()
  let [longestMs, last, isOver] = [0, begun, false]
  const look = () => {
    const now = usedMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return {
    stop() {
      isOver = true
      look()
      return { longestMs, sumMs: usedMs() - begun }
    },
  }
}

// 80,000 of these are 20 MB, more than the buffers of a connection hold.
const longName = 'x'.repeat(200)
const allTime = 'from=1970-01-01&to=2100-12-31'

t.test('sums by day of more than 731 days are refused with 422, which states the limit', async (t) => {
  const { summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  const { answer } = await summarize('from=2024-01-01&to=2026-01-01&granularity=day')
  t.equal(answer.statusCode, 422)
  t.match(answer.json(), { errors: [{ field: 'to', message: /731 days/ }], detail: /^to .*731 days/ })
  t.equal((await summarize('from=2024-01-01&to=2025-12-31&granularity=day')).answer.statusCode, 200)
  t.equal(
    (await summarize('from=0001-01-01&to=9999-12-31')).answer.statusCode,
    200,
    'a summary without days has no limit',
  )
})

t.test('more than 500,000 sums by day are refused with 422, which states the limit', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  await sql`
    insert into meter_daily (account_id, meter, day, total, events)
    select ${accountId}, 'meter-' || meter, '2025-01-01'::date + day, 1, 1
    from generate_series(1, 1000) as meter, generate_series(0, 500) as day`
  await sql`analyze meter_daily`
  const { answer } = await summarize('from=2025-01-01&to=2026-12-31&granularity=day')
  t.equal(answer.statusCode, 422)
  t.match(answer.json(), {
    errors: [
      { field: 'to', message: /500000 sums by day/ },
      { field: 'meter', message: /500000 sums by day/ },
    ],
  })
  const fewer = await summarize('from=2025-01-01&to=2026-12-31&granularity=day&meter=meter-1&meter=meter-2')
  t.same(fewer.summary.Totals, { Usage: 1002, Events: 1002 }, 'fewer meters are summed up')
})

t.test(
  'a summary of 200,000 meters is complete and in order, and never blocks the process for long',
  async (t) => {
    const { sql, accountId, headers, origin } = await listenUsage(t)
    await insertMeters(sql, accountId, 200_000)
    const turns = watchTurns()
    const answer = await sendRequest(origin, headers, allTime)
    const body = await text(answer)
    const { longestMs, sumMs } = turns.stop()
    // The share of the longest turn in the processor time depends neither on other processes nor on the speed
    // of the machine. It is about 1 %, and 33 % if all rows are read at once.
    const share = longestMs / sumMs
    t.ok(
      share < 0.15,
      `one turn of the event loop took ${Math.round(100 * share)} % of ${Math.round(sumMs)} ms`,
    )
    t.equal(answer.headers['usage-pending'], '0')
    const { Totals, Meters } = JSON.parse(body).data as { Totals: object; Meters: Meter[] }
    t.same(Totals, { Usage: (200_000 * 200_001) / 2, Events: 400_000 })
    t.equal(Meters.length, 200_000)
    t.ok(
      Meters.every(
        ({ Meter, TotalUsage }, index) => TotalUsage === 200_000 - index && Meter === `meter-${TotalUsage}`,
      ),
      'largest first',
    )
  },
)

t.test('a client that reads slowly holds no connection to PostgreSQL', async (t) => {
  const { sql, accountId, headers, origin } = await listenUsage(t)
  await insertMeters(sql, accountId, 80_000, longName)
  const answer = await sendRequest(origin, headers, allTime)
  await until(async () => {
    const busy = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~ 'usage_sums' and state <> 'idle'`
    return busy.length === 0
  })
  t.equal(JSON.parse(await text(answer)).data.Meters.length, 80_000)
})

t.test('a summary that fails midway is cut off, so that it cannot look complete', async (t) => {
  const { sql, url, accountId, headers } = await buildUsage(t, 'postgres', { workers: 0 })
  await insertMeters(sql, accountId, 80_000, longName)
  const postgres = await proxyTo(t, process.env.TEST_DATABASE_URL!)
  const { app } = await buildOn(t, throughProxy(postgres.url, url), { REQUEST_TIMEOUT_SECONDS: '60' })
  const origin = await listen(app)
  // Each piece of data takes 20 ms, so PostgreSQL is still sending when its process is terminated.
  postgres.slow(() => 20)
  const answer = await sendRequest(origin, headers, allTime)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ~ 'usage_sums'`
  await t.rejects(text(answer), { code: 'ECONNRESET' })
})

t.test('an account may have two summaries at a time, and no other account waits for them', async (t) => {
  const { sql, accountId, headers, origin } = await listenUsage(t)
  const other = await makeCaller(sql, { slug: 'other', scopes: ['usage:read'] })
  await insertMeters(sql, accountId, 80_000, longName)
  const unread = [await sendRequest(origin, headers, allTime), await sendRequest(origin, headers, allTime)]
  let isAnswered = false
  const third = sendRequest(origin, headers, allTime).then((answer) => {
    isAnswered = true
    return answer
  })
  for (let asked = 0; asked < 3; asked++)
    t.equal(
      (await sendRequest(origin, other.headers, allTime)).statusCode,
      200,
      'another account gets its summary',
    )
  t.notOk(isAnswered, 'the third waits')
  unread[0]!.destroy()
  t.equal(JSON.parse(await text(await third)).data.Meters.length, 80_000)
  unread[1]!.destroy()
})
