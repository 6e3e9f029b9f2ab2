/**
 * Usage accepted over HTTP while a worker stores it, beside what one would write instead: how much, how fast it
 * counts, and what it takes up in memory and in the stores.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { makeAccount } from './fixtures.ts'
import type { Figures } from './harness/load.ts'
import { stopAll, watchMemory } from './harness/processes.ts'
import { postgresBytes, redisBytes, type Workplace } from './harness/stores.ts'
import { openOurs, openRival, rivals, type Subject, type Way } from './metering-subjects.ts'
import type { Part, Setting } from './part.ts'
import { makeMeteringTables } from './rivals/tables.ts'

export const metering: Part = {
  name: 'metering',
  shows:
    'Usage entries accepted over HTTP by one web process, with one worker live, beside what one would write instead.',
  duration: (seconds) => 24 * (seconds + 1) + 6 * 20 + 30,
  run,
}

/** Fewer connections for larger batches: what is under way at once stays within what a process takes. */
const allSizes = [
  { size: 1, connections: 64 },
  { size: 100, connections: 32 },
  { size: 1000, connections: 16 },
]
const mostMegabytes = 150
/** Longest time that is waited for a rival’s backlog, and for ours, which must be counted in the end. */
const [patienceSeconds, ownPatienceSeconds] = [15, 60]

type Counts = { accepted: number; unanswered: number }
type Best = Map<string, number>

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report } = setting
  const sizes = short ? allSizes.slice(0, 2) : allSizes
  const rivalSizes = short ? allSizes.slice(0, 1) : allSizes
  const account = await makeAccount(workplace.sql)
  await makeMeteringTables(workplace.sql)
  const best: Best = new Map()
  for (const rival of rivals) {
    // A backlog that is given up ends with its processes, so it never burdens what is measured next.
    const each = rival.queue ? rivalSizes.map((size) => [size]) : [sizes]
    for (const some of each) {
      await measure(setting, await openRival(workplace, rival), some, best)
      await forget(workplace)
    }
  }
  for (const store of ['Redis', 'PostgreSQL'] as const)
    await measure(setting, await openOurs(workplace, account, store), sizes, best)
  report.note(alike)
  report.note(unlike)
  const ours = best.get('this service, queue in Redis 1') ?? 0
  for (const [rival, atLeast] of [
    [rivals[0]!, 0.5],
    [rivals[1]!, 6],
  ] as const) {
    const measured = ours / (best.get(`${rival.name} 1`) ?? Number.NaN)
    report.target({ name: `single entries accepted, beside ${rival.name}`, measured, unit: '×', atLeast })
  }
  const measured = best.get('this service, queue in Redis 1000') ?? 0
  report.target({ name: 'batches of 1,000', measured, unit: 'entries/s', atLeast: 100_000 })
}

const alike =
  'Alike for all: machine, PostgreSQL with synchronous commit, Redis with appendfsync always, one web process and (with a queue) one worker, ten connections to PostgreSQL for each, the same body, checked by a schema, a warm-up and ANALYZE.'
const unlike =
  'Only this service checks the API key, gives each entry an ID that makes a second delivery count once, knows accounts and their time zones, keeps totals by month as well, and takes idempotency keys. The rivals’ workers would count an entry twice when a job is delivered twice. pg-boss keeps finished jobs, as it does by default.'

async function measure(
  setting: Setting,
  subject: Subject,
  sizes: typeof allSizes,
  best: Best,
): Promise<void> {
  const { workplace, report } = setting
  const counts: Counts = { accepted: 0, unanswered: 0 }
  const already = await subject.countCounted()
  try {
    await measureWaiting(setting, subject, counts, sizes[0]!.size === 1)
    await subject.startWorkers()
    await awaitCounted(subject, already + counts.accepted, ownPatienceSeconds)
    await workplace.sql`analyze`
    const peaks = watchMemory([...subject.webs, ...subject.workers])
    for (const { size, connections } of sizes)
      for (const unique of subject.canBeUnique ? [false, true] : [false])
        await measureWay(
          setting,
          subject,
          { size, unique, connections, seconds: setting.seconds },
          counts,
          best,
        )
    tellMemory(setting, subject, sizes, peaks())
    if (subject.ours) {
      const counted = (await subject.countCounted()) - already
      const exact = counted >= counts.accepted && counted <= counts.accepted + counts.unanswered
      const detail = `${counts.accepted} acknowledged, ${counted} counted, ${counts.unanswered} entries never answered`
      report.check(`every entry acknowledged is counted once, ${subject.name}`, exact, detail)
    }
  } finally {
    await stopAll([...subject.webs, ...subject.workers])
  }
}

