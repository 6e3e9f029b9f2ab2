/** How throughput grows with processes, and cost with accounts, meters, timeslots and backlog. */
import { availableParallelism } from 'node:os'
import { type Account, makeAccount, makeAccounts, makeProduct, type Product } from './fixtures.ts'
import { type Running, startWebs, startWorkers, stopAll } from './harness/processes.ts'
import { redisBytes } from './harness/stores.ts'
import type { Part, Setting } from './part.ts'
import { createLoads, type Loads } from './scaling-loads.ts'

export const scaling: Part = {
  name: 'scaling',
  shows:
    'Throughput by number of processes, and cost by number of accounts, meters, timeslots and waiting entries.',
  duration: (seconds) => 15 * (seconds + 2) + 180,
  run,
}

const full = {
  processes: [1, 2, 4],
  drained: 300_000,
  accounts: 10_000,
  meters: [1, 1000],
  slots: 1_000_000,
  products: 100,
  backlog: 1_000_000,
}
const tiny: typeof full = {
  processes: [2],
  drained: 2000,
  accounts: 20,
  meters: [50],
  slots: 2000,
  products: 2,
  backlog: 2000,
}

type Bench = Setting & { account: Account; loads: Loads; sizes: typeof full }

async function run(setting: Setting): Promise<void> {
  const account = await makeAccount(setting.workplace.sql)
  const loads = createLoads(setting, account)
  const bench: Bench = { ...setting, account, loads, sizes: setting.short ? tiny : full }
  const small = await makeProduct(bench.workplace.sql, {
    ...account,
    name: 'small',
    slots: 1000,
    capacity: 1_000_000,
  })
  await byProcesses(bench, small)
  const webs = await startWebs(1, loads.environment)
  await byTimeslots(bench, webs, small)
  await byAccounts(bench, webs)
  await byMeters(bench, webs)
  await byBacklog(bench, webs)
  await stopAll(webs)
  await loads.check()
  const cores = availableParallelism()
  bench.report.note(
    `This machine has ${cores} cores, which the processes share with wrk, PostgreSQL and Redis. More processes than cores cannot be faster.`,
  )
}

async function byProcesses({ account, loads, sizes, report }: Bench, product: Product): Promise<void> {
  // Bookings come last, and without workers: otherwise workers would process their events during another measurement.
  const drained = await forEach(sizes.processes, (count) =>
    loads.drain(count, sizes.drained, account.accountId),
  )
  const recorded = await forEach(sizes.processes, async (count) => {
    const [webs, workers] = await Promise.all([
      startWebs(count, loads.environment),
      startWorkers(count, loads.environment),
    ])
    const { perSecond } = await loads.record(webs)
    await loads.settle()
    await stopAll([...webs, ...workers])
    return perSecond
  })
  const booked = await forEach(sizes.processes, async (count) => {
    const webs = await startWebs(count, loads.environment)
    const { perSecond } = await loads.book(webs, [product])
    await stopAll(webs)
    return perSecond
  })
  for (const [index, count] of sizes.processes.entries())
    report.row('By number of processes', {
      'web processes, workers': count,
      'bookings/s': booked[index]!,
      'bookings ×': booked[index]! / booked[0]!,
      'entries accepted/s, workers live': recorded[index]!,
      'accepted ×': recorded[index]! / recorded[0]!,
      'entries drained/s': drained[index]!,
      'drained ×': drained[index]! / drained[0]!,
    })
}

async function forEach(counts: number[], measure: (count: number) => Promise<number>): Promise<number[]> {
  const measured: number[] = []
  for (const count of counts) measured.push(await measure(count))
  return measured
}

async function byTimeslots(bench: Bench, webs: Running[], small: Product): Promise<void> {
  const { account, loads, sizes, report, workplace } = bench
  const measure = async (timeslots: number, products: Product[]) => {
    await workplace.sql`vacuum analyze`
    const { perSecond, p50, p99 } = await loads.book(webs, products)
    const row = { timeslots, 'bookings/s': perSecond, 'p50 ms': p50, 'p99 ms': p99 }
    report.row('Bookings of 1,000 timeslots, by the number of timeslots in the catalogue', row)
  }
  await measure(small.slots.length, [small])
  const products: Product[] = []
  for (let number = 1; number <= sizes.products; number++) {
    const slots = sizes.slots / sizes.products
    const product = { ...account, name: `large ${number}`, slots, capacity: 100_000 }
    products.push(await makeProduct(workplace.sql, product))
  }
  await measure(sizes.slots, products)
}

async function byAccounts({ account, loads, sizes, report, workplace }: Bench, webs: Running[]) {
  const accounts = await makeAccounts(workplace.sql, sizes.accounts)
  const workers = await startWorkers(1, loads.environment)
  for (const some of [[account], accounts]) {
    await loads.settle()
    const tokens = some.map(({ token }) => token)
    const { perSecond, p50, p99 } = await loads.record(webs, tokens)
    const began = performance.now()
    await loads.settle()
    report.row('Single entries, by the number of accounts that send them, with a worker', {
      accounts: some.length,
      'entries/s': perSecond,
      'p50 ms': p50,
      'p99 ms': p99,
      's until all counted': (performance.now() - began) / 1000,
    })
  }
  await stopAll(workers)
}

async function byMeters({ loads, sizes, report, workplace }: Bench, webs: Running[]): Promise<void> {
  for (const meters of sizes.meters) {
    const [account] = await makeAccounts(workplace.sql, 1)
    const drained = await loads.drain(1, sizes.drained, account!.accountId, meters)
    await workplace.sql`vacuum analyze`
    const { p50, p99 } = await loads.summarize(webs, account!.token)
    report.row('By number of meters of an account', {
      meters,
      'entries drained/s': drained,
      'summary p50 ms': p50,
      'summary p99 ms': p99,
    })
  }
}

/** No worker runs, so the backlog stays. */
async function byBacklog({ account, loads, sizes, report, workplace }: Bench, webs: Running[]) {
  const empty = await redisBytes(workplace.redis)
  for (const entries of [0, sizes.backlog]) {
    if (entries > 0) await loads.queue(entries, [account.accountId], 100)
    const bytes = (await redisBytes(workplace.redis)) - empty
    const summary = await loads.summarize(webs)
    const figures = await loads.record(webs)
    report.row('With a backlog and no worker', {
      'entries waiting': entries,
      'MB in Redis': entries > 0 ? bytes / 2 ** 20 : null,
      'entries accepted/s': figures.perSecond,
      'p99 ms': figures.p99,
      'summary p50 ms': summary.p50,
    })
  }
}
