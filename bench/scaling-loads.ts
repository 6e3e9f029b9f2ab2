/**
 * The loads of the scaling benchmark. Counts the accepted requests, and compares the counts with the tables at the end.
 */
import { countCounted, fillBacklog, settle, timeDrain } from './backlog.ts'
import { type Account, bookingRequests, type Product, usageRequests } from './fixtures.ts'
import { type Figures, type LoadRequest, runLoad } from './harness/load.ts'
import { type Running, startWorkers, stopAll } from './harness/processes.ts'
import type { Setting } from './part.ts'

const connections = 64
/** Requests name about this many timeslots, even if the products have more. */
const maxSlotsAsked = 1000
const summaryPath = '/api/v2/usage/meters?from=2020-01-01&to=2100-01-01'

export type Loads = ReturnType<typeof createLoads>

export function createLoads({ workplace, seconds, report }: Setting, { token }: Account) {
  const { databaseUrl, redisUrl, sql } = workplace
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  // Counts of accepted entries (by HTTP or directly in the queue), bookings, and requests without a response, which may
  // or may not have been stored.
  let [entries, bookings, unanswered] = [0, 0, 0]

  async function load(webs: Running[], requests: LoadRequest[]): Promise<Figures> {
    const figures = await runLoad({ targets: webs.map(({ url }) => url), requests, connections, seconds })
    unanswered += figures.unanswered
    return figures
  }

  async function queue(count: number, accountIds: number[], meters: number): Promise<void> {
    await fillBacklog(workplace, { entries: count, accountIds, meters, store: 'Redis' })
    entries += count
  }

  return {
    environment,
    /** Puts entries into the queue. */
    queue,
    /**
     * Waits until all accepted entries are counted and all events are numbered; needs a running worker.
     * @throws as settle() does.
     */
    settle: () => settle(sql, entries),
    /** Entries a second that this many workers store. */
    async drain(workers: number, count: number, accountId: number, meters = 100): Promise<number> {
      const before = await countCounted(sql)
      await queue(count, [accountId], meters)
      const running = await startWorkers(workers, environment)
      const perSecond = await timeDrain(count, async () => (await countCounted(sql)) - before)
      await stopAll(running)
      return perSecond
    },
    /** Books places on about a thousand timeslots of the products. */
    async book(webs: Running[], products: Product[]): Promise<Figures> {
      const slots = products.reduce((sum, product) => sum + product.slots.length, 0)
      const step = Math.max(1, Math.floor(slots / maxSlotsAsked))
      const requests = products.flatMap((product) => {
        const wanted = product.slots.filter((_, index) => index % step === 0)
        return bookingRequests(token, { ...product, slots: wanted })
      })
      const figures = await load(webs, requests)
      bookings += figures.accepted
      return figures
    },
    /** Records single entries. */
    async record(webs: Running[], tokens = [token]): Promise<Figures> {
      const figures = await load(webs, usageRequests(tokens))
      entries += figures.accepted
      return figures
    },
    /** Requests the usage summary of an account repeatedly from one web process, one request at a time. */
    summarize([web]: Running[], of = token): Promise<Figures> {
      const requests = [{ method: 'GET' as const, path: summaryPath, token: of }]
      return runLoad({ targets: [web!.url], requests, connections: 1, seconds: seconds / 2 })
    },
    /** Drains what is left, and compares the responses with the tables. */
    async check(): Promise<void> {
      const workers = await startWorkers(1, environment)
      await settle(sql, entries)
      await stopAll(workers)
      const within = (there: number, answered: number) => there >= answered && there <= answered + unanswered
      const counted = await countCounted(sql)
      const detail = `${entries} acknowledged, ${counted} counted`
      report.check('every entry is counted once', within(counted, entries), detail)
      const [row] = await sql<{ made: number; wrong: number }[]>`
        with made as (
          select account_id, timeslot_id as id, sum(participants) as places from bookings group by account_id, timeslot_id
        )
        select coalesce(sum(places), 0)::bigint as made,
          count(*) filter (where booked <> coalesce(places, 0)) as wrong
        from timeslots left join made using (account_id, id)`
      const { made, wrong } = row!
      report.check(
        'every booking is stored',
        within(made, bookings),
        `${bookings} acknowledged, ${made} stored`,
      )
      report.check('every counter agrees with its bookings', wrong === 0, `${wrong} timeslots differ`)
    },
  }
}
