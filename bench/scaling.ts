/** How throughput grows with processes, and cost with accounts, meters, timeslots and backlog. */
import { availableParallelism } from 'node:os'
import { countCounted, fillBacklog, settle, timeDrain } from './backlog.ts'
import { type Account, bookingRequests, makeAccount, makeAccounts, makeProduct, type Product, usageRequests } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { type Running, startWebs, startWorkers, stopAll } from './harness/processes.ts'
import { redisBytes } from './harness/stores.ts'
import type { Part, Setting } from './part.ts'

export const scaling: Part = {
  name: 'scaling',
  shows: 'Throughput by number of processes, and cost by number of accounts, meters, timeslots and waiting entries.',
  duration: (seconds) => 15 * (seconds + 2) + 180,
  run,
}

const connections = 64
const mostSlotsAsked = 1000
const summaryPath = `/api/v2/usage/meters?from=2020-01-01&to=2100-01-01`

/** `queued`: entries put into the queue without HTTP. `recorded`, `booked`: answered 201. */
type Done = { queued: number; recorded: number; booked: number; unanswered: number }
type Bench = Setting & { account: Account; environment: Record<string, string>; done: Done; sizes: typeof full }

const full = {
  processes: [1, 2, 4],
  drained: 300_000,
  accounts: 10_000,
  meters: 1000,
  slots: 1_000_000,
  products: 100,
  backlog: 1_000_000,
}
const tiny: typeof full = {
  processes: [1, 2],
  drained: 5000,
  accounts: 100,
  meters: 50,
  slots: 2000,
  products: 2,
  backlog: 5000,
}

