/** The effect on a quiet account of each kind of trouble that another account in the same process makes. */
import { setTimeout as delay } from 'node:timers/promises'
import { toActivityId } from '../src/catalogue/model.ts'
import { type Account, bookingRequests, makeAccount, makeProduct } from './fixtures.ts'
import { watchHealth } from './harness/health.ts'
import type { LoadRequest } from './harness/load.ts'
import { runOpenLoop, type Times } from './harness/open-loop.ts'
import { type Running, residentMegabytes, startWebs, stopAll } from './harness/processes.ts'
import { type Trouble, type Troubled, troubles } from './neighbours/troubles.ts'
import type { Part, Setting } from './part.ts'

export const neighbours: Part = {
  name: 'neighbours',
  shows:
    'Requests of a quiet account, 25 a second, alone and while another account causes each kind of trouble; one web process.',
  duration: (seconds) => troubles.length * (rounds * 2 * (seconds + 1) + 10) + 60,
  run,
}

const rounds = 3
const perSecond = 25
const afterwardsSeconds = 60
const maxMegabytes = 300
const allScopes = ['ota', 'usage:write', 'usage:read', 'operator'] as const

type Neighbour = Record<Trouble['watches'], { requests: LoadRequest[]; expected: number }>

async function run(setting: Setting): Promise<void> {
  const { workplace, short, report } = setting
  const { sql, databaseUrl, redisUrl } = workplace
  const neighbour = await makeNeighbour(setting)
  const [web] = await startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  try {
    for (const [index, trouble] of troubles.entries()) {
      const account = await makeAccount(sql, `troubled-${index}`, null, allScopes)
      const act = await trouble.prepare({ sql, account, short })
      await sql`analyze`
      await compare(setting, { web: web!, trouble, act, ...neighbour[trouble.watches] })
      if (!trouble.fillsMemory || short) continue
      await delay(afterwardsSeconds * 1000)
      const measured = residentMegabytes(web!.pid)
      report.target({ name: 'memory a minute after it', measured, unit: 'MB', atMost: maxMegabytes })
    }
  } finally {
    await stopAll([web!])
  }
}

async function makeNeighbour({ workplace: { sql } }: Setting): Promise<Neighbour> {
  const account = await makeAccount(sql, 'neighbour')
  const make = (name: string, capacity: number) =>
    makeProduct(sql, { accountId: account.accountId, name, slots: 100, capacity })
  const [open, full] = [await make('Open', 1_000_000), await make('Full', 0)]
  return {
    bookings: { requests: bookingRequests(account.token, open), expected: 201 },
    reads: { requests: readsOf(account, open.activity), expected: 200 },
    refusals: { requests: bookingRequests(account.token, full), expected: 409 },
  }
}

function readsOf({ token }: Account, activity: string): LoadRequest[] {
  const product = `/api/v2/ota/marketplace/availability/${toActivityId(activity)}`
  const paths = [
    '/api/v2/ota/marketplace/products',
    `${product}/dates?StartDate=2035-01-01&EndDate=2035-01-31`,
    '/api/v2/usage/meters?from=2030-01-01&to=2030-01-31',
  ]
  return paths.map((path) => ({ method: 'GET', path, token }))
}

type Comparison = {
  web: Running
  trouble: Trouble
  act: (troubled: Troubled) => Promise<void>
  requests: LoadRequest[]
  expected: number
}

/** Measures the quiet account alone and beside the trouble in alternation, so that drift affects both. */
async function compare(setting: Setting, { web, trouble, act, ...watched }: Comparison): Promise<void> {
  const { report, short } = setting
  const seconds = short ? 0.5 : setting.seconds
  const listen = () => runOpenLoop({ target: web.url, perSecond, seconds, ...watched })
  if (!short) await listen()
  const [quietly, loudly]: [Times[], Times[]] = [[], []]
  const gaps: number[] = []
  for (let round = 0; round < (short ? 1 : rounds); round++) {
    quietly.push(await listen())
    const health = watchHealth(web.url)
    const acting = act({ web: web.url, seconds })
    loudly.push(await listen())
    gaps.push(await health())
    await acting
  }
  const missing = [...quietly, ...loudly].reduce((sum, { sent, accepted }) => sum + sent - accepted, 0)
  const sent = [...quietly, ...loudly].reduce((sum, { sent }) => sum + sent, 0)
  // In a short run, up to half of the requests may be refused, because the machine may stop for seconds.
  report.check(
    `${trouble.name}: each request of the quiet account gets the expected response`,
    missing <= (short ? sent / 2 : 0),
    `${missing} do not`,
  )
  const { quantile, atMostMs } = trouble
  const [alone, beside] = [quietly, loudly].map((times) => times.map((one) => one[quantile])) as [
    number[],
    number[],
  ]
  report.row('Requests of the quiet account', {
    trouble: trouble.name,
    requests: trouble.watches,
    quantile,
    'alone ms': middle(alone),
    'beside ms': middle(beside),
    'beside, rounds': `${Math.min(...beside).toFixed(0)}–${Math.max(...beside).toFixed(0)}`,
    'longest gap of /healthz ms': Math.max(...gaps),
  })
  if (!short)
    report.target({
      name: `${quantile} with ${trouble.name}`,
      measured: middle(beside),
      unit: 'ms',
      atMost: atMostMs,
    })
}

function middle(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}
