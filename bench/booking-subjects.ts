/**
 * The subjects of the booking benchmark: this service and the rivals, all measured and counted in the same
 * way.
 */
import { toActivityId } from '../src/catalogue/model.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { type Account, bookingRequests, type Product, type Slot } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { runPgbench } from './harness/pgbench.ts'
import { type Running, startRivals, startWebs, startWorkers } from './harness/processes.ts'
import type { Pids } from './harness/processor.ts'
import type { Workplace } from './harness/stores.ts'
import type { Medusa, Stock } from './rivals/medusa.ts'

export type Sale = { product: Product; connections: number; seconds: number }
/**
 * `made`: bookings. `sold`: their places. `oversold`: places sold beyond capacity. `miscounted`: the
 * difference between counters and bookings.
 */
export type Audit = { made: number; sold: number; oversold: number; miscounted: number }
export type Subject = {
  name: string
  ours: boolean
  /** Whether it refuses when there are no places left. */
  checksCapacity: boolean
  /** The processes whose processor time counts. */
  pids: Pids
  sell(sale: Sale): Promise<Figures>
  audit(): Promise<Audit>
}
export type Subjects = { list: Subject[]; webs: Running[]; running: Running[] }

/** All subjects, over HTTP, with one process each; a worker meters the bookings of this service. */
export async function startSubjects(
  { workplace }: { workplace: Workplace },
  { token }: Account,
  medusa: Medusa | null,
): Promise<Subjects> {
  const { databaseUrl, redisUrl, sql } = workplace
  const { PostgreSQL, Redis } = workplace.pids
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const [webs, workers, rivals, medusas] = await Promise.all([
    startWebs(1, environment),
    startWorkers(1, environment),
    startRivals(1, ['dist', 'bench', 'rivals', 'web.js'], environment),
    medusa?.start(1) ?? [],
  ])
  const overHttp = (
    name: string,
    running: Running[],
    path: string | undefined,
    audit: Subject['audit'],
  ): Subject => ({
    name,
    ours: path === undefined,
    checksCapacity: path !== '/booking/row',
    pids: { web: pidsOf(running), PostgreSQL },
    sell: ({ product, connections, seconds }) =>
      runLoad({
        targets: running.map(({ url }) => url),
        requests: bookingRequests(token, product, path),
        connections,
        seconds,
      }),
    audit,
  })
  const ours = overHttp('this service', webs, undefined, () => auditOurs(sql))
  Object.assign(ours.pids, { worker: pidsOf(workers), Redis })
  const list = [ours]
  for (const [name, path] of Object.entries(rivalRoutes))
    list.push(overHttp(name, rivals, path, () => auditRivals(sql)))
  if (medusa)
    list.push(
      overHttp('Medusa inventory and lock', medusas, '/booking/medusa', () => auditMedusa(medusa.sql)),
    )
  return { list, webs, running: [...webs, ...workers, ...rivals, ...medusas] }
}

const pidsOf = (running: Running[]) => running.map(({ pid }) => pid)

const rivalRoutes = {
  'Fastify, textbook': '/booking/textbook',
  'Fastify, conditional UPDATE': '/booking/conditional',
  'Fastify, SERIALIZABLE': '/booking/serializable',
  'Fastify, a single row': '/booking/row',
}

export function pgbenchSubject({ databaseUrl, sql, pids }: Workplace): Subject {
  return {
    name: 'pgbench, textbook',
    ours: false,
    checksCapacity: true,
    pids: { PostgreSQL: pids.PostgreSQL },
    async sell({ product, connections, seconds }) {
      const before = await countSold(sql)
      const first = await firstId(sql, product)
      const slots = product.slots.length
      const { count, ...times } = await runPgbench(databaseUrl, {
        first,
        slots,
        clients: connections,
        seconds,
      })
      const accepted = (await countSold(sql)) - before
      const perSecond = count > 0 ? (times.perSecond * accepted) / count : 0
      return { ...times, perSecond, accepted, refused: count - accepted, unanswered: 0, statuses: {} }
    },
    audit: () => auditRivals(sql),
  }
}

export function stockOf(products: { product: Product; capacity: number }[]): Stock[] {
  return products.flatMap(({ product, capacity }) =>
    product.slots.map(({ date, time }) => ({
      sku: `${toActivityId(product.activity)} ${date} ${time}`,
      capacity,
    })),
  )
}

async function firstId(sql: Sql, { activity, slots }: Product): Promise<number> {
  const { date, time } = slots[0] as Slot
  const [slot] = await sql<{ id: number }[]>`
    select id from rival_timeslots where activity = ${activity} and date = ${date} and time = ${time}`
  return slot!.id
}

async function auditOurs(sql: Sql): Promise<Audit> {
  const [audit] = await sql<Audit[]>`
    with made as (
      select account_id, timeslot_id as id, count(*) as bookings, sum(participants) as places
      from bookings group by account_id, timeslot_id
    )
    select sum(coalesce(bookings, 0))::bigint as made, sum(coalesce(places, 0))::bigint as sold, sum(greatest(coalesce(places, 0) - capacity, 0))::bigint as oversold,
      sum(abs(booked - coalesce(places, 0)))::bigint as miscounted
    from timeslots left join made using (account_id, id)`
  return audit!
}

/**
 * Uses the counters of the timeslots, because counting bookings would cost PostgreSQL as much as several
 * hundred transactions.
 */
async function countSold(sql: Sql): Promise<number> {
  const [row] = await sql<{ sold: number }[]>`select sum(booked)::bigint as sold from rival_timeslots`
  return row!.sold
}

async function auditRivals(sql: Sql): Promise<Audit> {
  const [audit] = await sql<Audit[]>`
    with made as (
      select timeslot_id as id, count(*) as bookings, sum(participants) as places
      from rival_bookings group by timeslot_id
    )
    select sum(coalesce(bookings, 0))::bigint as made, sum(coalesce(places, 0))::bigint as sold, sum(greatest(coalesce(places, 0) - capacity, 0))::bigint as oversold,
      sum(abs(booked - coalesce(places, 0)))::bigint as miscounted
    from rival_timeslots left join made using (id)`
  return audit!
}

async function auditMedusa(sql: Sql): Promise<Audit> {
  const [audit] = await sql<Audit[]>`
    with made as (
      select inventory_item_id, count(*) as bookings, sum(quantity) as places from reservation_item
      where deleted_at is null group by inventory_item_id
    )
    select sum(coalesce(bookings, 0))::bigint as made, sum(coalesce(places, 0))::bigint as sold,
      sum(greatest(coalesce(places, 0) - stocked_quantity, 0))::bigint as oversold,
      sum(abs(reserved_quantity - coalesce(places, 0)))::bigint as miscounted
    from inventory_level left join made using (inventory_item_id)`
  return audit!
}
