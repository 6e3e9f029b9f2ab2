/**
 * Bookings over HTTP beside what one would write instead, on the same PostgreSQL: places spread over many
 * timeslots, all on one, and the last places of one, of which more may be sold than there are.
 */
import { pgbenchSubject, type Subject, type Subjects, startSubjects, stockOf } from './booking-subjects.ts'
import { type Account, makeAccount, makeProduct, type Product } from './fixtures.ts'
import type { Figures } from './harness/load.ts'
import { hasProgram } from './harness/machine.ts'
import { startWorkers, stopAll, watchMemory } from './harness/processes.ts'
import type { Part, Setting } from './part.ts'
import { isMedusaInstalled, type Medusa, prepareMedusa } from './rivals/medusa.ts'
import { makeBookingTables } from './rivals/tables.ts'

export const booking: Part = {
  name: 'booking',
  shows: 'Single places sold over HTTP, beside what one would write instead, on the same PostgreSQL.',
  duration: (seconds) => 66 * (seconds + 0.7) + 60,
  run,
}

const contestConnections = 64
const plenty = 1_000_000
const mostMegabytes = 150

type Shapes = { spread: Product; hot: Product; scarce: Product }
type Bench = Setting & { account: Account; shapes: Shapes; medusa: Medusa | null; best: Map<string, number> }
/** What was asked of a subject, warm-up included, for comparing with its tables. */
type Tally = Map<string, { accepted: number; unanswered: number; subject: Subject }>

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report } = setting
  const { sql } = workplace
  const account = await makeAccount(sql)
  const scarcity = short ? 20 : 100
  const make = (name: string, slots: number, capacity: number) =>
    makeProduct(sql, { accountId: account.accountId, name, slots, capacity })
  const shapes = {
    spread: await make('spread', short ? 50 : 1000, plenty),
    hot: await make('hot', 1, plenty),
    scarce: await make('scarce', 40, scarcity),
  }
  await makeBookingTables(sql)
  const medusa = short ? null : await openMedusa(setting, shapes, scarcity)
  const bench = { ...setting, account, shapes, medusa, best: new Map<string, number>() }
  const tally: Tally = new Map()
  try {
    for (const processes of short ? [2] : [1, 2]) await measure(bench, processes, tally)
  } finally {
    await medusa?.close()
  }
  report.note(alike)
  report.note(unlike)
  for (const shape of ['spread', 'hot']) {
    const ratio = (bench.best.get(`${shape} ours`) ?? 0) / (bench.best.get(`${shape} pgbench`) ?? Number.NaN)
    if (Number.isNaN(ratio)) continue
    const name = `bookings, ${shape}, best beside the best of pgbench’s textbook transaction`
    report.target({ name, measured: ratio, unit: '×', atLeast: shape === 'spread' ? 2.5 : 10 })
  }
}

const alike =
  'Alike for all: machine, PostgreSQL with synchronous commit, ten connections for each process (pgbench: one for each client, 128 at the most), prepared statements, a warm-up followed by ANALYZE, and the request, which names the timeslot by activity, date and time (pgbench: by id).'
const unlike =
  'Only this service also checks the API key, writes the event that meters the purchase, keeps every row apart by account, makes a reference fit for reading aloud, logs, and survives a connection lost during COMMIT. pgbench has no HTTP and no JSON at all. Medusa’s items are found in memory, its lock is the one it comes with, in the memory of each process, and it writes a reservation, not a booking.'

async function openMedusa({ report, say, workplace }: Setting, shapes: Shapes, scarcity: number) {
  if (!isMedusaInstalled()) {
    report.note('Medusa was left out: it is not installed (npm ci --ignore-scripts --prefix bench/medusa).')
    say('  without Medusa: run npm ci --ignore-scripts --prefix bench/medusa to have it')
    return null
  }
  const { spread, hot, scarce } = shapes
  const stock = stockOf([
    { product: spread, capacity: plenty },
    { product: hot, capacity: plenty },
    { product: scarce, capacity: scarcity },
  ])
  return prepareMedusa(workplace.databaseUrl, stock).catch((error: Error) => {
    report.note(`Medusa was left out: ${error.message}`)
    say(`  without Medusa: ${error.message}`)
    return null
  })
}

async function measure(bench: Bench, processes: number, tally: Tally): Promise<void> {
  const { short, seconds, workplace, shapes } = bench
  const subjects = await startSubjects(processes, bench)
  try {
    const list = [...subjects.list]
    // pgbench is measured once: it knows nothing of web processes.
    const alone = processes === 1 || short
    if (alone && (await hasPgbench(bench))) list.push(pgbenchSubject(workplace))
    const sell = async (subject: Subject, product: Product, connections: number, forSeconds: number) => {
      const figures = await subject.sell({ product, connections, seconds: forSeconds })
      count(tally, subject, figures)
      return figures
    }
    for (const subject of short ? [] : list)
      for (const product of [shapes.spread, shapes.hot]) await sell(subject, product, 16, 1)
    await workplace.sql`analyze`
    if (bench.medusa) await bench.medusa.sql`analyze`
    const peaks = watchMemory(subjects.webs)
    for (const shape of ['spread', 'hot'] as const)
      for (const connections of short ? [16] : [16, 64, 256])
        for (const subject of list) {
          const figures = await sell(subject, shapes[shape], connections, seconds)
          tell(bench, { subject, shape, connections, processes }, figures)
        }
    for (const subject of list) await contest(bench, subject, processes, tally)
    if (alone) await withWorker(bench, subjects, processes, tally)
    tellMemory(bench, processes, peaks())
    await compare(bench, tally, processes)
  } finally {
    await stopAll(subjects.running)
  }
}

