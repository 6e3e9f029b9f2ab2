/**
 * Reports over a year with very many bookings: how long the worker takes to make their totals, whether
 * another account has to wait meanwhile, and how fast a dashboard page (a report, a list, or Today) is
 * compared with the API request that returns the same content.
 */
import { Agent, request } from 'node:http'
import type { Sql } from '../src/platform/postgres/database.ts'
import { auditTotals } from '../src/reports/sales/totals/audit.ts'
import { updateTotals } from '../src/reports/sales/totals/counting.ts'
import { makeAccount, makeProduct } from './fixtures.ts'
import { type Cost, costColumns, startMeter } from './harness/cost.ts'
import { type Running, startWebs, stopAll } from './harness/processes.ts'
import { medianBy, medianOf, spreadBy } from './harness/rounds.ts'
import type { Part, Setting } from './part.ts'
import { fillSales, makeSeller, type Seller, salesYear } from './reports-fixtures.ts'

export const reports: Part = {
  name: 'reports',
  shows:
    'Reports over a year with 1,000,000 bookings of one account: each page compared with its API request, requested one after another; and the time to calculate their totals.',
  duration: (seconds, rounds) => 22 * rounds * (seconds + 1) + 240,
  run,
}

const maxRatio = 3
const page = '/dashboard/reports'
const api = '/api/v2/operator/reports'

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report, say } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const bookings = short ? 2000 : 1_000_000
  const seller = await makeSeller(sql, short ? 1 : 10)
  await fillSales(sql, seller, bookings)
  say(`  ${bookings.toLocaleString('en-US')} bookings are there`)
  await makeTotals(setting, seller, bookings)
  await sql`vacuum analyze`
  const webs = await startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  try {
    for (const comparedPage of [...reportPages(seller), ...listPages()])
      await compare(setting, { comparedPage, seller, web: webs[0]! })
  } finally {
    await stopAll(webs)
  }
  report.note(
    'One connection sends requests and reads each whole response, without compression. A page reads the same totals as the API request, and also the products and partners for its filters. The job that calculates totals after an update calculated these, without its pauses. Normally it pauses after each turn of more than 0.3 seconds for nine times as long, so that it uses at most a tenth of the time.',
  )
}

/** Runs the job until all days are counted. Before each turn, days of another account are marked to be counted too. */
async function makeTotals({ report, workplace }: Setting, seller: Seller, bookings: number): Promise<void> {
  const { sql, pids } = workplace
  const other = await makeAccount(sql, 'other')
  await makeProduct(sql, { accountId: other.accountId, name: 'Other', slots: 20, capacity: 10 })
  const meter = startMeter({ PostgreSQL: pids.PostgreSQL })
  const began = performance.now()
  const turns: number[] = []
  for (let isFilled = false; !isFilled; ) {
    await sql`
      insert into sales_marks (account_id, basis, day, product_id)
      select account_id, 'travel', date, product_id from timeslots where account_id = ${other.accountId}`
    await sql`update sales_states set rest_until = null`
    const turn = performance.now()
    await updateTotals(sql)
    turns.push((performance.now() - turn) / 1000)
    const [left] = await sql<{ count: number }[]>`
      select count(*)::integer as count from sales_marks where account_id = ${other.accountId}`
    if (left!.count > 0) report.check('each turn counts a small account', false, `${left!.count} wait`)
    isFilled = await isWhole(sql, seller.accountId)
  }
  const seconds = (performance.now() - began) / 1000
  const cost = meter.costOf(bookings).PostgreSQL ?? null
  const audit = performance.now()
  const wrong = await auditTotals(sql, seller.accountId)
  report.check('every total is the sum of its bookings', wrong.length === 0, `${wrong.length} differ`)
  const [counted] = await sql<{ bookings: number }[]>`
    select coalesce(sum(bookings), 0)::bigint as bookings from sales_totals
    where account_id = ${seller.accountId} and basis = 'sold'`
  report.check('every booking is in the totals', counted!.bookings === bookings, `${counted!.bookings}`)
  report.row('Calculating the totals of a year from its bookings', {
    bookings,
    'seconds of counting': seconds,
    'PostgreSQL µs per booking': cost,
    'longest turn, s (another account waits for it)': Math.max(...turns),
    'median turn, s': medianOf(turns),
    'seconds of the audit': (performance.now() - audit) / 1000,
  })
}

async function isWhole(sql: Sql, accountId: number): Promise<boolean> {
  const [state] = await sql<{ isWhole: boolean }[]>`
    select filled_at is not null and not exists (
      select from sales_marks where sales_marks.account_id = sales_states.account_id
    ) as "isWhole"
    from sales_states where account_id = ${accountId}`
  return state?.isWhole ?? false
}

/** `apiPages`: how many pages of the API response have the content of the dashboard page. */
type ComparedPage = { name: string; page: string; api: string; apiPages?: number }

/**
 * Pages with lists: unpaid bookings, searches, refunds due and Today, each with the API request for the same content.
 */
