/** Every query of the partner's and the operator's catalogue is explained by an index, with a year of 20 slots a day. */
import t from 'tap'
import { listDates, listTimeslots } from '../../src/availability/queries.ts'
import { listAlternatives, lockTimeslots } from '../../src/bookings/queries.ts'
import { activityUuid } from '../../src/catalogue/model.ts'
import {
  findProduct,
  findProductByName,
  listProducts,
  listQuestionsOfActivity,
} from '../../src/catalogue/queries.ts'
import * as closures from '../../src/closures/queries.ts'
import { openDatabase, type Queryable, type Transaction } from '../../src/platform/database.ts'
import * as schedules from '../../src/schedules/editing/queries.ts'
import * as editing from '../../src/timeslots/editing/queries.ts'
import { listWaitedFor } from '../../src/timeslots/queries.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] }

t.test('no query of the catalogue reads a whole table', async (t) => {
  const { sql, url } = await createDatabase(t)
  const accounts = await Promise.all(['one', 'two', 'three'].map((slug) => makeCaller(sql, { slug })))
  for (const { accountId } of accounts) {
    for (let number = 1; number <= 40; number++) {
      const { id } = await makeProduct(sql, accountId, { name: `Tour ${number}` })
      await sql`
        insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
        select ${accountId}, ${id}, n, 'Question', 'text', false, '{}', 'booking' from generate_series(1, 10) as n`
      if (number > 5) continue
      await sql`
        insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
        select ${accountId}, ${id}, day, make_time(hour, 0, 0), day + make_time(hour, 0, 0), 10
        from generate_series('2030-01-01'::timestamp, '2030-12-31', '1 day') as day, generate_series(1, 20) as hour`
    }
  }
  await sql`vacuum analyze`

  const accountId = accounts[1]!.accountId
  const [product] = await sql<{ id: number; activity: string }[]>`
    select id, activity_id as activity from products where account_id = ${accountId} order by id limit 1`
  const { id, activity } = product!
  const slot = { accountId, activity: activityUuid(`s_${activity}`), date: '2030-06-15', time: '10:00' }
  const [standing] = await sql<{ id: number }[]>`
    select id from timeslots where account_id = ${accountId} order by id limit 1`
  const timeslotId = standing!.id
  const everything = { from: null, to: null, productId: null, status: null, after: null, limit: 100 }
  const pattern = {
    ...{ from: '2030-01-01', to: '2030-12-31', weekdays: [1, 2], times: ['01:00', '23:00'] },
    ...{ capacity: 5, closedDates: ['2030-06-15'] },
  }
  const draft = { id: Number.MAX_SAFE_INTEGER, productId: id, pattern }
  const queries: Record<string, (sql: Queryable) => Promise<unknown>> = {
    'list of products': (sql) => listProducts(sql, accountId, { inShopfront: true, limit: 10 }),
    'product by ID': (sql) => findProduct(sql, accountId, id),
    'product by name': (sql) => findProductByName(sql, accountId, 'Tour 7'),
    questions: (sql) => listQuestionsOfActivity(sql, accountId, activity),
    'dates of a month': (sql) =>
      listDates(sql, { accountId, activity, from: '2030-06-01', to: '2030-06-30' }),
    timeslots: (sql) => listTimeslots(sql, { accountId, activity, date: '2030-06-15' }),
    alternatives: (sql) => listAlternatives(sql, [{ ...slot, participants: 2 }]),
    lock: (sql) => lockTimeslots(sql as Transaction, [slot]),
    'timeslots of all products': (sql) => editing.listTimeslots(sql, accountId, everything),
    'timeslots of a product': (sql) =>
      editing.listTimeslots(sql, accountId, { ...everything, productId: id }),
    'timeslots that go on': (sql) =>
      editing.listTimeslots(sql, accountId, {
        ...everything,
        from: '2030-03-01',
        after: { date: '2030-06-15', time: '10:00', id: timeslotId },
      }),
    'one timeslot': (sql) => editing.findTimeslot(sql, accountId, timeslotId),
    'timeslot at a time': (sql) =>
      editing.findTimeslotAt(sql, accountId, { productId: id, date: '2030-06-15', time: '10:00' }),
    'what a schedule meets': (sql) => schedules.listStanding(sql, accountId, draft),
    'what a schedule may touch': (sql) => schedules.listTouchableIds(sql, accountId, draft),
    'what a schedule lacks': (sql) =>
      schedules.listMissing(sql, accountId, draft, { horizonDays: 4000, named: 100 }),
    'a schedule of the same pattern': (sql) =>
      schedules.findTwin(sql, accountId, { id: null, productId: id, pattern }),
    'timeslots to close': (sql) =>
      closures.listTimeslotIds(
        sql,
        accountId,
        { from: '2030-06-15', to: '2030-06-16', productIds: null },
        1001,
      ),
    'who is on a timeslot': (sql) => closures.listSituations(sql, accountId, [timeslotId]),
    'where bookings move': (sql) =>
      closures.findTarget(sql, accountId, { productId: id, date: '2030-06-15', time: '10:00' }),
    'bookings to close': (sql) => closures.listLive(sql as Transaction, accountId, timeslotId),
    'who waits': (sql) => listWaitedFor(sql as Transaction, accountId, [timeslotId]),
  }
  for (const [name, query] of Object.entries(queries)) {
    for (const node of await explain(url, query)) {
      const whole = node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined
      t.notOk(whole, `${name}: ${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name'] ?? '–'}`)
    }
  }
})

/** The plan's nodes, as auto_explain would see them: the statement is captured, then explained with its values. */
async function explain(url: string, query: (sql: Queryable) => Promise<unknown>): Promise<Node[]> {
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  const statements: { text: string; values: unknown[] }[] = []
  sql.options.debug = (_connection, text, values) => statements.push({ text, values })
  await query(sql)
  const { text, values } = statements.at(-1)!
  // A table of few pages is read whole for being small; what is asked here is whether there is an index.
  await sql`set enable_seqscan = off`
  const [row] = await sql.unsafe(`explain (format json) ${text}`, values as never[])
  await sql.end()
  const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  return flatten(row!['QUERY PLAN'][0].Plan)
}
