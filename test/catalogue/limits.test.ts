/** The limits of an account's catalogue and workflows, in requests and in catalogue files. */
import t, { type Test } from 'tap'
import { CatalogueFileError, importCatalogue } from '../../src/catalogue/file/service.ts'
import { catalogueLimits } from '../../src/catalogue/limits.ts'
import { theService } from '../../src/events/actor.ts'
import { maxWorkflows } from '../../src/messaging/workflows/service.ts'
import { makeProduct } from '../helper.ts'
import { makeOperator } from '../operator.ts'

const daily = {
  ...{ From: '2030-06-01', To: '2030-06-05', Weekdays: ['Mon'], Times: ['10:00'], Capacity: 8 },
}
const product = {
  ...{ Name: 'Canoe', Description: 'On the water.', DurationMinutes: 60, TimeZone: 'Europe/Lisbon' },
  Price: { Amount: '45.00', Currency: 'EUR' },
}

/** An operator whose catalogue has room for one more schedule. */
async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId } = operator
  const { id } = await makeProduct(sql, accountId)
  await sql`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity)
    select ${accountId}, ${id}, date '2020-01-01' + day, date '2020-01-01' + day, '{1}', '{10:00}', 8
    from generate_series(2, ${catalogueLimits.schedules}::integer) as day`
  return { ...operator, path: `/products/${id}/schedules` }
}

t.test('of three concurrent requests for the last schedule, two get 409 account-limit-reached', async (t) => {
  const { call, path, sql } = await prepare(t)
  const answers = await Promise.all(
    ['10:00', '11:00', '12:00'].map((time) => call('POST', path, { ...daily, Times: [time] })),
  )
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  t.match(refused!.problem, { type: /account-limit-reached$/, Limit: catalogueLimits.schedules })
  t.match(await sql`select count(*) from schedules`, [{ count: catalogueLimits.schedules }])
})

t.test('a product beyond the limit gets 409 account-limit-reached', async (t) => {
  const { call, sql, accountId } = await makeOperator(t)
  await sql`
    insert into products (account_id, name, description, duration_minutes, price_minor, currency, time_zone,
      in_shopfront)
    select ${accountId}, 'Product ' || number, '', 60, 4500, 'EUR', 'Europe/Lisbon', false
    from generate_series(2, ${catalogueLimits.products}::integer) as number`
  t.equal((await call('POST', '/products', product)).status, 201)
  const refused = await call('POST', '/products', { ...product, Name: 'Raft' })
  t.match(refused, {
    status: 409,
    problem: { type: /account-limit-reached$/, Limit: catalogueLimits.products },
  })
})

t.test('a catalogue file that would exceed a limit is refused and changes nothing', async (t) => {
  const { sql, accountId } = await prepare(t)
  const schedules = [daily, { ...daily, Times: ['11:00'] }]
  const file = {
    Products: [{ ...product, InShopfront: false, Questions: [], Timeslots: [], Schedules: schedules }],
  }
  const by = { accountId, actor: theService }
  const importing = importCatalogue(sql, by, JSON.stringify(file), { horizonDays: 10 })
  const error = await importing.then(
    () => null,
    (error) => error,
  )
  t.ok(error instanceof CatalogueFileError)
  t.match(error.faults, [{ pointer: '/Products', message: /more than 10000 schedules/ }])
  t.equal((await sql`select from products`).length, 1)
})

t.test('of two concurrent requests for the last workflow, one gets 409 account-limit-reached', async (t) => {
  const { call, sql, accountId } = await makeOperator(t)
  await sql`
    insert into workflows (account_id, name, trigger, offset_minutes, subject, body, active)
    select ${accountId}, 'Workflow ' || number, 'after-end', 60, 'Thanks', 'Thank you', true
    from generate_series(2, ${maxWorkflows}::integer) as number`
  const workflow = {
    Trigger: 'after-end',
    OffsetMinutes: 60,
    Subject: 'Thanks',
    Body: 'Thank you',
    Active: true,
  }
  const answers = await Promise.all(
    ['One', 'Two'].map((Name) => call('POST', '/workflows', { ...workflow, Name })),
  )
  t.same(answers.map(({ status }) => status).sort(), [201, 409])
  const refused = answers.find(({ status }) => status === 409)
  t.match(refused!.problem, { type: /account-limit-reached$/, Limit: maxWorkflows })
})
