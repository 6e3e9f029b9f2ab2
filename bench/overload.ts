/**
 * How many bookings a web process makes when it has many more clients than it can serve. The clients honour
 * `Retry-After`.
 */
import { bookingRequests, makeAccount, makeProduct } from './fixtures.ts'
import { type Figures, runLoad, warmUp } from './harness/load.ts'
import { startWebs, stopAll } from './harness/processes.ts'
import { medianBy, spreadBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'

export const overload: Part = {
  name: 'overload',
  shows:
    'Bookings over 1,000 timeslots from more clients than the service handles at once. Refused clients honour `Retry-After`. One web process.',
  duration: (seconds, rounds) => rounds * sizes.length * (seconds + 4) + 20,
  run,
}

/** Numbers of clients: 256 can all be served at once; 1,024 and 4,096 cannot. */
const sizes = [256, 1024, 4096] as const
const shortSizes = [16, 32, 64]
const kept = { atLeast: 0.9, aim: 1 }
const maxGrowth = 2

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace, report, alternate } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const account = await makeAccount(sql)
  const shape = { accountId: account.accountId, name: 'Crowd', slots: short ? 50 : 1000, capacity: 1_000_000 }
  const requests = bookingRequests(account.token, await makeProduct(sql, shape))
  const webs = await startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  let found = new Map<string, Figures[]>()
  try {
    const ask = (connections: number, forSeconds: number) =>
      runLoad({
        targets: [webs[0]!.url],
        requests,
        connections,
        seconds: forSeconds,
        honoursRetryAfter: true,
      })
    let accepted = short ? 0 : (await ask(warmUp.connections, warmUp.seconds)).accepted
    let unanswered = 0
    await sql`analyze`
    const entrants = (short ? shortSizes : sizes).map((connections) => ({
      name: String(connections),
      async measure() {
        const figures = await ask(connections, seconds)
        accepted += figures.accepted
        unanswered += figures.unanswered
        return figures
      },
    }))
    found = await alternate('bookings', entrants)
    for (const [connections, figures] of found) tell(setting, Number(connections), figures)
    const [row] = await sql<{ booked: number }[]>`select sum(booked)::bigint as booked from timeslots`
    // A short run is part of the tests and may share a busy machine, so some requests may get no response. Such a
    // request may have been booked or not; both are accepted.
    const isBooked = row!.booked >= accepted && row!.booked <= accepted + unanswered
    const exact = isBooked && (short || unanswered === 0)
    report.check(
      'every request gets a response, and every accepted booking is stored',
      exact,
      `${accepted} accepted, ${row!.booked} booked, ${unanswered} unanswered`,
    )
  } finally {
    await stopAll(webs)
  }
  if (short) return
  const median = (connections: (typeof sizes)[number], figure: (figures: Figures) => number) =>
    medianBy(found.get(String(connections)), figure)
  const rate = ({ perSecond }: Figures) => perSecond
  report.target({
    name: 'bookings with 4,096 clients, compared with 256',
    measured: median(4096, rate) / median(256, rate),
    unit: '×',
    ...kept,
  })
  const p99 = (figures: Figures) => figures.p99
  const growth = { name: 'p99 with 4,096 clients', measured: median(4096, p99) / median(1024, p99) }
  report.target({ ...growth, unit: '× that with 1,024', atMost: maxGrowth })
}

function tell({ report }: Setting, connections: number, figures: Figures[]): void {
  report.row('Bookings', {
    connections,
    'bookings/s': spreadBy(figures, ({ perSecond }) => perSecond),
    'p50 ms': spreadBy(figures, ({ p50 }) => p50),
    'p99 ms': spreadBy(figures, ({ p99 }) => p99),
    refused: figures.reduce((sum, { refused }) => sum + refused, 0),
  })
}
