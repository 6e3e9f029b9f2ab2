/**
 * The kinds of trouble that an account can make, each with the requests of its neighbour and their longest
 * permitted response time.
 */
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type Account, bookingRequests, makeProduct } from '../fixtures.ts'
import { runLoad } from '../harness/load.ts'
import { runOpenLoop } from '../harness/open-loop.ts'

export type Scene = { sql: Sql; account: Account; short: boolean }
export type Troubled = { web: string; seconds: number }

export type Trouble = {
  name: string
  /** The neighbour's requests meanwhile. `refusals` are bookings of a full timeslot. */
  watches: 'bookings' | 'reads' | 'refusals'
  quantile: 'p95' | 'p99'
  atMostMs: number
  /** Whether the memory of the process is measured afterwards. */
  fillsMemory?: boolean
  /** Prepares the trouble; returns a function that makes it for the given number of seconds. */
  prepare(scene: Scene): Promise<(troubled: Troubled) => Promise<void>>
}

export const troubles: Trouble[] = [
  {
    name: 'requests for one locked timeslot',
    watches: 'bookings',
    quantile: 'p95',
    atMostMs: 100,
    prepare: (scene) => lockedTimeslots(scene, { count: 1, connections: 8 }),
  },
  {
    name: 'requests for 150 locked timeslots',
    watches: 'bookings',
    quantile: 'p95',
    atMostMs: 100,
    prepare: (scene) => lockedTimeslots(scene, { count: 150, connections: 150 }),
  },
  {
    name: 'requests for 150 locked timeslots, measured with reads',
    watches: 'reads',
    quantile: 'p95',
    atMostMs: 100,
    prepare: (scene) => lockedTimeslots(scene, { count: 150, connections: 150 }),
  },
  {
    name: 'requests for daily totals of many years',
    watches: 'reads',
    quantile: 'p99',
    atMostMs: 100,
    prepare: dailyTotals,
  },
  {
    name: 'templates that loop, two a second',
    watches: 'reads',
    quantile: 'p99',
    atMostMs: 100,
    prepare: loopingTemplates,
  },
  {
    name: 'parties too large for any timeslot',
    watches: 'refusals',
    quantile: 'p95',
    atMostMs: 300,
    prepare: impossibleParties,
  },
  {
    name: '300 batches of 10 MiB, sent slowly',
    watches: 'bookings',
    quantile: 'p95',
    atMostMs: 100,
    fillsMemory: true,
    prepare: slowBodies,
  },
]

async function lockedTimeslots(
  { sql, account, short }: Scene,
  { count, connections }: { count: number; connections: number },
) {
  const product = await makeProduct(sql, { ...account, name: 'Locked', slots: count, capacity: 1_000_000 })
  const requests = bookingRequests(account.token, product)
  const load = { requests, connections: short ? 2 : connections }
  return ({ web, seconds }: Troubled) =>
    sql.begin(async (tx) => {
      await tx`select from timeslots where account_id = ${account.accountId} for update`
      await runLoad({ targets: [web], ...load, seconds })
    }) as Promise<void>
}

/**
 * One meter with 20,000 days. The requests name a range that is refused as too long, and the longest one that is
 * allowed.
 */
async function dailyTotals({ sql, account, short }: Scene) {
  await sql`
    insert into meter_daily (account_id, meter, day, total, events)
    select ${account.accountId}, 'daily', '1970-01-01'::date + n, 1, 1 from generate_series(0, 19999) as n`
  const requests = ['1970-01-01&to=2100-01-01', '2000-01-01&to=2001-12-31'].map((range) => ({
    method: 'GET' as const,
    path: `/api/v2/usage/meters?from=${range}&granularity=day`,
    token: account.token,
  }))
  return async ({ web, seconds }: Troubled) => {
    await runLoad({ targets: [web], requests, connections: short ? 1 : 2, seconds })
  }
}

async function loopingTemplates({ account }: Scene) {
  const body = '{% for i in (1..999999) %}{% for j in (1..999999) %}{{ j }}{% endfor %}{% endfor %}'
  const workflow = { Name: 'Loop', Trigger: 'booking-confirmed', OffsetMinutes: 0, Subject: 'x', Body: body }
  const request = {
    method: 'POST' as const,
    path: '/api/v2/operator/workflows',
    token: account.token,
    body: { ...workflow, Active: false },
  }
  return async ({ web, seconds }: Troubled) => {
    await runOpenLoop({ target: web, requests: [request], perSecond: 2, seconds })
  }
}

async function impossibleParties({ sql, account, short }: Scene) {
  const slots = short ? 100 : 216_000
  const { activity } = await makeProduct(sql, { ...account, name: 'Crowded', slots, capacity: 1 })
  const first = await makeProduct(sql, { ...account, name: 'Dates', slots: 100, capacity: 1 })
  const requests = bookingRequests(account.token, { ...first, activity }).map((request) => ({
    ...request,
    body: { ...(request.body as object), Participants: 999 },
  }))
  return async ({ web, seconds }: Troubled) => {
    await runLoad({ targets: [web], requests, connections: short ? 1 : 8, seconds })
  }
}

/**
 * Each connection announces 10 MiB, but sends only 19 parts of 32 KiB, spread evenly over the time, and is then cut. So
 * sending takes little of the benchmark's own processor time.
 */
async function slowBodies({ account, short }: Scene) {
  const bytes = 10 * 1024 * 1024
  const part = Buffer.alloc(32 * 1024, ' ')
  const head = `POST /api/v2/usage/meters/batch HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${account.token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  return async ({ web, seconds }: Troubled) => {
    const { hostname, port } = new URL(web)
    const sockets = Array.from({ length: short ? 3 : 300 }, () => {
      const socket = connect(Number(port), hostname)
      // A refusal closes the connection during a write.
      socket.on('error', () => {})
      socket.resume().write(head)
      return socket
    })
    for (let sent = 0; sent < 19; sent++) {
      for (const socket of sockets) if (socket.writable) socket.write(part)
      await delay((seconds * 1000) / 20)
    }
    for (const socket of sockets) socket.destroy()
  }
}
