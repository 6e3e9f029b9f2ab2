/** What the booking benchmark measures: which subjects, with how many connections, and how it reports the results. */
import { awaitMetered } from './backlog.ts'
import { pgbenchSubject, type Sale, type Subject, type Subjects } from './booking-subjects.ts'
import type { Product } from './fixtures.ts'
import { type Cost, costColumns, startMeter } from './harness/cost.ts'
import { type Figures, warmUp } from './harness/load.ts'
import { hasProgram } from './harness/machine.ts'
import { type Entrant, medianBy, spreadBy } from './harness/rounds.ts'
import type { Setting } from './part.ts'
import type { Medusa } from './rivals/medusa.ts'

/**
 * `spread` has 1,000 timeslots, `hot` has one, `scarce` has few places; `units` is like `spread`, but each booking has
 * two units.
 */
export type Shapes = { spread: Product; hot: Product; scarce: Product; units: Product }
export type Bench = Setting & {
  shapes: Shapes
  medusa: Medusa | null
  subjects: Subjects
  /** The requests to each subject, including the warm-up. Those of this service are compared with its bookings. */
  tally: Map<string, { accepted: number; unanswered: number; subject: Subject }>
  /** After each load on this service: the seconds until every event has a number and the totals have every booking. */
  completeSeconds: number[]
}
type Sold = Figures & { cost: Cost; idle: number; completeSeconds: number }
type Seller = Entrant<Sold> & { seller: string; subject: Subject; connections: number }

type ShapeName = 'spread' | 'hot'
const shapeNames: readonly ShapeName[] = ['spread', 'hot']
/**
 * This service with two units in each booking, to be compared with bookings without units. Only over many timeslots.
 */
const ofTwoUnits = 'this service, two units'
const titles = { spread: 'over 1,000 timeslots', hot: 'on one timeslot' }

/**
 * Each item is one comparison of sellers in alternation. 0 connections means: the number with which pgbench is fastest.
 */
const contests: { shapes: readonly ShapeName[]; sellers: [name: string, connections: number][] }[] = [
  {
    shapes: ['spread'],
    sellers: [
      ['this service', 1],
      ['Fastify, a single row', 1],
    ],
  },
  {
    shapes: shapeNames,
    sellers: [
      ['this service', 16],
      ['Fastify, conditional UPDATE', 16],
    ],
  },
  {
    shapes: shapeNames,
    sellers: [
      ['this service', 64],
      ['pgbench, textbook', 0],
      ['Fastify, textbook', 64],
      ['Fastify, conditional UPDATE', 64],
      ['Fastify, SERIALIZABLE', 64],
      ['Medusa inventory and lock', 64],
      [ofTwoUnits, 64],
      ['this service', 256],
    ],
  },
]
const shortContests: typeof contests = [
  {
    shapes: shapeNames,
    sellers: [
      ['this service', 16],
      [ofTwoUnits, 16],
      ['pgbench, textbook', 0],
      ['Fastify, textbook', 16],
      ['Fastify, conditional UPDATE', 16],
      ['Fastify, SERIALIZABLE', 16],
      ['Fastify, a single row', 16],
    ],
  },
]
const pgbenchClients = [1, 2, 4, 8, 16, 32, 64, 128]

/** Runs one load. For this service, also waits until the bookings are metered. */
export async function sell(bench: Bench, subject: Subject, sale: Sale): Promise<Sold> {
  const meter = startMeter(subject.pids)
  const figures = await subject.sell(sale)
  const idle = meter.idleShare()
  const before = bench.tally.get(subject.name) ?? { accepted: 0, unanswered: 0 }
  const accepted = before.accepted + figures.accepted
  bench.tally.set(subject.name, { accepted, unanswered: before.unanswered + figures.unanswered, subject })
  const completeSeconds = subject.ours ? await awaitMetered(bench.workplace.sql, accepted) : Number.NaN
  if (subject.ours) bench.completeSeconds.push(completeSeconds)
  return { ...figures, idle, completeSeconds, cost: meter.costOf(figures.accepted) }
}

export async function warmUpAll(bench: Bench): Promise<void> {
  const { short, subjects, shapes, workplace, medusa } = bench
  for (const subject of short ? [] : subjects.list)
    for (const product of [shapes.spread, shapes.hot, ...(subject.ours ? [shapes.units] : [])])
      await sell(bench, subject, { product, ...warmUp })
  // The limit on this time does not apply to the warm-up.
  bench.completeSeconds.length = 0
  await workplace.sql`analyze`
  if (medusa) await medusa.sql`analyze`
}

export async function compareSellers(bench: Bench): Promise<void> {
  const pgbench = (await hasPgbench(bench)) ? pgbenchSubject(bench.workplace) : null
  if (pgbench) bench.subjects.list.push(pgbench)
  for (const shape of shapeNames) {
    const best = pgbench ? await findBestClients(bench, pgbench, shape) : 0
    for (const { shapes, sellers } of bench.short ? shortContests : contests)
      if (shapes.includes(shape)) await compareOn(bench, shape, sellers, best)
  }
}