/** Nothing of a rival is left for the next one. */
async function forget({ sql, redis }: Workplace): Promise<void> {
  await redis.flushdb()
  await sql`drop schema if exists pgboss cascade`
  await sql`truncate rival_entries, rival_totals`
}

/** Entries accepted while no worker runs: what they take up while they wait. It is the warm-up as well. */
async function measureWaiting(
  { short, workplace, report }: Setting,
  subject: Subject,
  counts: Counts,
  told: boolean,
): Promise<void> {
  const { sql, redis } = workplace
  if (!short) add(counts, await subject.record({ size: 1, unique: false, connections: 16, seconds: 1 }), 1)
  const before = { redis: await redisBytes(redis), postgres: await postgresBytes(sql) }
  const figures = await subject.record({ size: 1, unique: false, connections: 64, seconds: short ? 0.2 : 2 })
  add(counts, figures, 1)
  if (!subject.keeps || !told) return
  report.row('Bytes that a single entry takes up as soon as it is acknowledged, while no worker runs', {
    '': subject.name,
    'in Redis': ((await redisBytes(redis)) - before.redis) / figures.accepted,
    'in PostgreSQL': ((await postgresBytes(sql)) - before.postgres) / figures.accepted,
  })
}

async function measureWay(
  setting: Setting,
  subject: Subject,
  way: Way,
  counts: Counts,
  best: Best,
): Promise<void> {
  const { workplace, report } = setting
  const { size, unique, connections } = way
  const [before, bytes] = [await subject.countCounted(), await postgresBytes(workplace.sql)]
  const figures = await subject.record(way)
  add(counts, figures, size)
  const expected = figures.accepted * size
  const patience = subject.ours ? ownPatienceSeconds : patienceSeconds
  const waited = subject.keeps ? await awaitCounted(subject, before + expected, patience) : null
  const counted = (await subject.countCounted()) - before
  const grown = (await postgresBytes(workplace.sql)) - bytes
  const perSecond = figures.perSecond * size
  report.row(titleOf(size), {
    '': subject.name,
    'Idempotency-Key': unique ? 'yes' : 'no',
    connections,
    'entries/s': perSecond,
    'p99 ms': figures.p99,
    refused: figures.refused,
    's until all counted': waited?.done
      ? Math.round(waited.seconds * 1000) / 1000
      : waited && describeBacklog(counted, expected, patience),
    'bytes each in PostgreSQL': subject.keeps && counted > 0 ? Math.max(0, grown / counted) : null,
  })
  if (unique) return
  best.set(`${subject.name} ${size}`, perSecond)
  if (size !== 100)
    report.bar(titleOf(size), 'entries per second', {
      label: subject.name,
      value: perSecond,
      ours: subject.ours,
    })
}

function add(counts: Counts, { accepted, unanswered }: Figures, size: number): void {
  counts.accepted += accepted * size
  counts.unanswered += unanswered * size
}

const titleOf = (size: number) =>
  size === 1 ? 'Single entries accepted' : `Entries accepted in batches of ${size.toLocaleString('en-US')}`

function describeBacklog(counted: number, expected: number, seconds: number): string {
  return `over ${seconds}: ${Math.round((100 * counted) / expected)} % counted`
}

/** Waits until the totals hold so many entries, or as long as patience lasts. */
async function awaitCounted(subject: Subject, expected: number, patience: number) {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while ((await subject.countCounted()) < expected) {
    if (seconds() > patience) return { done: false, seconds: seconds() }
    await delay(20)
  }
  return { done: true, seconds: seconds() }
}

function tellMemory(
  { report }: Setting,
  subject: Subject,
  sizes: typeof allSizes,
  peaks: Record<string, number>,
): void {
  const batches = sizes.map(({ size }) => size).join(', ')
  for (const [process, megabytes] of Object.entries(peaks))
    report.row('Memory of each process', {
      '': subject.name,
      'entries at once': batches,
      process,
      'peak MB': megabytes,
    })
  const web = subject.ours && peaks['web 1']
  if (web)
    report.target({
      name: `web process of ${subject.name}`,
      measured: web,
      unit: 'MB',
      atMost: mostMegabytes,
    })
}