async function hasPgbench({ short, say }: Bench): Promise<boolean> {
  if (await hasProgram('pgbench')) return true
  if (!short) throw new Error('pgbench is not on the PATH (on Debian: apt-get install postgresql)')
  say('  without pgbench, which is not on the PATH')
  return false
}

type Measured = { subject: Subject; shape: 'spread' | 'hot'; connections: number; processes: number }

function tell({ report, shapes, best }: Bench, measured: Measured, figures: Figures): void {
  const { subject, shape, connections, processes } = measured
  const title = shape === 'hot' ? 'One hot timeslot' : `Over ${shapes.spread.slots.length} timeslots`
  const viaPgbench = subject.name.startsWith('pgbench')
  report.row(title, {
    'web processes': viaPgbench ? null : processes,
    connections,
    '': subject.name,
    'bookings/s': figures.perSecond,
    'p50 ms': figures.p50,
    'p99 ms': figures.p99,
    refused: figures.refused,
  })
  const key = subject.ours ? `${shape} ours` : viaPgbench ? `${shape} pgbench` : null
  if (key) best.set(key, Math.max(best.get(key) ?? 0, figures.perSecond))
  if (connections === contestConnections && processes === 1)
    report.bar(`Bookings, ${title.toLowerCase()}, 64 connections, one process`, 'per second', {
      label: subject.name,
      value: figures.perSecond,
      ours: subject.ours,
    })
}

/** Everybody wants the last places of a timeslot that nobody has touched before. */
async function contest(bench: Bench, subject: Subject, processes: number, tally: Tally): Promise<void> {
  const { report, shapes, short } = bench
  const slot = shapes.scarce.slots.shift()!
  const before = await subject.audit()
  const product = { ...shapes.scarce, slots: [slot] }
  const figures = await subject.sell({ product, connections: contestConnections, seconds: short ? 0.2 : 3 })
  count(tally, subject, figures)
  const after = await subject.audit()
  const oversold = after.oversold - before.oversold
  report.row('The last places of one timeslot, 64 connections', {
    'web processes': subject.name.startsWith('pgbench') ? null : processes,
    '': subject.name,
    sold: after.sold - before.sold,
    refused: figures.refused,
    'places oversold': oversold,
    'counter differs by': after.miscounted - before.miscounted,
    'p99 ms': figures.p99,
  })
  if (subject.ours) {
    const name = `nothing oversold, ${processes} web`
    report.check(name, oversold === 0, `${oversold} places beyond capacity, ${figures.refused} refused`)
  }
}

/** As it runs in production: the event of each booking becomes a usage entry meanwhile. */
async function withWorker(bench: Bench, { list }: Subjects, processes: number, tally: Tally): Promise<void> {
  const { report, seconds, shapes, workplace } = bench
  const { databaseUrl, redisUrl } = workplace
  const workers = await startWorkers(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  try {
    const subject = list.find(({ ours }) => ours)!
    const figures = await subject.sell({ product: shapes.spread, connections: contestConnections, seconds })
    count(tally, subject, figures)
    report.row('With a worker beside it that meters each booking, and the backlog of all before', {
      'web processes': processes,
      connections: contestConnections,
      'bookings/s': figures.perSecond,
      'p50 ms': figures.p50,
      'p99 ms': figures.p99,
    })
  } finally {
    await stopAll(workers)
  }
}

function tellMemory({ report }: Bench, processes: number, peaks: Record<string, number>): void {
  for (const [name, megabytes] of Object.entries(peaks))
    report.row('Memory of the web processes at full load', { processes, '': name, 'peak MB': megabytes })
  const unit = 'MB'
  const measured = Math.max(...Object.values(peaks))
  if (processes === 1)
    report.target({ name: 'web process selling places', measured, unit, atMost: mostMegabytes })
}

function count(tally: Tally, subject: Subject, { accepted, unanswered }: Figures): void {
  const before = tally.get(subject.name) ?? { accepted: 0, unanswered: 0 }
  tally.set(subject.name, {
    accepted: before.accepted + accepted,
    unanswered: before.unanswered + unanswered,
    subject,
  })
}

/** What was answered with 201 must be what the tables hold; what was never answered may be. */
async function compare({ report }: Bench, tally: Tally, processes: number): Promise<void> {
  const ours = [...tally.values()].find(({ subject }) => subject.ours)!
  const { sold, miscounted } = await ours.subject.audit()
  const exact = sold >= ours.accepted && sold <= ours.accepted + ours.unanswered
  const detail = `${ours.accepted} answered 201, ${sold} places in bookings, ${ours.unanswered} requests never answered`
  report.check(`every booking answered is there, and no other, ${processes} web`, exact, detail)
  report.check(
    `every counter agrees with its bookings, ${processes} web`,
    miscounted === 0,
    `${miscounted} places apart`,
  )
}
