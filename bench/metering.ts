/**
 * Usage accepted over HTTP while a worker stores it, compared with simpler implementations: entries per second, the
 * time until they are counted, and their space in the stores. For this service, also the memory of its processes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Cost, costColumns, startMeter } from './harness/cost.ts'
import { type Figures, warmUp as warmLoad } from './harness/load.ts'
import { watchMemory } from './harness/processes.ts'
import { medianBy, spreadBy } from './harness/rounds.ts'
import { postgresBytes, redisBytes, type Workplace } from './harness/stores.ts'
import {
  bare,
  openOurs,
  openRival,
  queues,
  type RivalKind,
  type Subject,
  textbook,
  type Way,
} from './metering-subjects.ts'
import type { Part, Setting } from './part.ts'
import { makeMeteringTables } from './rivals/tables.ts'

export const metering: Part = {
  name: 'metering',
  shows:
    'Usage entries that one web process accepts over HTTP while one worker runs, compared with simple solutions.',
  duration: (seconds, rounds) => rounds * (10 * (seconds + 4) + 2 * (seconds + 20)) + 80,
  run,
}

/**
 * Fewer connections for batches, so that the entries of the requests under way are fewer than may wait in a process
 * (50,000).
 */
const sizes = [
  { size: 1, connections: 64, maxMegabytes: 150 },
  { size: 1000, connections: 16, maxMegabytes: 200 },
]
/**
 * The longest time, in seconds, that a measurement waits until all entries are counted: `rivalSeconds` for a rival,
 * `ownSeconds` for this service. It waits longer for this service, because check() requires at the end that all of its
 * entries are counted.
 */
const [rivalSeconds, ownSeconds] = [15, 60]
const redisName = 'this service, queue in Redis'
const keyed = ', with Idempotency-Key'

/** `limitSeconds`: the longest wait, after which `isComplete` is false. */
type Counted = { isComplete: boolean; seconds: number; limitSeconds: number; share: number }
/** `counted` is null for a subject that stores nothing. */
type Recorded = Figures & { cost: Cost; counted: Counted | null; bytesEach: number }

async function run(setting: Setting): Promise<void> {
  const { report, workplace, openWorkplace, short } = setting
  await makeMeteringTables(workplace.sql)
  const queuePlace = await openWorkplace('metering_queues')
  await makeMeteringTables(queuePlace.sql)
  const ours = [
    await openOurs(await openWorkplace('metering_redis'), 'Redis'),
    await openOurs(await openWorkplace('metering_postgres'), 'PostgreSQL'),
  ]
  const live = [...ours, await openRival(workplace, bare), await openRival(workplace, textbook)]
  try {
    for (const subject of live) await warmUp(setting, subject)
    for (const queue of short ? [] : queues)
      await withQueue(queuePlace, queue, (subject) => measureWaiting(setting, subject))
    for (const size of short ? sizes.slice(0, 1) : sizes) await compare(setting, size, live, queuePlace)
    for (const subject of ours) await check(setting, subject)
  } finally {
    for (const subject of live) await subject.stop()
  }
  report.note(alike)
  report.note(unlike)
}

const alike =
  'The same for all: machine, PostgreSQL with synchronous commit, Redis with appendfsync always, one web process and (with a queue) one worker, a pool of ten connections to PostgreSQL in each process (this service and pg-boss open further ones, for example for their queues), the body and a schema that checks it. Before the rounds, this service and the two routes without a queue get a warm-up and ANALYZE; BullMQ and pg-boss get a short warm-up before each round. The processor time is for one request, until its entries are counted or the wait for them ends.'
const unlike =
  'Only this service checks the API key, gives each entry an ID so that a job that runs twice counts once, has accounts with time zones, keeps totals by month as well, and accepts idempotency keys. The rivals’ workers would count an entry twice when a job runs twice. pg-boss keeps finished jobs, its default. The queues of BullMQ and pg-boss are emptied before the warm-up of each round, because otherwise the backlog of one round would last into the next.'

/** Deletes the rival’s unfinished backlog at the end, so that it does not disturb the next measurement. */
async function withQueue<Result>(
  workplace: Workplace,
  queue: RivalKind,
  work: (subject: Subject) => Promise<Result>,
): Promise<Result> {
  const subject = await openRival(workplace, queue)
  try {
    return await work(subject)
  } finally {
    await subject.stop()
    await workplace.redis.flushdb()
    await workplace.sql`drop schema if exists pgboss cascade`
    await workplace.sql`truncate rival_entries, rival_totals`
  }
}

async function warmUp(setting: Setting, subject: Subject): Promise<void> {
  await measureWaiting(setting, subject)
  await subject.startWorkers()
  if (subject.keeps) await awaitCounted(subject, subject.accepted, ownSeconds)
  await subject.workplace.sql`analyze`
}

/** Entries accepted while no worker runs: the space they take while they wait. */
async function measureWaiting({ short, report }: Setting, subject: Subject): Promise<void> {
  const { sql, redis } = subject.workplace
  const way = { size: 1, unique: false }
  if (!short) await subject.record({ ...way, ...warmLoad })
  const before = { redis: await redisBytes(redis), postgres: await postgresBytes(sql) }
  const figures = await subject.record({ ...way, connections: 64, seconds: short ? 0.2 : 2 })
  if (!subject.keeps) return
  report.row('Bytes of a single entry after its response, without a worker', {
    '': subject.name,
    'in Redis': ((await redisBytes(redis)) - before.redis) / figures.accepted,
    'in PostgreSQL': ((await postgresBytes(sql)) - before.postgres) / figures.accepted,
  })
}

