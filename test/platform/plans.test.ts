/** Every query of the partner interface is explained by an index, with a year of 20 slots a day on each product. */
import t from 'tap'
import { listDates, listTimeslots } from '../../src/availability/queries.ts'
import { listAlternatives, lockTimeslots } from '../../src/bookings/queries.ts'
import { activityUuid } from '../../src/catalogue/model.ts'
import {
  findProductById,
  findProductByName,
  listProducts,
  listQuestions,
} from '../../src/catalogue/queries.ts'
import { openDatabase, type Queryable, type Transaction } from '../../src/platform/database.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] }

t.test('no query of the partner interface reads a whole table', async (t) => {
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
  const queries: Record<string, (sql: Queryable) => Promise<unknown>> = {
    'list of products': (sql) => listProducts(sql, accountId, { limit: 10 }),
    'product by ID': (sql) => findProductById(sql, accountId, id),
    'product by name': (sql) => findProductByName(sql, accountId, 'Tour 7'),
    questions: (sql) => listQuestions(sql, accountId, activity),
    'dates of a month': (sql) =>
      listDates(sql, [{ accountId, activity, from: '2030-06-01', to: '2030-06-30' }]),
    timeslots: (sql) => listTimeslots(sql, [{ accountId, activity, date: '2030-06-15' }]),
    alternatives: (sql) => listAlternatives(sql, [{ ...slot, participants: 2 }]),
    lock: (sql) => lockTimeslots(sql as Transaction, [slot]),
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
