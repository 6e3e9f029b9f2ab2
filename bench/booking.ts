/**
 * Bookings over HTTP, compared with simpler implementations on the same PostgreSQL: places spread over many
 * timeslots, all on one, and the last places of one, when more are requested than there are.
 */
import { awaitMetered } from './backlog.ts'
import { type Bench, compareSellers, type Shapes, sell, warmUpAll } from './booking-rounds.ts'
import { startSubjects, stockOf } from './booking-subjects.ts'
import { makeAccount, makeProduct, withTwoUnits } from './fixtures.ts'
import { stopAll, watchMemory } from './harness/processes.ts'
import type { Part, Setting } from './part.ts'
import { isMedusaInstalled, prepareMedusa } from './rivals/medusa.ts'
import { makeBookingTables } from './rivals/tables.ts'

export const booking: Part = {
  name: 'booking',
  shows:
    'One web process sells single places over HTTP while one worker runs, compared with simple solutions on the same PostgreSQL.',
  duration: (seconds, rounds) => rounds * 21 * (seconds + 1) + 160,
  run,
}

const contestConnections = 64
const plenty = 1_000_000
const maxMegabytes = 150
const maxSecondsUntilComplete = 2

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
    units: await withTwoUnits(sql, await make('units', short ? 50 : 1000, plenty)),
  }
  await makeBookingTables(sql)
  const medusa = short ? null : await openMedusa(setting, shapes, scarcity)
  try {
    const subjects = await startSubjects(setting, account, medusa)
    const bench: Bench = { ...setting, shapes, medusa, subjects, tally: new Map(), completeSeconds: [] }
    try {
      await measure(bench)
    } finally {
      await stopAll(subjects.running)
    }
  } finally {
    await medusa?.close()
  }
  report.note(alike)
  report.note(unlike)
  report.note(withUnits)
}

const alike =
  'The same for all: machine, PostgreSQL with synchronous commit, ten connections for each process (pgbench: one for each client), prepared statements, a warm-up followed by ANALYZE, and the request, which names the timeslot by activity, date and time (pgbench: by id). pgbench runs with its best number of clients.'
const unlike =
  'Only this service also checks the API key, writes the event that meters the booking, separates the rows of accounts, makes a reference that people can read aloud, logs, and survives a connection lost during COMMIT. Its worker meters each booking at the same time; the processor time of a booking includes the worker and PostgreSQL until the totals are complete. pgbench uses neither HTTP nor JSON. A single row is an INSERT without a timeslot. Medusa finds its items in memory and uses its default lock, in the memory of each process. It writes a reservation, not a booking.'

const withUnits =
  'A booking with two units takes two places: one adult, one child. It uses the transaction that serves a batch of requests (lock the timeslots, read their units and prices, price each party, insert, commit). The single statement can only sell a number of places without units. No rival has units.'

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

async function measure(bench: Bench): Promise<void> {
  const { report, short } = bench
  await warmUpAll(bench)
  const peaks = watchMemory(bench.subjects.webs)
  await compareSellers(bench)
  await contest(bench)
  const [web] = Object.entries(peaks())
  report.row('Memory of the web process at full load', { '': web![0], 'peak MB': web![1] })
  report.target({ name: 'web process selling places', measured: web![1], unit: 'MB', atMost: maxMegabytes })
  const longest = Math.max(...bench.completeSeconds)
  if (!short)
    report.check(
      'the log and the totals are complete within 2 seconds of the end',
      longest <= maxSecondsUntilComplete,
      `${longest.toFixed(2)} s at the longest`,
    )
  await compare(bench)
}

/** All clients want the last places of an unused timeslot. */
async function contest(bench: Bench): Promise<void> {
  const { report, shapes, short, subjects } = bench
  for (const subject of subjects.list.filter(({ checksCapacity: looksAtTimeslots }) => looksAtTimeslots)) {
    const slot = shapes.scarce.slots.shift()!
    const before = await subject.audit()
    const product = { ...shapes.scarce, slots: [slot] }
    const sale = { product, connections: contestConnections, seconds: short ? 0.2 : 3 }
    const figures = await sell(bench, subject, sale)
    const after = await subject.audit()
    const oversold = after.oversold - before.oversold
    report.row('The last places of one timeslot, 64 connections', {
      '': subject.name,
      sold: after.sold - before.sold,
      refused: figures.refused,
      'places oversold': oversold,
      'counter differs by': after.miscounted - before.miscounted,
      'p99 ms': figures.p99,
    })
    if (subject.ours)
      report.check(
        'nothing is oversold',
        oversold === 0,
        `${oversold} places beyond capacity, ${figures.refused} refused`,
      )
  }
}

/** Checks that the tables have every booking that got 201, and no others except those whose request got no response. */
async function compare({ report, workplace, tally }: Bench): Promise<void> {
  const ours = [...tally.values()].find(({ subject }) => subject.ours)!
  const { made, miscounted } = await ours.subject.audit()
  const exact = made >= ours.accepted && made <= ours.accepted + ours.unanswered
  const detail = `${ours.accepted} acknowledged with 201, ${made} bookings, ${ours.unanswered} requests without a response`
  report.check('every acknowledged booking is stored, and no other', exact, detail)
  report.check('every counter agrees with its bookings', miscounted === 0, `${miscounted} places differ`)
  await awaitMetered(workplace.sql, made)
}