async function hasPgbench({ short, say }: Bench): Promise<boolean> {
  if (await hasProgram('pgbench')) return true
  if (!short) throw new Error('pgbench is not on the PATH (on Debian: apt-get install postgresql)')
  say('  pgbench is not measured: it is not on the PATH')
  return false
}

/** Tries each number of clients for two seconds, including the time to connect. This also warms pgbench up. */
async function findBestClients(bench: Bench, pgbench: Subject, shape: ShapeName): Promise<number> {
  if (bench.short) return 8
  const rates = new Map<number, number>()
  for (const connections of pgbenchClients) {
    const sale = { product: bench.shapes[shape], connections, seconds: 2 }
    rates.set(connections, (await sell(bench, pgbench, sale)).perSecond)
  }
  return pgbenchClients.reduce((best, clients) => (rates.get(clients)! > rates.get(best)! ? clients : best))
}

async function compareOn(
  bench: Bench,
  shape: ShapeName,
  sellers: [string, number][],
  pgbenchBest: number,
): Promise<void> {
  const { subjects, shapes, seconds } = bench
  const entrants = sellers.flatMap(([seller, wanted]): Seller[] => {
    const hasUnits = seller === ofTwoUnits
    const subject = subjects.list.find(({ name, ours }) => (hasUnits ? ours : name === seller))
    if (!subject || (hasUnits && shape !== 'spread')) return []
    const product = hasUnits ? shapes.units : shapes[shape]
    const connections = wanted || pgbenchBest
    const measure = () => sell(bench, subject, { product, connections, seconds })
    return [{ name: `${seller}, ${connections}`, seller, subject, connections, measure }]
  })
  const fewest = Math.min(...sellers.map(([, connections]) => connections || Number.POSITIVE_INFINITY))
  const found = await bench.alternate(`bookings ${titles[shape]}, ${fewest} connections`, entrants)
  for (const seller of entrants) tell(bench, shape, seller, found.get(seller.name)!)
  if (!bench.short) tellTargets(bench, shape, found, pgbenchBest)
}

function tell(
  { report }: Bench,
  shape: ShapeName,
  { seller, subject, connections }: Seller,
  sold: Sold[],
): void {
  report.row(`Bookings ${titles[shape]}`, {
    connections,
    '': seller,
    'bookings/s': spreadBy(sold, ({ perSecond }) => perSecond),
    'p50 ms': spreadBy(sold, ({ p50 }) => p50),
    'p99 ms': spreadBy(sold, ({ p99 }) => p99),
    refused: sold.reduce((sum, { refused }) => sum + refused, 0),
    ...costColumns(sold),
    'idle %': spreadBy(sold, ({ idle }) => 100 * idle),
    'seconds until log and totals are complete': spreadBy(sold, ({ completeSeconds }) => completeSeconds),
  })
  if (connections === 64 || subject.name.startsWith('pgbench'))
    report.bar(`Bookings ${titles[shape]}, 64 connections`, 'per second', {
      label: seller,
      value: medianBy(sold, ({ perSecond }) => perSecond),
      ours: subject.ours,
    })
}

function tellTargets({ report }: Bench, shape: ShapeName, found: Map<string, Sold[]>, best: number): void {
  const median = (name: string, figure: (sold: Sold) => number) => medianBy(found.get(name), figure)
  const beside = (name: string, ours: string, rival: string, bounds: { atLeast: number; aim: number }) => {
    if (!found.has(ours) || !found.has(rival)) return
    const measured = median(ours, ({ perSecond }) => perSecond) / median(rival, ({ perSecond }) => perSecond)
    report.target({ name, measured, unit: '×', ...bounds })
  }
  const [where, bounds] =
    shape === 'spread' ? [titles.spread, { atLeast: 2, aim: 3 }] : [titles.hot, { atLeast: 8, aim: 11 }]
  beside(
    `bookings ${where}, compared with pgbench’s textbook transaction at its best number of clients (${best})`,
    'this service, 64',
    `pgbench, textbook, ${best}`,
    bounds,
  )
  beside(
    `bookings at 16 connections ${where}, compared with Fastify with one conditional UPDATE`,
    'this service, 16',
    'Fastify, conditional UPDATE, 16',
    { atLeast: 1.3, aim: 2 },
  )
  if (shape === 'spread' && found.has('this service, 1')) {
    const measured =
      median('this service, 1', ({ p50 }) => p50) / median('Fastify, a single row, 1', ({ p50 }) => p50)
    const name = 'a lone booking (1 connection), median, compared with a single-row commit over HTTP'
    report.target({ name, measured, unit: '×', atMost: null, aim: 1.3 })
  }
  if (shape === 'spread' && found.has('this service, 64')) {
    const measured = 100 * median('this service, 64', ({ idle }) => idle)
    report.target({
      name: 'idle processor while 64 connections book',
      measured,
      unit: '%',
      atMost: 15,
      aim: 10,
    })
  }
}
