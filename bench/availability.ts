/**
 * Availability of a large catalogue over HTTP, compared with the same routes that return a constant of the
 * same length.
 */
import { toActivityId } from '../src/catalogue/model.ts'
import { type Account, makeAccount, makeProduct, type Product } from './fixtures.ts'
import { type Figures, type LoadRequest, runLoad, warmUp } from './harness/load.ts'
import { startRivals, startWebs, stopAll, watchMemory } from './harness/processes.ts'
import { medianBy, spreadBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'

export const availability: Part = {
  name: 'availability',
  shows:
    'Dates and timeslots with available places over HTTP, 100 products with 7,300 timeslots each, 64 connections.',
  duration: (seconds, rounds) => 6 * rounds * (seconds + 1) + 60,
  run,
}

const connections = 64
const leastRatio = 0.3
const maxMegabytes = 150

type AvailabilityRead = {
  name: string
  kind: 'dates' | 'timeslots'
  aim?: number
  query(product: Product, at: number): string
}
const reads: AvailabilityRead[] = [
  { name: 'timeslots of a day', kind: 'timeslots', query: ({ slots }, at) => `Date=${slots[at]!.date}` },
  { name: 'dates of a month', kind: 'dates', aim: 0.5, query: (product, at) => datesQuery(product, at, 31) },
  { name: 'dates of a year', kind: 'dates', query: (product) => datesQuery(product, 0, 365) },
]

function datesQuery({ slots }: Product, at: number, days: number): string {
  const from = slots[at]!.date
  const to = new Date(Date.parse(from) + (days - 1) * 86_400_000).toISOString().slice(0, 10)
  return `StartDate=${from}&EndDate=${to}`
}

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const account = await makeAccount(sql)
  const [products, slots] = short ? [3, 1000] : [100, 7300]
  const made: Product[] = []
  for (let number = 1; number <= products; number++)
    made.push(await makeProduct(sql, { ...account, name: `product ${number}`, slots, capacity: 12 }))
  await sql`vacuum analyze`
  const [webs, rivals] = await Promise.all([
    startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }),
    startRivals(1, ['dist', 'bench', 'rivals', 'web.js'], { DATABASE_URL: databaseUrl }),
  ])
  const peaks = watchMemory(webs)
  try {
    for (const read of reads) await measure(setting, { read, account, made, webs, rivals })
    const measured = peaks()['web 1']!
    report.target({ name: 'web process answering availability', measured, unit: 'MB', atMost: maxMegabytes })
  } finally {
    await stopAll([...webs, ...rivals])
  }
  report.note(
    'The constant is a response of this service, kept in memory. It is serialized by the same schema after the same validation of path and query. It needs no key and reads nothing.',
  )
}

type Measured = {
  read: AvailabilityRead
  account: Account
  made: Product[]
  webs: { url: string }[]
  rivals: { url: string }[]
}

async function measure(
  { short, seconds, report, alternate }: Setting,
  { read, account, made, webs, rivals }: Measured,
): Promise<void> {
  const { name, kind, query, aim } = read
  const requestsTo = (base: string): LoadRequest[] =>
    Array.from({ length: 500 }, (_, index) => {
      const product = made[index % made.length]!
      // Far enough from the end for all responses to have the same length.
      const at = (index * 7919) % Math.max(1, product.slots.length - 620)
      const path = `${base}/${toActivityId(product.activity)}/${kind}?${query(product, at)}`
      return { method: 'GET', path, token: account.token }
    })
  const ours = requestsTo('/api/v2/ota/marketplace/availability')
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
  const answer = await (await fetch(`${webs[0]!.url}${ours[0]!.path}`, { headers })).text()
  await fetch(`${rivals[0]!.url}/constant/${kind}`, { method: 'PUT', headers, body: answer })
  const load = async (running: { url: string }[], requests: LoadRequest[], forSeconds: number) => {
    const targets = running.map(({ url }) => url)
    const figures = await runLoad({ targets, requests, connections, seconds: forSeconds })
    // A short run is not timed and may share a busy machine, so some requests may be refused.
    if (figures.refused > 0 && !short) throw new Error(`${figures.refused} requests for ${name} were refused`)
    return figures
  }
  const sides = [
    { name: 'this service', running: webs, requests: ours },
    { name: 'a constant', running: rivals, requests: requestsTo('/constant') },
  ]
  for (const { running, requests } of sides)
    await load(running, requests, short ? seconds / 4 : warmUp.seconds)
  const entrants = sides.map(({ name, running, requests }) => ({
    name,
    measure: () => load(running, requests, seconds),
  }))
  const found = await alternate(name, entrants)
  const [real, constant] = sides.map(({ name }) => found.get(name)!) as [Figures[], Figures[]]
  const rate = ({ perSecond }: Figures) => perSecond
  const ratio = medianBy(real, rate) / medianBy(constant, rate)
  report.row('Responses per second', {
    '': name,
    'bytes of a response': answer.length,
    'this service': spreadBy(real, rate),
    'p50 ms': spreadBy(real, ({ p50 }) => p50),
    'p99 ms': spreadBy(real, ({ p99 }) => p99),
    'a constant': spreadBy(constant, rate),
    '×': ratio,
  })
  report.target({
    name: `${name}, compared with a constant response`,
    measured: ratio,
    unit: '×',
    atLeast: leastRatio,
    aim,
  })
  const chart = `Availability, ${name}`
  const unit = 'answers per second'
  report.bar(chart, unit, { label: 'this service', value: medianBy(real, rate), ours: true })
  report.bar(chart, unit, {
    label: 'the route answering a constant',
    value: medianBy(constant, rate),
    ours: false,
  })
}
