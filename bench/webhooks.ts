/**
 * One worker that delivers events of different bookings to a receiver, compared with undici that calls the
 * same receiver.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createPump } from '../src/events/pump/pump.ts'
import { createEndpoint } from '../src/messaging/webhooks/endpoints/service.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { createLogger } from '../src/platform/process/logging.ts'
import { timeDrain } from './backlog.ts'
import { makeAccount, makeProduct } from './fixtures.ts'
import { type Cost, costColumns, startMeter } from './harness/cost.ts'
import { type Running, startRivals, startWorkers, stopAll } from './harness/processes.ts'
import { medianBy, spreadBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'
import type { CallOrder } from './rivals/caller.ts'

export const webhooks: Part = {
  name: 'webhooks',
  shows:
    'One worker delivers events of different bookings, compared with undici, which calls the same receiver.',
  duration: (_seconds, rounds) => rounds * 60 + 10,
  run,
}

const title = 'Webhooks delivered'
const secretKey = 'x'.repeat(32)
const connections = 16
const alone = 'undici alone, the same bodies'
type BodyKind = 'thin' | 'full'
type Delivered = { perSecond: number; cost: Cost }
type Received = { received: number; headers: Record<string, string>; body: string }

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report, alternate } = setting
  const { sql } = workplace
  const events = short ? 200 : 20_000
  const { accountId } = await makeAccount(sql)
  await makeBookings(sql, accountId, events)
  const [receiver] = await startRivals(1, ['dist', 'bench', 'rivals', 'receiver.js'], {})
  const ours = (body: BodyKind) => ({
    name: `this service, ${body} bodies`,
    measure: () => deliver(setting, receiver!, { accountId, events, body }),
  })
  try {
    const entrants = [
      ours('thin'),
      { name: alone, measure: () => callAlone(receiver!, events) },
      ours('full'),
    ]
    const found = await alternate('webhooks delivered', entrants)
    for (const [name, results] of found) {
      const value = medianBy(results, ({ perSecond }) => perSecond)
      report.row(title, {
        '': name,
        'per second': spreadBy(results, ({ perSecond }) => perSecond),
        ...costColumns(results),
      })
      if (!Number.isNaN(value))
        report.bar(title, 'a second', { label: name, value, ours: name.startsWith('this') })
    }
    if (short) return
    const [thin, rival] = entrants.map(({ name }) => medianBy(found.get(name), (one) => one.perSecond))
    report.target({ name: 'webhooks, one worker', measured: thin!, unit: '/s', atLeast: 1000 })
    report.target({
      name: 'webhooks, compared with undici alone',
      measured: thin! / rival!,
      unit: '×',
      atLeast: null,
    })
    report.note(
      `The worker creates deliveries of ${events} events, signs, sends and marks them. undici only sends, over the same number of connections (${connections}). The receiver is plain Node in a separate process. The rate is measured from the first visible deliveries to the last, so that it does not include the start of a process.`,
    )
  } finally {
    await stopAll([receiver!])
  }
}

/** Confirmed bookings without events in the log. */
async function makeBookings(sql: Sql, accountId: number, count: number): Promise<void> {
  const shape = { accountId, name: 'Webhooks', slots: 100, capacity: 1_000_000 }
  await makeProduct(sql, shape)
  await sql`
    with made as (
      insert into baskets (account_id, id, status, channel, completed_at)
      select ${accountId}, nextval('basket_ids'), 'completed', 'pos', now() from generate_series(1, ${count})
      returning id
    ), numbered as (
      select id, row_number() over (order by id) as place from made
    ), slots as (
      select id, row_number() over (order by id) as place from timeslots where account_id = ${accountId}
    )
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, email,
      answers, unit_price_minor, currency)
    select ${accountId}, nextval('booking_ids'), numbered.id, slots.id, 'BENCH' || numbered.place, 'pos', 'confirmed', 1,
      'ada@example.com', '[]', 100, 'EUR'
    from numbered join slots on slots.place = numbered.place % 100 + 1`
}

async function deliver(
  setting: Setting,
  receiver: Running,
  { accountId, events, body }: { accountId: number; events: number; body: BodyKind },
): Promise<Delivered> {
  const { workplace, report } = setting
  const { sql, databaseUrl, redisUrl, pids } = workplace
  await sql`truncate webhook_deliveries, webhook_secrets, webhook_endpoints`
  await sql`analyze`
  const fields = { url: `${receiver.url}/hook`, eventTypes: ['*'], description: '', body, email: null }
  const settings = { urlFault: () => null, secretKeys: secretKey }
  const owner = { accountId, partnerId: null }
  await sql.begin((tx) => createEndpoint(tx, owner, { fields, settings }))
  await sql`
    insert into events (account_id, type, timeslot_id, booking_id, actor, details)
    select ${accountId}, 'booking.checked-in', timeslot_id, id, 'service', '{}' from bookings
    where account_id = ${accountId} order by id`
  // These events were inserted with SQL, which wakes no worker. Without this pump, they would wait up to a minute for
  // their numbers.
  const pump = createPump({ sql, log: createLogger('silent', 'bench'), consumers: [] })
  while ((await pump()) > 0);
  const before = await ask(receiver)
  const workers = await startWorkers(1, {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SECRET_KEY: secretKey,
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8',
  })
  try {
    const meter = startMeter({ worker: workers.map(({ pid }) => pid), ...pids })
    const perSecond = await timeDrain(events, async () => (await ask(receiver)).received - before.received)
    const cost = meter.costOf(events)
    const [row] = await awaitMarked(sql)
    const came = (await ask(receiver)).received - before.received
    report.check(
      `delivered once, ${body}`,
      came === events && row!.delivered === events,
      `${came} of ${events}`,
    )
    return { perSecond, cost }
  } finally {
    await stopAll(workers)
  }
}

async function awaitMarked(sql: Sql) {
  const left = () => sql`select from webhook_deliveries where status = 'pending' limit 1`
  for (let looks = 0; looks < 500 && (await left()).length > 0; looks++) await delay(20)
  return sql<{ delivered: number }[]>`
    select count(*) as delivered from webhook_deliveries where status = 'delivered'`
}

async function callAlone(receiver: Running, count: number): Promise<Delivered> {
  const { headers, body } = await ask(receiver)
  const [caller] = await startRivals(1, ['dist', 'bench', 'rivals', 'caller.js'], {})
  const own = Object.entries(headers).filter(([name]) => /^(webhook-|content-type|user-agent)/.test(name))
  const order: CallOrder = {
    ...{ target: `${receiver.url}/hook`, count, connections, body },
    headers: Object.fromEntries(own),
  }
  try {
    const meter = startMeter({ worker: [caller!.pid] })
    const answer = await fetch(caller!.url, { method: 'POST', body: JSON.stringify(order) })
    const { seconds } = (await answer.json()) as { seconds: number }
    return { perSecond: count / seconds, cost: meter.costOf(count) }
  } finally {
    await stopAll([caller!])
  }
}

async function ask({ url }: Running): Promise<Received> {
  return (await (await fetch(url)).json()) as Received
}
