/**
 * Where the processor time of a request goes in the web process: a bare Fastify with the same schema, the
 * same route behind our hooks with a constant response, the whole, and the share of each part of the hooks.
 */
import { bookingRequests, makeAccount, makeProduct, usageRequests } from './fixtures.ts'
import { startMeter } from './harness/cost.ts'
import { type LoadRequest, runLoad, warmUp } from './harness/load.ts'
import { type Running, startRivals, startWebs, startWorkers, stopAll } from './harness/processes.ts'
import { medianOf, spreadBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'

export const requestCost: Part = {
  name: 'request-cost',
  shows:
    'Processor time of the web process for one request, 64 connections, in microseconds: with and without each part that is registered around the route.',
  rounds: 7,
  duration: (seconds, rounds) => 2 * rounds * 18 * (measuredSeconds(seconds) + 0.5) + 240,
  run,
}

const [bare, constant, whole] = [
  'bare Fastify, same schema, constant response',
  'our hooks, constant response',
  'the whole',
]

/** A quarter of the usual time, because seven rounds with some eighteen processes take long. */
function measuredSeconds(seconds: number): number {
  return seconds / 4
}

type Route = { name: string; path: string; requests: LoadRequest[] }

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const { accountId, token } = await makeAccount(sql)
  const shape = { accountId, name: 'Cost', slots: short ? 50 : 1000, capacity: 1_000_000 }
  const bookings = bookingRequests(token, await makeProduct(sql, shape))
  const entries = usageRequests([token])
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const running = [...(await startWebs(1, environment)), ...(await startWorkers(1, environment))]
  try {
    const routes = [
      { name: 'a booking', path: bookings[0]!.path, requests: bookings },
      { name: 'a usage entry', path: entries[0]!.path, requests: entries },
    ]
    for (const route of short ? routes.slice(0, 1) : routes) await measureRoute(setting, route, running[0]!)
  } finally {
    await stopAll(running)
  }
  report.note(
    'Each measurement takes a quarter of the time above. The cost of a part is the median with it minus the median without it. An omitted hook runs only for the first request, and the values that it sets on that request, such as the caller, are copied to each later one. The parts do not add up exactly, because each also slows down the others through the garbage collector and the caches. The web process has V8’s default flags, a known key, and LOG_LEVEL=error.',
  )
}

async function measureRoute(setting: Setting, route: Route, web: Running): Promise<void> {
  const { short, workplace } = setting
  const { databaseUrl, redisUrl } = workplace
  const answer = await ask(web.url, route.requests[0]!)
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATABASE_POOL_SIZE: '2',
    ROUTE: route.path,
    ANSWER: answer,
  }
  const start = async (more: Record<string, string> = {}) => {
    const [rival] = await startRivals(1, ['dist', 'bench', 'rivals', 'route.js'], { ...environment, ...more })
    return rival!
  }
  const processes = new Map([[bare, await start({ BARE: '1' })]])
  try {
    processes.set(constant, await start())
    const parts = (await (await fetch(`${processes.get(constant)!.url}/parts`)).json()) as string[]
    const without = short ? parts.slice(0, 1) : parts
    for (const part of without) processes.set(part, await start({ LEFT_OUT: part }))
    await compare(setting, route, new Map([...processes, [whole, web]]), without)
  } finally {
    await stopAll([...processes.values()])
  }
}

/** Sends the request and returns the body of the response. @throws when the request is not accepted. */
async function ask(url: string, { method, path, token, body }: LoadRequest): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`${method} ${path} is answered with ${answer.status}: ${text}`)
  return text
}

async function compare(
  setting: Setting,
  route: Route,
  processes: Map<string, Running>,
  without: string[],
): Promise<void> {
  const { report, alternate, short } = setting
  const seconds = measuredSeconds(setting.seconds)
  const drive = (url: string, forSeconds: number) =>
    runLoad({
      targets: [url],
      requests: route.requests,
      connections: warmUp.connections,
      seconds: forSeconds,
      countStatuses: true,
    })
  const measure = async (name: string, { url, pid }: Running) => {
    const meter = startMeter({ web: [pid] })
    const { accepted, refused, statuses } = await drive(url, seconds)
    // A short run is not timed and may share a busy machine, so some requests may be refused.
    if (refused > 0 && !short)
      throw new Error(
        `${refused} requests for ${route.name} were refused by ${name}: ${JSON.stringify(statuses)}`,
      )
    return meter.costOf(accepted).web ?? Number.NaN
  }
  const inseparable = new Set<string>()
  if (!short)
    for (const [name, { url }] of processes) {
      const { refused } = await drive(url, warmUp.seconds)
      if (refused > 0 && without.includes(name)) inseparable.add(name)
    }
  for (const name of inseparable) {
    processes.delete(name)
    report.note(
      `${name} is not measured alone: without it, requests for ${route.name} are refused, probably because it finishes, after the response, what another part starts at the request.`,
    )
  }
  const entrants = [...processes].map(([name, running]) => ({ name, measure: () => measure(name, running) }))
  const found = await alternate(route.name, entrants)
  const median = (name: string) => medianOf(found.get(name)!)
  const tell = (name: string, adds: number | null, of: string) =>
    report.row(`Processor time of the web process for ${route.name}`, {
      '': name,
      'µs each': spreadBy(found.get(of)!, (cost) => cost),
      'adds µs': adds,
    })
  tell(bare, null, bare)
  tell(constant, median(constant) - median(bare), constant)
  for (const part of without.filter((name) => !inseparable.has(name)))
    tell(`without ${part}`, median(constant) - median(part), part)
  tell(whole, median(whole) - median(constant), whole)
  if (short) return
  report.target({
    name: `processor time of our hooks, authentication, validation and serialization, compared with all of bare Fastify’s, ${route.name}`,
    measured: (median(constant) - median(bare)) / median(bare),
    unit: '×',
    atMost: 1,
    aim: 0.5,
  })
}
