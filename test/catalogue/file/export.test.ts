/** Importing an exported catalogue makes the same catalogue. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import { importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { clockAt } from '../../clock.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { catalogue, fileProduct } from './fixtures.ts'

const horizon = { horizonDays: 30 }

/**
 * Rows of a catalogue for comparison, without row ids and times of change. Refund terms, translations and own
 * prices are compared in the exports.
 */
function contentsOf(sql: Sql, accountId: number) {
  return sql`
    select products.name, activity_id, description, duration_minutes, price_minor, currency, time_zone,
      in_shopfront, cancel_cutoff_minutes, min_places, max_places, priced_per_booking, takes_timeslot, sells_plainly,
      has_own_prices,
      (select json_agg(json_build_array(name, type, price_minor, places, people, min_age, max_age, min_quantity,
        max_quantity, array(select name from units as other where other.id = any(units.accompanied_by) order by name),
        id = default_unit_id) order by position)
        from units where account_id = ${accountId} and product_id = products.id and position is not null) as units,
      (select json_agg(json_build_array(label, type, required, options, applies_to) order by position)
        from questions where account_id = ${accountId} and product_id = products.id) as questions,
      (select json_agg(json_build_array(from_date, to_date, weekdays, times, capacity, closed_dates) order by id)
        from schedules where account_id = ${accountId} and product_id = products.id) as schedules,
      (select json_agg(json_build_array(date, time, starts_at, capacity, schedule_id is null) order by date, time)
        from timeslots where account_id = ${accountId} and product_id = products.id) as timeslots
    from products where account_id = ${accountId} order by id`
}

t.test(
  'importing an export into its own account changes nothing; in another account it makes the same catalogue',
  async (t) => {
    const { sql } = await createDatabase(t, clockAt('2027-03-01T12:00Z'))
    const { accountId: from } = await makeCaller(sql, { slug: 'from' })
    const { accountId: to } = await makeCaller(sql, { slug: 'to' })
    await importCatalogue(
      sql,
      { accountId: from, actor: theService },
      await readFile(projectPath('docs', 'catalogue.example.json'), 'utf8'),
      horizon,
    )

    const file = await exportCatalogue(sql, from)
    t.match(
      await importCatalogue(sql, { accountId: from, actor: theService }, JSON.stringify(file), horizon),
      {
        created: 0,
        updated: 0,
        timeslotsMade: 0,
        capacitiesChanged: 0,
      },
    )
    await importCatalogue(sql, { accountId: to, actor: theService }, JSON.stringify(file), horizon)
    t.strictSame([...(await contentsOf(sql, to))], [...(await contentsOf(sql, from))])
    t.strictSame(await exportCatalogue(sql, to), file)
  },
)

t.test('an export has the products in the order of their ids, with their ActivityIDs', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const bare = { Questions: [], Timeslots: [], Schedules: [] }
  await importCatalogue(
    sql,
    { accountId, actor: theService },
    JSON.stringify(catalogue({ ...bare, Name: 'Z' })),
    horizon,
  )
  await importCatalogue(
    sql,
    { accountId, actor: theService },
    JSON.stringify(catalogue({ ...bare, Name: 'A' })),
    horizon,
  )
  const { Products } = await exportCatalogue(sql, accountId)
  t.match(Products, [
    { Name: 'Z', ActivityID: /^s_/ },
    { Name: 'A', ActivityID: /^s_/ },
  ])
})

t.test('an export leaves out timeslots of schedules, and lists the others', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2030-06-01T08:00Z'))
  const { accountId } = await makeCaller(sql)
  const product = fileProduct({ Timeslots: [{ Date: '2030-06-03', Time: '09:00', Capacity: 2 }] })
  await importCatalogue(
    sql,
    { accountId, actor: theService },
    JSON.stringify({ Products: [product] }),
    horizon,
  )
  const { Products } = await exportCatalogue(sql, accountId)
  t.match(Products, [
    { Timeslots: product.Timeslots, Schedules: product.Schedules, Questions: product.Questions },
  ])
  t.equal(Products[0]?.Timeslots.length, 1)
})

t.test('an export lists edited timeslots, and leaves out closed ones', async (t) => {
  const { sql } = await createDatabase(t, clockAt('2030-06-01T08:00Z'))
  const { accountId } = await makeCaller(sql)
  const product = fileProduct({ CancelCutoffMinutes: 90 })
  await importCatalogue(
    sql,
    { accountId, actor: theService },
    JSON.stringify({ Products: [product] }),
    horizon,
  )
  await sql`update timeslots set edited = true, capacity = 3 where date = '2030-06-03' and time = '09:00'`
  await sql`update timeslots set edited = true, status = 'closed' where date = '2030-06-15'`
  const { Products } = await exportCatalogue(sql, accountId)
  t.same(Products[0]?.Timeslots, [{ Date: '2030-06-03', Time: '09:00', Capacity: 3, UnitPrices: [] }])
  t.match(Products, [{ CancelCutoffMinutes: 90, Schedules: [{ ClosedDates: [] }] }])
})
