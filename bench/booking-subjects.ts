/** Who sells places in the bench of bookings: ours and the others, each measured and counted in the same way. */
import { toActivityId } from '../src/catalogue/model.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { type Account, bookingRequests, type Product, type Slot } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { runPgbench } from './harness/pgbench.ts'
import { type Running, startRivals, startWebs } from './harness/processes.ts'
import type { Workplace } from './harness/stores.ts'
import type { Medusa, Stock } from './rivals/medusa.ts'

export type Sale = { product: Product; connections: number; seconds: number }
/** `oversold`: places sold beyond capacity. `miscounted`: by how much counters differ from the bookings. */
export type Audit = { sold: number; oversold: number; miscounted: number }
export type Subject = {
  name: string
  ours: boolean
  sell(sale: Sale): Promise<Figures>
  audit(): Promise<Audit>
}
export type Subjects = { list: Subject[]; webs: Running[]; running: Running[] }

/** Everybody, over HTTP, with so many processes each. */
export async function startSubjects(
  processes: number,
  { workplace, account, medusa }: { workplace: Workplace; account: Account; medusa: Medusa | null },
): Promise<Subjects> {
  const { databaseUrl, redisUrl, sql } = workplace
  const [webs, rivals, medusas] = await Promise.all([
    startWebs(processes, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }),
    startRivals(processes, ['dist', 'bench', 'rivals', 'web.js'], { DATABASE_URL: databaseUrl }),
    medusa?.start(processes) ?? [],
  ])
  const overHttp = (
    name: string,
    running: Running[],
    path: string | undefined,
    audit: Subject['audit'],
  ): Subject => ({
    name,
    ours: path === undefined,
    sell: ({ product, connections, seconds }) =>
      runLoad({
        targets: running.map(({ url }) => url),
        requests: bookingRequests(account.token, product, path),
        connections,
        seconds,
      }),
    audit,
  })
  const list = [overHttp('this service', webs, undefined, () => auditOurs(sql))]
  for (const [name, path] of Object.entries(rivalRoutes))
    list.push(overHttp(name, rivals, path, () => auditRivals(sql)))
  if (medusa)
    list.push(
      overHttp('Medusa inventory and lock', medusas, '/booking/medusa', () => auditMedusa(medusa.sql)),
    )
  return { list, webs, running: [...webs, ...rivals, ...medusas] }
}

const rivalRoutes = {
  'Fastify, textbook': '/booking/textbook',
  'Fastify, conditional UPDATE': '/booking/conditional',
  'Fastify, SERIALIZABLE': '/booking/serializable',
}

/** The server takes 200 connections; the service's own and ours need some. */
const mostClients = 128

export function pgbenchSubject({ databaseUrl, sql }: Workplace): Subject {
  return {
    name: 'pgbench, textbook',
    ours: false,
    async sell({ product, connections, seconds }) {
      const before = await auditRivals(sql)
      const first = await firstId(sql, product)
      const clients = Math.min(connections, mostClients)
      const slots = product.slots.length
      const { count, ...times } = await runPgbench(databaseUrl, { first, slots, clients, seconds })
      const accepted = (await auditRivals(sql)).sold - before.sold
      const perSecond = (times.perSecond * accepted) / count
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
      select account_id, timeslot_id as id, sum(participants) as places from bookings group by account_id, timeslot_id
    )
    select sum(coalesce(places, 0))::bigint as sold, sum(greatest(coalesce(places, 0) - capacity, 0))::bigint as oversold,
      sum(abs(booked - coalesce(places, 0)))::bigint as miscounted
    from timeslots left join made using (account_id, id)`
  return audit!
}

async function auditRivals(sql: Sql): Promise<Audit> {
  const [audit] = await sql<Audit[]>`
    with made as (select timeslot_id as id, sum(participants) as places from rival_bookings group by timeslot_id)
    select sum(coalesce(places, 0))::bigint as sold, sum(greatest(coalesce(places, 0) - capacity, 0))::bigint as oversold,
      sum(abs(booked - coalesce(places, 0)))::bigint as miscounted
    from rival_timeslots left join made using (id)`
  return audit!
}

async function auditMedusa(sql: Sql): Promise<Audit> {
  const [audit] = await sql<Audit[]>`
    with made as (
      select inventory_item_id, sum(quantity) as places from reservation_item
      where deleted_at is null group by inventory_item_id
    )
    select sum(coalesce(places, 0))::bigint as sold,
      sum(greatest(coalesce(places, 0) - stocked_quantity, 0))::bigint as oversold,
      sum(abs(reserved_quantity - coalesce(places, 0)))::bigint as miscounted
    from inventory_level left join made using (inventory_item_id)`
  return audit!
}
