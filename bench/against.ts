/**
 * Compares this checkout with another commit, in alternation on the same stores, each on its own database.
 */
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { projectPath } from '../src/platform/project/paths.ts'
import { countCounted, countMetered } from './backlog.ts'
import { buildCheckout, type Checkout, migrateWith, versionOf } from './harness/checkout.ts'
import { type Cost, costColumns, startMeter } from './harness/cost.ts'
import { type Figures, type LoadRequest, runLoad, warmUp } from './harness/load.ts'
import { type Build, startWebs, startWorkers } from './harness/processes.ts'
import { type Cell, formatCell, type Row } from './harness/report.ts'
import { medianBy, medianOf, spreadBy } from './harness/rounds.ts'
import type { Workplace } from './harness/stores.ts'
import type { Part, Setting } from './part.ts'

export const againstName = 'against'

/** The commit to which the targets of this part refer. */
const baseline = '3d2ef16d659890ef1957242bca098f7be01d419f'
const maxDrainSeconds = 180

/** @param node another Node.js program, on which this checkout is measured too. */
export function compareWith(commit: string, node: string | null): Part {
  return {
    name: againstName,
    shows: `Bookings and usage entries of this checkout, compared with commit ${commit}, with one web process and one worker each.`,
    // Changes are judged by the processor time of these rounds.
    rounds: 7,
    duration: (seconds, rounds) => loads.length * rounds * (node ? 3 : 2) * (seconds + 1) + 90,
    run: (setting) => run(setting, commit, node),
  }
}

type Kind = 'spread' | 'hot' | 'entries' | 'batches'
type Load = { name: string; kind: Kind; connections: number; size: number }
const loads: Load[] = [
  { name: 'a lone booking (1 connection)', kind: 'spread', connections: 1, size: 1 },
  { name: 'bookings over 1,000 timeslots, 16 connections', kind: 'spread', connections: 16, size: 1 },
  { name: 'bookings over 1,000 timeslots, 64 connections', kind: 'spread', connections: 64, size: 1 },
  { name: 'bookings on one timeslot, 64 connections', kind: 'hot', connections: 64, size: 1 },
  { name: 'usage entries, 64 connections', kind: 'entries', connections: 64, size: 1 },
  { name: 'batches of 1,000 entries, 16 connections', kind: 'batches', connections: 16, size: 1000 },
]

type Fixtures = typeof import('./fixtures.ts')
type Side = {
  name: string
  workplace: Workplace
  requests: Record<Kind, LoadRequest[]>
  url: string
  pids: Record<string, number[]>
  /** Accepted so far. A request without a response may have been accepted or not. */
  accepted: { bookings: number; entries: number; unanswered: number }
}
type Result = Figures & { cost: Cost; drainSeconds: number }

async function run(setting: Setting, name: string, node: string | null): Promise<void> {
  const { say } = setting
  const checkout = await buildCheckout(name)
  try {
    say(`  built ${checkout.commit} in ${checkout.root}`)
    const { execPath } = process
    const here = { root: projectPath(), node: execPath }
    const sides = [
      await openSide(setting, `commit ${checkout.commit}`, { root: checkout.root, node: execPath }),
      await openSide(setting, 'this checkout', here),
    ]
    if (node)
      sides.push(await openSide(setting, `this checkout, Node ${await versionOf(node)}`, { ...here, node }))
    for (const load of setting.short ? [] : loads.filter(({ connections }) => connections > 1))
      for (const side of sides) await measure(side, load, warmUp.seconds)
    for (const { workplace } of sides) await workplace.sql`vacuum analyze`
    for (const load of loads) await compare(setting, load, sides, checkout)
    for (const side of sides) await check(setting, side)
  } finally {
    await checkout.remove()
  }
}

/** The fixtures come from the build’s own bench, because its tables may differ. */
async function openSide({ openWorkplace, short }: Setting, name: string, build: Build): Promise<Side> {
  const database = name.replace(/\W+/g, '_').toLowerCase()
  const workplace = await openWorkplace(database, (url) => migrateWith(build, url))
  const { sql, databaseUrl, redisUrl } = workplace
  const file = path.join(build.root, 'dist', 'bench', 'fixtures.js')
  const fixtures = (await import(pathToFileURL(file).href)) as Fixtures
  const { accountId, token } = await fixtures.makeAccount(sql)
  const capacity = 1_000_000
  const spread = { accountId, name: 'spread', slots: short ? 50 : 1000, capacity }
  const hot = { accountId, name: 'hot', slots: 1, capacity }
  const requests = {
    spread: fixtures.bookingRequests(token, await fixtures.makeProduct(sql, spread)),
    hot: fixtures.bookingRequests(token, await fixtures.makeProduct(sql, hot)),
    entries: fixtures.usageRequests([token]),
    batches: fixtures.usageRequests([token], { size: 1000 }),
  }
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const [web] = await startWebs(1, environment, build)
  const [worker] = await startWorkers(1, environment, build)
  const pids = { web: [web!.pid], worker: [worker!.pid], ...workplace.pids }
  const accepted = { bookings: 0, entries: 0, unanswered: 0 }
  return { name, workplace, requests, url: web!.url, pids, accepted }
}

