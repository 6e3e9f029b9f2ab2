/** The dates of a month for 100 products in one request, compared with one request for each product. */
import { toActivityId } from '../src/catalogue/model.ts'
import { makeAccount, makeProduct, type Product } from './fixtures.ts'
import { type Cost, costColumns, startMeter } from './harness/cost.ts'
import { type LoadRequest, runLoad, warmUp } from './harness/load.ts'
import { startWebs, stopAll } from './harness/processes.ts'
import { medianBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'

export const manyProducts: Part = {
  name: 'many-products',
  shows:
    'Processor time of the web process and PostgreSQL for the dates of 100 products in 31 days, on one connection: with one request for all, and with a request for each product.',
  duration: (seconds, rounds) => 2 * rounds * (seconds + 1) + 30,
  run,
}

const connections = 1
const days = 31
const maxRatio = 0.1

type Way = { name: string; requests: LoadRequest[]; asks: number }
type Measured = { cost: Cost; together: number }

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace, report, alternate } = setting
  const { databaseUrl, redisUrl, sql, pids } = workplace
  const { accountId, token } = await makeAccount(sql)
  const made: Product[] = []
  for (let number = 1; number <= (short ? 5 : 100); number++)
    made.push(await makeProduct(sql, { accountId, name: `product ${number}`, slots: 1000, capacity: 12 }))
  await sql`vacuum analyze`
  const webs = await startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  const targets = webs.map(({ url }) => url)
  const load = ({ requests }: Way, forSeconds: number) =>
    runLoad({ targets, requests, connections, seconds: forSeconds })
  const measure = async (way: Way): Promise<Measured> => {
    const meter = startMeter({ web: webs.map(({ pid }) => pid), PostgreSQL: pids.PostgreSQL })
    const { accepted, refused } = await load(way, seconds)
    // A short run is not timed and may share a busy machine, so some requests may be refused.
    if (refused > 0 && !short) throw new Error(`${refused} requests were refused: ${way.name}`)
    const cost = meter.costOf(accepted / way.asks)
    return { cost, together: Object.values(cost).reduce((sum, part) => sum + part, 0) }
  }
  try {
    const ways = waysOf(made, token)
    for (const way of ways) await load(way, short ? seconds / 4 : warmUp.seconds)
    const found = await alternate(
      'dates of many products',
      ways.map((way) => ({ name: way.name, measure: () => measure(way) })),
    )
    for (const { name } of ways)
      report.row('Processor time for all products', { '': name, ...costColumns(found.get(name)!) })
    const [one, each] = ways.map(({ name }) => medianBy(found.get(name)!, ({ together }) => together))
    if (short) return
    const name = 'processor time of one request for 100 products, compared with 100 requests'
    report.target({ name, measured: one! / each!, unit: '×', atMost: maxRatio })
  } finally {
    await stopAll(webs)
  }
}

/** @returns one request for all, and one for each. */
function waysOf(made: readonly Product[], token: string): Way[] {
  const base = '/api/v2/ota/marketplace/availability'
  const slots = made[0]!.slots
  // Each range begins on another day, so that the reads differ.
  const ranges = Array.from({ length: 5 }, (_, index) => {
    const from = slots[index * 60]!.date
    const to = new Date(Date.parse(from) + (days - 1) * 86_400_000).toISOString().slice(0, 10)
    return `StartDate=${from}&EndDate=${to}`
  })
  const ids = made.map(({ activity }) => toActivityId(activity))
  const get = (path: string): LoadRequest => ({ method: 'GET', path, token })
  return [
    {
      name: 'one request',
      requests: ranges.map((range) => get(`${base}?ActivityIDs=${ids.join(',')}&${range}`)),
      asks: 1,
    },
    {
      name: 'a request for each product',
      requests: ranges.flatMap((range) => ids.map((id) => get(`${base}/${id}/dates?${range}`))),
      asks: ids.length,
    },
  ]
}