async function compare(
  setting: Setting,
  { size, connections, maxMegabytes }: (typeof sizes)[0],
  live: Subject[],
  queuePlace: Workplace,
): Promise<void> {
  const { alternate, report, seconds, short } = setting
  const way = { size, connections, seconds }
  const entrants = live.map((subject) => ({
    name: subject.name,
    measure: () => measure(subject, { ...way, unique: false }),
  }))
  const withKeys = live.find(({ name }) => name === redisName)!
  entrants.splice(1, 0, {
    name: redisName + keyed,
    measure: () => measure(withKeys, { ...way, unique: true }),
  })
  for (const queue of size === 1 ? queues : [])
    entrants.push({
      name: queue.name,
      measure: () =>
        withQueue(queuePlace, queue, async (subject) => {
          await subject.startWorkers()
          if (!short) {
            await subject.record({ ...way, unique: false, seconds: 0.5 })
            await awaitCounted(subject, subject.accepted, rivalSeconds)
          }
          return measure(subject, { ...way, unique: false })
        }),
    })
  const ours = live.filter((subject) => subject.ours)
  const peaks = ours.map((subject) => watchMemory([...subject.webs, ...subject.workers]))
  const found = await alternate(titleOf(size), entrants)
  for (const [name, recorded] of found) tell(setting, name, way, recorded)
  for (const [index, { name }] of ours.entries())
    for (const [process, megabytes] of Object.entries(peaks[index]!())) {
      report.row('Memory of each process', {
        '': name,
        'entries at once': size,
        process,
        'peak MB': megabytes,
      })
      const target = `web process of ${name}, ${size === 1 ? 'single entries' : 'batches of 1,000'}`
      if (process.startsWith('web'))
        report.target({ name: target, measured: megabytes, unit: 'MB', atMost: maxMegabytes })
    }
  if (!short) tellTargets(setting, size, found)
}

async function measure(subject: Subject, way: Way): Promise<Recorded> {
  const { size } = way
  const { sql } = subject.workplace
  const [before, bytes] = [await subject.countCounted(), await postgresBytes(sql)]
  const meter = startMeter(subject.pids())
  const figures = await subject.record(way)
  const added = figures.accepted * size
  const longest = subject.ours ? ownSeconds : rivalSeconds
  const waited = subject.keeps ? await awaitCounted(subject, before + added, longest) : null
  const cost = meter.costOf(figures.accepted)
  const counted = (await subject.countCounted()) - before
  const bytesEach = counted > 0 ? Math.max(0, ((await postgresBytes(sql)) - bytes) / counted) : Number.NaN
  return { ...figures, cost, counted: waited && { ...waited, share: counted / added }, bytesEach }
}

/** Waits until the totals have this many entries, or for this long. */
async function awaitCounted(subject: Subject, expected: number, limitSeconds: number) {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while ((await subject.countCounted()) < expected) {
    if (seconds() > limitSeconds) return { isComplete: false, seconds: seconds(), limitSeconds }
    await delay(20)
  }
  return { isComplete: true, seconds: seconds(), limitSeconds }
}

const titleOf = (size: number) =>
  size === 1 ? 'Single entries accepted' : `Entries accepted in batches of ${size.toLocaleString('en-US')}`

function tell(
  { report }: Setting,
  name: string,
  { size, connections }: { size: number; connections: number },
  recorded: Recorded[],
): void {
  const unfinished = recorded.filter(({ counted }) => counted && !counted.isComplete)
  const share = Math.round(100 * medianBy(unfinished, ({ counted }) => counted!.share))
  report.row(titleOf(size), {
    '': name,
    connections,
    'entries/s': spreadBy(recorded, ({ perSecond }) => perSecond * size),
    'p99 ms': spreadBy(recorded, ({ p99 }) => p99),
    refused: recorded.reduce((sum, { refused }) => sum + refused, 0),
    's until all counted':
      unfinished.length > 0
        ? `over ${unfinished[0]!.counted!.limitSeconds}: ${share} % counted`
        : spreadBy(recorded, ({ counted }) => counted?.seconds ?? Number.NaN),
    ...costColumns(recorded),
    'bytes each in PostgreSQL': spreadBy(recorded, ({ bytesEach }) => bytesEach),
  })
  if (name.endsWith(keyed)) return
  report.bar(titleOf(size), 'entries per second', {
    label: name,
    value: medianBy(recorded, ({ perSecond }) => perSecond * size),
    ours: name.startsWith('this service'),
  })
}

function tellTargets({ report }: Setting, size: number, found: Map<string, Recorded[]>): void {
  const rate = (name: string) => medianBy(found.get(name), ({ perSecond }) => perSecond * size)
  const beside = (name: string, rival: RivalKind, bounds: { atLeast: number; aim: number }) =>
    report.target({ name, measured: rate(redisName) / rate(rival.name), unit: '×', ...bounds })
  if (size === 1) {
    beside('usage entries with the worker live, compared with bare Fastify', bare, { atLeast: 0.5, aim: 0.6 })
    beside('usage entries, compared with the textbook insert and total', textbook, { atLeast: 6, aim: 8 })
  } else {
    const bounds = { atLeast: 0.3, aim: 0.5 }
    beside('batches of 1,000 entries, queue in Redis, compared with bare Fastify', bare, bounds)
    report.target({
      name: 'batches of 1,000',
      measured: rate(redisName),
      unit: 'entries/s',
      atLeast: 100_000,
    })
  }
}

async function check({ report }: Setting, subject: Subject): Promise<void> {
  const { name, accepted, unanswered } = subject
  const counted = await subject.countCounted()
  const isExact = counted >= accepted && counted <= accepted + unanswered
  const detail = `${accepted} acknowledged, ${counted} counted, ${unanswered} entries without a response`
  report.check(`every acknowledged entry is counted once, ${name}`, isExact, detail)
}
