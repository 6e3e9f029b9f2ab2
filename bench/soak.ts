/**
 * All loads at once for a long time (10 minutes, or `--seconds` from 60 on), well below the limit of the machine, with
 * a chart of the memory of web processes, workers and Redis: memory that grows until the end is a leak.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { toActivityId } from '../src/catalogue/model.ts'
import { projectPath } from '../src/platform/project/paths.ts'
import { countCounted, settle } from './backlog.ts'
import { bookingRequests, makeAccount, makeProduct, usageRequests } from './fixtures.ts'
import { drawLines, type Line } from './harness/chart.ts'
import { type Figures, type LoadRequest, runLoad } from './harness/load.ts'
import { residentMegabytes, startWebs, startWorkers, stopAll } from './harness/processes.ts'
import type { Part, Setting } from './part.ts'

export const soak: Part = {
  name: 'soak',
  shows:
    'Bookings, single and batched usage with and without idempotency keys, summaries and availability at once.',
  duration: (seconds) => minutesOf(seconds) * 60,
  run,
}

const defaultMinutes = 10
const maxGrowth = 1.1

/** Uses `--seconds` only if it is 60 or more. Smaller values set the length of the measurements of other parts. */
function minutesOf(seconds: number): number {
  return seconds >= 60 ? seconds / 60 : defaultMinutes
}

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace, report } = setting
  const { databaseUrl, redisUrl, sql, redis } = workplace
  const account = await makeAccount(sql)
  const product = await makeProduct(sql, { ...account, name: 'soak', slots: 1000, capacity: 1_000_000 })
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const [webs, workers] = await Promise.all([
    startWebs(short ? 1 : 2, environment),
    startWorkers(short ? 1 : 2, environment),
  ])
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))![1])
  const watched = [...webs, ...workers, { name: 'Redis', pid: redisPid }]
  const lines: Line[] = watched.map(({ name }) => ({ label: name, points: [] }))
  const forSeconds = short ? 1 : minutesOf(seconds) * 60
  const began = performance.now()
  const look = () => {
    const x = (performance.now() - began) / 60_000
    for (const [index, { pid }] of watched.entries())
      lines[index]!.points.push({ x, y: residentMegabytes(pid) })
  }
  look()
  const timer = setInterval(look, short ? 100 : 1000)
  try {
    const load = (requests: LoadRequest[], connections: number, unique = false) =>
      runLoad({ targets: webs.map(({ url }) => url), requests, connections, seconds: forSeconds, unique })
    const [booked, single, keyed, batched, asked] = await Promise.all([
      load(bookingRequests(account.token, product), 4, true),
      load(usageRequests([account.token]), 4),
      load(usageRequests([account.token]), 4, true),
      load(usageRequests([account.token], { size: 100 }), 2, true),
      load(readRequests(account.token, toActivityId(product.activity)), 2),
    ])
    clearInterval(timer)
    tell(setting, {
      'bookings, with keys': booked,
      'single entries': single,
      'single entries, with keys': keyed,
    })
    tell(setting, { 'batches of 100, with keys': batched, 'summaries and dates': asked })
    await check(setting, {
      bookings: boundsOf([booked, 1]),
      entries: boundsOf([single, 1], [keyed, 1], [batched, 100]),
    })
  } finally {
    clearInterval(timer)
    await stopAll([...webs, ...workers])
  }
  tellGrowth(setting, lines)
  if (short) return
  const file = projectPath('bench', 'results', 'soak.svg')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(
    file,
    drawLines(lines, { caption: 'Memory during the soak', x: 'minutes', y: 'MB resident' }),
  )
  report.note('The plot is in soak.svg.')
}

function readRequests(token: string, activity: string): LoadRequest[] {
  const paths = [
    '/api/v2/usage/meters?from=2020-01-01&to=2100-01-01',
    `/api/v2/ota/marketplace/availability/${activity}/dates?StartDate=2035-01-01&EndDate=2035-01-31`,
  ]
  return paths.map((path) => ({ method: 'GET', path, token }))
}

function tell({ report }: Setting, loads: Record<string, Figures>): void {
  for (const [name, { perSecond, p50, p99, refused, unanswered }] of Object.entries(loads))
    report.row('Load', {
      '': name,
      'responses/s': perSecond,
      'p50 ms': p50,
      'p99 ms': p99,
      refused,
      unanswered,
    })
}

/** The least and the most that may be stored: a request that was refused or got no response may have been stored. */
type Bounds = { least: number; most: number }

function boundsOf(...loads: [Figures, size: number][]): Bounds {
  const sum = (of: (figures: Figures) => number) =>
    loads.reduce((all, [one, size]) => all + size * of(one), 0)
  const least = sum(({ accepted }) => accepted)
  return { least, most: least + sum(({ refused, unanswered }) => refused + unanswered) }
}

function isWithin(count: number, { least, most }: Bounds): boolean {
  return count >= least && count <= most
}

/** Each booking also leaves an event that becomes an entry. */
async function check(
  { workplace, report }: Setting,
  { bookings, entries }: { bookings: Bounds; entries: Bounds },
): Promise<void> {
  const { sql } = workplace
  await settle(sql, entries.least)
  const counted = await countCounted(sql)
  report.check(
    'every acknowledged entry is counted once, and no others',
    isWithin(counted, entries),
    `${entries.least} acknowledged, ${counted} counted, ${entries.most} sent`,
  )
  const [row] = await sql<{ made: number; booked: number; metered: number }[]>`
    select (select count(*) from bookings) as made, (select sum(booked) from timeslots)::bigint as booked,
      (select coalesce(sum(events), 0) from meter_monthly where meter = 'order-completed')::bigint as metered`
  const { made, booked, metered } = row!
  const exact = isWithin(made, bookings) && booked === made && metered === made
  const detail = `${bookings.least} acknowledged, ${bookings.most} sent, ${made} stored, ${booked} places taken, ${metered} metered`
  report.check('every booking is stored once and metered once', exact, detail)
}

/** Compares the last quarter of the time with the quarter before the middle, when everything is warm. */
function tellGrowth({ report, short }: Setting, lines: Line[]): void {
  for (const { label, points } of lines) {
    const mean = (from: number, to: number) => {
      const some = points
        .slice(Math.floor(points.length * from), Math.ceil(points.length * to))
        .map(({ y }) => y)
      return some.reduce((sum, y) => sum + y, 0) / some.length
    }
    const [early, late] = [mean(0.25, 0.5), mean(0.75, 1)]
    const peak = Math.max(...points.map(({ y }) => y))
    report.row('Memory', { '': label, 'second quarter MB': early, 'last quarter MB': late, 'peak MB': peak })
    if (short || label === 'Redis') continue
    const unit = '× the second quarter'
    report.target({
      name: `memory of ${label} in the last quarter`,
      measured: late / early,
      unit,
      atMost: maxGrowth,
    })
  }
}
