/** OCTO queries of products and availability use an index, however large the catalogues are. */
import t from 'tap'
import { listOctoSlots, type SlotFilter } from '../../src/octo/availability/queries.ts'
import { listOctoProducts } from '../../src/octo/products/queries.ts'
import type { Queryable } from '../../src/platform/postgres/database.ts'
import { explain } from '../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'

t.test(
  'no query reads more timeslots than requested, and none reads more than 100 for each product',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const products: { accountId: number; id: number; activityId: string }[] = []
    for (const slug of ['one', 'two']) {
      const { accountId } = await makeCaller(sql, { slug })
      for (const name of ['Kayak', 'Surf', 'Sail'])
        products.push({ accountId, ...(await makeProduct(sql, accountId, { name })) })
      await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select account_id, products.id, day::date, time, day + time, 8
      from products, generate_series('2030-01-01'::timestamp, '2031-12-31', '1 day') as day,
        unnest('{10:00,14:00,16:00}'::time[]) as time
      where account_id = ${accountId}`
    }
    await sql`vacuum analyze`
    const { accountId, id: productId, activityId } = products.at(-1)!
    const slots = (filter: SlotFilter) => (sql: Queryable) => listOctoSlots(sql, accountId, filter)
    const starts = [
      { date: '2030-06-15', time: '10:00' },
      { date: '2031-06-15', time: '16:00' },
    ]
    const ids = (await sql<{ id: number }[]>`select id from timeslots order by id desc limit 5`).map(
      ({ id }) => id,
    )
    const product = { accountId, partnerId: null }
    for (const [name, most, query] of [
      ['a week', 21, slots({ productId, from: '2030-06-10', to: '2030-06-16', limit: 100 })],
      ['by their starts', 2, slots({ productId, starts })],
      ['by their ids', 5, slots({ ids })],
      [
        'one product',
        100,
        (sql: Queryable) => listOctoProducts(sql, { ...product, activity: activityId.slice(2) }),
      ],
      ['all products', 300, (sql: Queryable) => listOctoProducts(sql, product)],
    ] as const) {
      const nodes = await explain(url, query, { options: 'analyze, format json' })
      const scans = nodes.filter((node) => node['Relation Name'] === 'timeslots')
      t.ok(scans.length > 0, name)
      const read = scans.reduce((sum, node) => {
        const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
        return sum + (node['Actual Rows'] + removed) * node['Actual Loops']
      }, 0)
      t.ok(read <= most, `${name}: looks at ${read} rows`)
    }
  },
)