async function run(setting: Setting): Promise<void> {
  const { workplace, report, short } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const bench: Bench = {
    ...setting,
    account: await makeAccount(sql),
    environment: { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    done: { queued: 0, recorded: 0, booked: 0, unanswered: 0 },
    sizes: short ? tiny : full,
  }
  const product = await makeProduct(sql, { ...bench.account, name: 'small', slots: 1000, capacity: 1_000_000 })
  await byProcesses(bench, product)
  await byTimeslots(bench, product)
  await byAccounts(bench)
  await byMeters(bench)
  await byBacklog(bench)
  await check(bench)
  const cores = availableParallelism()
  report.note(`This machine has ${cores} cores, which the processes share with wrk, PostgreSQL and Redis: past them more processes cannot add anything.`)
}

async function byProcesses(bench: Bench, product: Product): Promise<void> {
  const { account, environment, sizes, report, workplace } = bench
  const what = { accountIds: [account.accountId], meters: 100 }
  // One after another, so that the events of bookings are not drained where something else is measured.
  const drained = await forEach(sizes.processes, (count) => drain(bench, count, what))
  const recorded = await forEach(sizes.processes, async (count) => {
    const running = [await startWebs(count, environment), await startWorkers(count, environment)]
    const { perSecond } = await record(bench, running[0]!, [account.token])
    await settle(workplace.sql, asked(bench))
    await stopAll(running.flat())
    return perSecond
  })
  const booked = await forEach(sizes.processes, async (count) => {
    const webs = await startWebs(count, environment)
    const { perSecond } = await book(bench, webs, product)
    await stopAll(webs)
    return perSecond
  })
  for (const [index, count] of sizes.processes.entries())
    report.row('By number of processes', {
      'webs, workers': count,
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

/** Entries that were acknowledged, however they came. */
const asked = ({ done }: Bench) => done.queued + done.recorded

async function byTimeslots(bench: Bench, small: Product): Promise<void> {
  const { account, environment, sizes, report, workplace } = bench
  const webs = await startWebs(1, environment)
  try {
    tell(small.slots.length, await book(bench, webs, small))
    const products: Product[] = []
    for (let number = 1; number <= sizes.products; number++) {
      const slots = sizes.slots / sizes.products
      products.push(await makeProduct(workplace.sql, { ...account, name: `large ${number}`, slots, capacity: 1000 }))
    }
    await workplace.sql`vacuum analyze`
    tell(sizes.slots, await book(bench, webs, ...products))
  } finally {
    await stopAll(webs)
  }
  function tell(slots: number, { perSecond, p50, p99 }: Figures): void {
    report.row('Bookings by timeslots in the catalogue, 1,000 of them wanted', {
      timeslots: slots,
      'bookings/s': perSecond,
      'p50 ms': p50,
      'p99 ms': p99,
    })
  }
}

async function byAccounts(bench: Bench): Promise<void> {
  const { account, environment, sizes, report, workplace } = bench
  const accounts = await makeAccounts(workplace.sql, sizes.accounts)
  const [webs, workers] = [await startWebs(1, environment), await startWorkers(1, environment)]
  try {
    for (const some of [[account], accounts]) {
      await settle(workplace.sql, asked(bench))
      const figures = await record(bench, webs, some.map(({ token }) => token))
      const began = performance.now()
      await settle(workplace.sql, asked(bench))
      report.row('Single entries by number of accounts that send them, worker live', {
        accounts: some.length,
        'entries/s': figures.perSecond,
        'p50 ms': figures.p50,
        'p99 ms': figures.p99,
        's until all counted': (performance.now() - began) / 1000,
      })
    }
  } finally {
    await stopAll([...webs, ...workers])
  }
}

async function byMeters(bench: Bench): Promise<void> {
  const { environment, sizes, report, workplace } = bench
  for (const meters of [1, sizes.meters]) {
    const [account] = await makeFresh(bench)
    const drained = await drain(bench, 1, { accountIds: [account!.accountId], meters })
    await workplace.sql`vacuum analyze`
    const webs = await startWebs(1, environment)
    const figures = await summarize(bench, webs, account!.token)
    await stopAll(webs)
    report.row('By number of meters of an account', {
      meters,
      'entries drained/s': drained,
      'summary p50 ms': figures.p50,
      'summary p99 ms': figures.p99,
    })
  }
}

async function makeFresh({ workplace }: Bench): Promise<Account[]> {
  await workplace.sql`update accounts set slug = 'old-' || account_id where slug like 'bench-%'`
  return makeAccounts(workplace.sql, 1)
}

/** No worker runs: what waits stays. */
async function byBacklog(bench: Bench): Promise<void> {
  const { account, environment, sizes, report, workplace } = bench
  const webs = await startWebs(1, environment)
  try {
    const empty = await redisBytes(workplace.redis)
    for (const entries of [0, sizes.backlog]) {
      const accountIds = [account.accountId]
      if (entries > 0) await fillBacklog(workplace, { entries, accountIds, meters: 100, store: 'Redis' })
      bench.done.queued += entries
      const bytes = (await redisBytes(workplace.redis)) - empty
      const summary = await summarize(bench, webs, account.token)
      const figures = await record(bench, webs, [account.token])
      report.row('With a backlog and no worker', {
        'entries waiting': entries,
        'MB in Redis': entries > 0 ? bytes / 2 ** 20 : null,
        'entries accepted/s': figures.perSecond,
        'p99 ms': figures.p99,
        'summary p50 ms': summary.p50,
      })
    }
  } finally {
    await stopAll(webs)
  }
}

async function drain(bench: Bench, workers: number, what: { accountIds: number[]; meters: number }): Promise<number> {
  const { environment, sizes, workplace, done } = bench
  const before = await countCounted(workplace.sql)
  await fillBacklog(workplace, { ...what, entries: sizes.drained, store: 'Redis' })
  done.queued += sizes.drained
  const running = await startWorkers(workers, environment)
  try {
    return await timeDrain(sizes.drained, async () => (await countCounted(workplace.sql)) - before)
  } finally {
    await stopAll(running)
  }
}

async function book({ account, seconds, done }: Bench, webs: Running[], ...products: Product[]): Promise<Figures> {
  const slots = products.reduce((sum, product) => sum + product.slots.length, 0)
  const step = Math.max(1, Math.floor(slots / mostSlotsAsked))
  const wanted = products.map((product) => ({ ...product, slots: product.slots.filter((_, index) => index % step === 0) }))
  const requests = wanted.flatMap((product) => bookingRequests(account.token, product))
  const figures = await load(webs, requests, seconds)
  done.booked += figures.accepted
  done.unanswered += figures.unanswered
  return figures
}

async function record({ seconds, done }: Bench, webs: Running[], tokens: string[]): Promise<Figures> {
  const figures = await load(webs, usageRequests(tokens), seconds)
  done.recorded += figures.accepted
  done.unanswered += figures.unanswered
  return figures
}

function summarize({ seconds }: Bench, webs: Running[], token: string): Promise<Figures> {
  const requests = [{ method: 'GET' as const, path: summaryPath, token }]
  return runLoad({ targets: webs.map(({ url }) => url), requests, connections: 1, seconds: seconds / 2 })
}

function load(webs: Running[], requests: Parameters<typeof runLoad>[0]['requests'], seconds: number): Promise<Figures> {
  return runLoad({ targets: webs.map(({ url }) => url), requests, connections, seconds })
}

/** Drains what is left, and holds what was answered against what is there. */
async function check(bench: Bench): Promise<void> {
  const { environment, workplace, report, done } = bench
  const workers = await startWorkers(1, environment)
  await settle(workplace.sql, asked(bench))
  await stopAll(workers)
  const [row] = await workplace.sql<{ entries: number; bookings: number; wrong: number }[]>`
    select (select sum(events) from meter_monthly where meter <> 'order-completed')::bigint as entries,
      (select count(*) from bookings) as bookings,
      (select count(*) from timeslots where booked <> (
        select coalesce(sum(participants), 0) from bookings
        where bookings.account_id = timeslots.account_id and bookings.timeslot_id = timeslots.id)) as wrong`
  const { entries, bookings, wrong } = row!
  const within = (there: number, answered: number) => there >= answered && there <= answered + done.unanswered
  const detail = `${asked(bench)} acknowledged, ${entries} counted`
  report.check('every entry is counted once', within(entries, asked(bench)), detail)
  report.check('every booking answered is there', within(bookings, done.booked), `${done.booked} answered, ${bookings} there`)
  report.check('every counter agrees with its bookings', wrong === 0, `${wrong} timeslots differ`)
}
