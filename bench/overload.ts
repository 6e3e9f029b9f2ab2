/** Many more clients than a web process can answer, who come back when they are told to: what it still gets done. */
import { bookingRequests, makeAccount, makeProduct } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { startWebs, stopAll } from './harness/processes.ts'
import type { Part, Setting } from './part.ts'

export const overload: Part = {
  name: 'overload',
  shows:
    'Bookings over 1,000 timeslots while more clients ask than are ever under way at once; whoever is refused comes back when `Retry-After` says. One web process.',
  duration: (seconds) => sizes.length * (seconds + 4) + 20,
  run,
}

/** All are served; four times as many; sixteen times as many. */
const sizes = [256, 1024, 4096] as const
const shortSizes = [16, 32, 64]
const leastKept = 0.8
const mostGrowth = 2

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace, report } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const account = await makeAccount(sql)
  const shape = { accountId: account.accountId, name: 'Crowd', slots: short ? 50 : 1000, capacity: 1_000_000 }
  const requests = bookingRequests(account.token, await makeProduct(sql, shape))
  const webs = await startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  const figures: Figures[] = []
  try {
    const ask = (connections: number, forSeconds: number) =>
      runLoad({ targets: [webs[0]!.url], requests, connections, seconds: forSeconds, patient: true })
    let accepted = short ? 0 : (await ask(64, 1)).accepted
    await sql`analyze`
    for (const connections of short ? shortSizes : sizes) {
      const found = await ask(connections, seconds)
      accepted += found.accepted
      figures.push(found)
      tell(setting, connections, found)
    }
    const unanswered = figures.reduce((sum, found) => sum + found.unanswered, 0)
    const [row] = await sql<{ booked: number }[]>`select sum(booked)::bigint as booked from timeslots`
    const exact = unanswered === 0 && row!.booked === accepted
    report.check(
      'everybody is answered, and what is accepted is booked',
      exact,
      `${accepted} accepted, ${row!.booked} booked, ${unanswered} unanswered`,
    )
  } finally {
    await stopAll(webs)
  }
  if (short) return
  const [all, four, sixteen] = figures as [Figures, Figures, Figures]
  const kept = { name: 'bookings with 4,096 clients', measured: sixteen.perSecond / all.perSecond }
  report.target({ ...kept, unit: '× those with 256', atLeast: leastKept })
  const growth = { name: 'p99 with 4,096 clients', measured: sixteen.p99 / four.p99 }
  report.target({ ...growth, unit: '× that with 1,024', atMost: mostGrowth })
}

function tell({ report }: Setting, connections: number, figures: Figures): void {
  const { perSecond, p50, p99, refused } = figures
  report.row('Bookings', { connections, 'bookings/s': perSecond, 'p50 ms': p50, 'p99 ms': p99, refused })
}