async function compare(
  setting: Setting,
  load: Load,
  sides: Side[],
  { commit, hash }: Checkout,
): Promise<void> {
  const { alternate, report, seconds, short } = setting
  const entrants = sides.map((side) => ({ name: side.name, measure: () => measure(side, load, seconds) }))
  const found = await alternate(load.name, entrants)
  const [theirs, ours] = sides.map(({ name }) => found.get(name)!) as [Result[], Result[]]
  for (const { name } of sides) report.row(load.name, rowOf(name, found.get(name)!))
  for (const { name } of sides.slice(1))
    report.row(load.name, ratiosOf(`${name} ÷ ${sides[0]!.name}`, found.get(name)!, theirs))
  if (short || hash !== baseline) return
  const ratio = (figure: (result: Result) => number) => medianBy(ours, figure) / medianBy(theirs, figure)
  const unit = `× of ${commit}`
  if (load.connections === 1)
    report.target({
      name: 'a lone booking (1 connection), median',
      measured: ratio(({ p50 }) => p50),
      unit,
      atMost: 0.6,
    })
  if (load.kind === 'spread' && load.connections === 64) {
    const measured = ratio(({ cost }) => cost.PostgreSQL ?? Number.NaN)
    const name =
      'processor time of PostgreSQL per booking in batches of 32 (64 connections), the log included'
    report.target({ name, measured, unit, atMost: 0.65, aim: 0.5 })
  }
}

async function measure(side: Side, { kind, connections, size }: Load, seconds: number): Promise<Result> {
  const { url, requests, pids, accepted, workplace } = side
  const meter = startMeter(pids)
  const figures = await runLoad({ targets: [url], requests: requests[kind], connections, seconds })
  accepted[kind === 'entries' || kind === 'batches' ? 'entries' : 'bookings'] += figures.accepted * size
  accepted.unanswered += figures.unanswered * size
  const drainSeconds = await drain(workplace, accepted)
  return { ...figures, drainSeconds, cost: meter.costOf(figures.accepted) }
}

/** Uses only the totals, which every schema has. @throws when they are not complete after three minutes. */
async function drain({ sql }: Workplace, { bookings, entries }: Side['accepted']): Promise<number> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  for (; seconds() < maxDrainSeconds; await delay(20))
    if ((await countMetered(sql)) >= bookings && (await countCounted(sql)) >= entries) return seconds()
  throw new Error('a backlog is not drained within three minutes')
}

async function check({ report }: Setting, { name, workplace, accepted }: Side): Promise<void> {
  const [metered, counted] = [await countMetered(workplace.sql), await countCounted(workplace.sql)]
  const { bookings, entries, unanswered } = accepted
  const isWithin = (there: number, answered: number) => there >= answered && there <= answered + unanswered
  report.check(
    `every acknowledged booking and entry is counted once, ${name}`,
    isWithin(metered, bookings) && isWithin(counted, entries),
    `${bookings} bookings, ${metered} metered; ${entries} entries, ${counted} counted`,
  )
}

const costOfAll = ({ cost }: Result) =>
  Object.keys(cost).length > 0 ? Object.values(cost).reduce((sum, part) => sum + part, 0) : Number.NaN

function rowOf(name: string, results: Result[]): Row {
  return {
    '': name,
    'requests/s': spreadBy(results, ({ perSecond }) => perSecond),
    'p50 ms': spreadBy(results, ({ p50 }) => p50),
    'p99 ms': spreadBy(results, ({ p99 }) => p99),
    refused: results.reduce((sum, { refused }) => sum + refused, 0),
    ...costColumns(results),
    'all µs': spreadBy(results, costOfAll),
    's until all counted': spreadBy(results, ({ drainSeconds }) => drainSeconds),
  }
}

/** Our figures divided by theirs, column by column; a cell begins with the median. */
function ratiosOf(name: string, ours: Result[], theirs: Result[]): Row {
  const figures: Record<string, (result: Result) => number> = {
    'requests/s': ({ perSecond }) => perSecond,
    'p50 ms': ({ p50 }) => p50,
    'p99 ms': ({ p99 }) => p99,
    'all µs': costOfAll,
    's until all counted': ({ drainSeconds }) => drainSeconds,
  }
  for (const part of Object.keys(ours[0]?.cost ?? {})) figures[`${part} µs`] = ({ cost }) => cost[part]!
  const ratio = (figure: (result: Result) => number): Cell =>
    `${formatCell(medianOf(ours.map(figure)) / medianOf(theirs.map(figure)))} ×`
  return {
    '': name,
    ...Object.fromEntries(Object.entries(figures).map(([column, figure]) => [column, ratio(figure)])),
  }
}