function listPages(): ComparedPage[] {
  const day = '2035-06-15'
  const list = (name: string, query: string) => {
    return { name, page: `/dashboard/bookings?${query}`, api: `/api/v2/operator/bookings?${query}` }
  }
  return [
    list('the bookings still to be paid', 'ToPay=true'),
    list('a search by a last name', 'Search=last5000'),
    list('a search by a first name of 1,000 bookings', 'Search=first77'),
    { name: 'the refunds due', page: '/dashboard/refunds', api: '/api/v2/operator/refunds' },
    {
      name: 'Today with 2,000 bookings',
      page: `/dashboard/today?Date=${day}`,
      api: `/api/v2/operator/bookings?From=${day}&To=${day}&Status=confirmed&Limit=500`,
      apiPages: 4,
    },
  ]
}

function reportPages({ partnerId }: Seller): ComparedPage[] {
  const { from, to } = salesYear
  const month = 'From=2035-06-01&To=2035-06-30&By=day&Group=product'
  const year = `From=${from}&To=${to}&By=week&Basis=travel&Group=partner`
  return [
    { name: 'a month by day, by product', page: `${page}?${month}`, api: `${api}/sales?${month}` },
    { name: 'a year by week, by partner', page: `${page}?${year}`, api: `${api}/sales?${year}` },
    {
      name: 'a year by day, by unit',
      page: `${page}?From=${from}&To=${to}&By=day&Group=unit`,
      api: `${api}/sales?From=${from}&To=${to}&By=day&Group=unit`,
    },
    {
      name: 'the statement of a partner, 25,000 bookings in the month, 500 shown',
      page: `${page}/partners/${partnerId}?Month=2035-06`,
      api: `${api}/partners/${partnerId}/statement?Month=2035-06&Limit=500`,
    },
  ]
}

type Side = { name: string; path: string; pages: number; headers: Record<string, string> }
type Timed = { p50: number; p95: number; bytes: number; cost: Cost }

async function compare(
  { short, seconds, workplace, report, alternate }: Setting,
  { comparedPage, seller, web }: { comparedPage: ComparedPage; seller: Seller; web: Running },
): Promise<void> {
  const sides: Side[] = [
    { name: 'page', path: comparedPage.page, pages: 1, headers: { cookie: seller.cookie } },
    {
      ...{ name: 'API', path: comparedPage.api, pages: comparedPage.apiPages ?? 1 },
      headers: { authorization: `Bearer ${seller.token}` },
    },
  ]
  const measure = async ({ path, pages, headers }: Side, forSeconds: number): Promise<Timed> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const meter = startMeter({ web: [web.pid], PostgreSQL: workplace.pids.PostgreSQL })
    const times: number[] = []
    let bytes = 0
    for (const ends = performance.now() + forSeconds * 1000; performance.now() < ends; ) {
      const began = performance.now()
      bytes = await askAll(agent, web.url + path, { pages, headers })
      times.push(performance.now() - began)
    }
    agent.destroy()
    const sorted = times.toSorted((one, next) => one - next)
    const p95 = sorted[Math.floor(sorted.length * 0.95)]!
    return { p50: medianOf(times), p95, bytes, cost: meter.costOf(times.length) }
  }
  for (const side of sides) await measure(side, short ? 0.1 : seconds / 2)
  const entrants = sides.map((side) => ({ name: side.name, measure: () => measure(side, seconds) }))
  const found = await alternate(comparedPage.name, entrants)
  const ratio = medianBy(found.get('page'), ({ p50 }) => p50) / medianBy(found.get('API'), ({ p50 }) => p50)
  for (const { name } of sides) {
    const results = found.get(name)!
    const { 'worker µs': _, 'Redis µs': __, ...costs } = costColumns(results) as Record<string, string>
    report.row('Milliseconds for one report', {
      '': `${comparedPage.name}: ${name}`,
      'p50 ms': spreadBy(results, ({ p50 }) => p50),
      'p95 ms': spreadBy(results, ({ p95 }) => p95),
      bytes: results[0]!.bytes,
      ...costs,
      '×': name === 'page' ? ratio : null,
    })
  }
  report.target({
    name: `page of ${comparedPage.name}, compared with its API request`,
    measured: ratio,
    unit: '×',
    atMost: maxRatio,
  })
}

type Answer = { bytes: number; next: string | undefined }

/** Requests a response and this many of its next pages; returns the bytes of all. */
async function askAll(
  agent: Agent,
  url: string,
  { pages, headers }: Pick<Side, 'pages' | 'headers'>,
): Promise<number> {
  let bytes = 0
  for (let page = 0, at: string | undefined = url; page < pages && at; page++) {
    const answer: Answer = await ask(agent, at, headers)
    bytes += answer.bytes
    at = answer.next
  }
  return bytes
}

/** @throws when the status is not 200. */
function ask(agent: Agent, url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      const path = /<[^>]*?(\/api\/[^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
      answer.on('error', reject).on('end', () => {
        if (answer.statusCode === 200) resolve({ bytes, next: path && new URL(path, url).href })
        else reject(new Error(`${url} is answered with ${answer.statusCode}`))
      })
    })
    sent.on('error', reject).end()
  })
}
