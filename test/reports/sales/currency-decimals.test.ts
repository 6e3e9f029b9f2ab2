/** The script that corrects stored amounts in the currencies whose decimals have changed. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { auditTotals } from '../../../src/reports/sales/totals/audit.ts'
import { bookingBody, bookingPath, makeCaller } from '../../helper.ts'
import { refundDesk } from '../../sales/ledger/refund-fixtures.ts'
import { settle } from './fixtures.ts'

const script = readFileSync(projectPath('ops', 'currency-decimals.sql'), 'utf8')

/** Lists the columns whose name says that they are amounts in minor units. JSON columns have other names. */
function listMinorColumns(sql: Sql) {
  return sql<{ name: string; of: string }[]>`
    select column_name as name, table_name as of from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_minor' order by table_name, column_name`
}

/** A harbour with amounts of many kinds, all stored in forints without decimals. */
async function makeForints(t: Test) {
  const desk = await refundDesk(t)
  const { app, sql, accountId, id, activityId, sell, act, sendPaymentEvent, hold } = desk
  const { headers } = await makeCaller(sql, { slug: 'harbour', partner: 'Atlas', scopes: ['ota'] })
  const payload = bookingBody(activityId, { Participants: 1 })
  const book = () =>
    app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...headers, 'idempotency-key': 'one' },
      payload,
    })
  t.equal((await book()).statusCode, 201)
  const [partner] = await sql<{ id: number }[]>`select id from partners where name = 'Atlas'`
  await sql`
    insert into partner_terms (account_id, partner_id, product_id, net_prices)
    values (${accountId}, ${partner!.id}, ${id}, '{"0": 4000}')`
  const { references } = await sell()
  await act(references[0]!, 'cancel')
  const unused = await hold()
  await sendPaymentEvent(unused, { Amount: '80.00' })
  await sendPaymentEvent(unused, { ID: 're_1', Type: 'refunded', Amount: '30.00' })
  await sql`
    insert into units (account_id, product_id, position, name, type, price_minor, places, people)
    values (${accountId}, ${id}, 1, 'Child', 'CHILD', 2000, 1, 1)`
  await sql`update timeslots set unit_prices = '{"0": 5000}' where account_id = ${accountId}`
  await sql`
    insert into promotions (account_id, code, amount_minor, currency) values (${accountId}, 'TEN', 1000, 'EUR')`
  await sql`
    update bookings set units = '[
      {"id": 0, "name": "Adult", "type": "ADULT", "people": 1, "places": 1, "quantity": 1, "priceMinor": 4500},
      {"id": 1, "name": "Child", "type": "CHILD", "people": 1, "places": 1, "quantity": 1, "priceMinor": 2000, "netMinor": 0}
    ]' where status = 'cancelled'`
  await settle(sql)
  const currencies = await sql<{ of: string }[]>`
    select table_name as of from information_schema.columns where table_schema = 'public' and column_name = 'currency'`
  await sql.begin(async (tx) => {
    await tx`set local app.following = 'on'`
    for (const { of } of currencies) await tx`update ${tx(of)} set currency = 'HUF'`
    // The single statement of at-once.ts stores its responses in this form.
    const sold = { priceMinor: 4500, currency: 'HUF', unit: null }
    await tx`
      update idempotency_keys
      set response = response - 'Units' - 'UnitPrice' - 'Total' || jsonb_build_object('Sold', ${tx.json(sold)}::jsonb)
      where key = 'one'`
  })
  return { ...desk, book }
}

t.test('amounts in a currency whose decimals have changed are corrected once, by a script', async (t) => {
  const { sql, accountId, book, call, id } = await makeForints(t)
  const columns = await listMinorColumns(sql)
  const sums = () =>
    Promise.all(
      columns.map(async ({ name, of }) => {
        const [row] = await sql<
          { sum: string | null }[]
        >`select sum(${sql(name)})::text as sum from ${sql(of)}`
        return [`${of}.${name}`, Number(row!.sum ?? 0)] as const
      }),
    )
  const before = await sums()
  const connection = await sql.reserve()
  t.teardown(() => connection.release())
  await connection.unsafe(script)
  t.same(
    await sums(),
    before.map(([name, sum]) => [name, sum * 100]),
  )
  t.match(await sql`select distinct unit_prices from timeslots where account_id = ${accountId}`, [
    { unit_prices: { 0: 500_000 } },
  ])
  t.match(await sql`select net_prices from partner_terms`, [{ net_prices: { 0: 400_000 } }])
  t.match(await sql`select units from bookings where status = 'cancelled'`, [
    { units: [{ priceMinor: 450_000 }, { priceMinor: 200_000, netMinor: 0 }] },
  ])
  t.match((await call('GET', `/products/${id}`)).json().data.Price, { Amount: '4500.00', Currency: 'HUF' })
  const again = await book()
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.match(again.json().data.Total, { Amount: '4500.00', Currency: 'HUF' })
  t.same(await auditTotals(sql, accountId), [])

  t.test('a second run is refused and changes nothing', async (t) => {
    const after = await sums()
    await t.rejects(connection.unsafe(script), /have been corrected before/)
    await connection.unsafe('rollback')
    t.same(await sums(), after)
  })

  t.test('the script names every column with an amount', async (t) => {
    for (const { name, of } of columns)
      t.match(
        script,
        new RegExp(`update ${of} set [^;]*\\b${name} = [^;]*\\b${name} \\* factor`),
        `${of}.${name}`,
      )
  })
})
