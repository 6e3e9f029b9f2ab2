/** The own prices of a schedule or a timeslot, and what partners see of them. */
import t, { type Test } from 'tap'
import { clockAt } from '../../clock.ts'
import { makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'
import { everyDay } from '../file/fixtures.ts'
import { adult, child, euros } from './fixtures.ts'

const season = { From: '2030-06-10', To: '2030-06-20', Weekdays: everyDay, Times: ['10:00'], Capacity: 8 }
const day = '2030-06-15'

async function prepare(t: Test) {
  const settings = { ...clockAt('2030-06-01T08:00Z'), environment: { SCHEDULE_HORIZON_DAYS: '30' } }
  const operator = await makeOperator(t, settings)
  const { sql, app, accountId, call, partner } = operator
  const product = await makeProduct(sql, accountId)
  const path = `/products/${product.id}`
  return {
    ...{ ...operator, ...product, path },
    /** Makes a schedule, and returns it. */
    plan: async (changes: object = {}) => {
      const { status, data } = await call('POST', `${path}/schedules`, { ...season, ...changes })
      t.equal(status, 201)
      return data.Schedule
    },
    sellUnits: async () => (await call('PUT', `${path}/units`, { Units: [adult, child] })).data,
    slotAt: async (date = day, time = '10:00') => {
      const [slot] = await sql<
        { id: number }[]
      >`select id from timeslots where date = ${date} and time = ${time}`
      return `/timeslots/${slot!.id}`
    },
    /** The UnitIDs and prices that partners see for the first timeslot of a date; null if they see none. */
    prices: async (date = day) => {
      const url = `/api/v2/ota/marketplace/availability/${product.activityId}/timeslots?Date=${date}`
      const [slot] = (await app.inject({ url, headers: partner.headers })).json().data
      const units = slot.Units as
        | { UnitID: number; Price: { Amount: string; Currency: string } }[]
        | undefined
      return units ? units.map(({ UnitID, Price }) => [UnitID, Price.Amount]) : null
    },
    isPriced: async () => (await sql<{ is: boolean }[]>`select has_own_prices as is from products`)[0]!.is,
    changes: async () => {
      const rows = await sql<{ type: string; fields: string[] }[]>`
        select type, details -> 'Fields' as fields from events
        where type in ('product.changed', 'timeslot.prices-changed') order by id`
      return rows.map(({ type, fields }) => fields ?? type)
    },
  }
}

t.test(
  'partners see the units and prices of each timeslot, and no Units if the product has no units',
  async (t) => {
    const { plan, sellUnits, prices, app, partner, activityId } = await prepare(t)
    await plan()
    const url = `/api/v2/ota/marketplace/availability/${activityId}/timeslots?Date=${day}`
    const [slot] = (await app.inject({ url, headers: partner.headers })).json().data
    t.notOk('Units' in slot)
    const [one, two] = await sellUnits()
    t.same(await prices(), [
      [one.UnitID, '45.00'],
      [two.UnitID, '20.00'],
    ])
  },
)

t.test('a schedule may have its own prices, and partners see a change of them at once', async (t) => {
  const { call, path, plan, sellUnits, prices, isPriced, changes } = await prepare(t)
  const [one, two] = await sellUnits()
  const { ID, UnitPrices } = await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
  t.same(UnitPrices, [{ UnitID: one.UnitID, Amount: '50.00' }])
  const seen = async () => (await prices())?.map(([, amount]) => amount)
  t.same(await seen(), ['50.00', '20.00'])
  t.equal(await isPriced(), true)

  const change = async (given: object) =>
    (await call('PATCH', `${path}/schedules/${ID}`, given)).data.Schedule
  t.same((await change({ Capacity: 9 })).UnitPrices, UnitPrices, 'fields that are left out stay as they are')
  t.match((await call('GET', `${path}/schedules`)).data, [{ ID, Capacity: 9, UnitPrices }])
  const dear = [
    { UnitID: one.UnitID, Amount: '60.00' },
    { UnitID: two.UnitID, Amount: '30.00' },
  ]
  t.same((await change({ UnitPrices: dear })).UnitPrices, dear)
  t.same(await seen(), ['60.00', '30.00'])
  t.same((await change({ UnitPrices: [] })).UnitPrices, [])
  t.same(await seen(), ['45.00', '20.00'])
  t.equal(await isPriced(), false)
  t.same(await changes(), [['Units'], ['UnitPrices'], ['UnitPrices'], ['UnitPrices']])
})

t.test(
  'a timeslot’s own prices take precedence over its schedule’s, and do not change its capacity',
  async (t) => {
    const { call, plan, sellUnits, slotAt, prices, isPriced, changes } = await prepare(t)
    const [one, two] = await sellUnits()
    await plan({
      UnitPrices: [
        { UnitID: one.UnitID, Amount: '50.00' },
        { UnitID: two.UnitID, Amount: '25.00' },
      ],
    })
    const slot = await slotAt()
    t.same((await call('GET', slot)).data.UnitPrices, [], 'the prices of its schedule are not its own prices')
    t.same((await prices())?.[0], [one.UnitID, '50.00'])
    const UnitPrices = [{ UnitID: one.UnitID, Amount: '55.00' }]
    const answer = await call('PATCH', slot, { UnitPrices })
    t.match(answer.data, { Capacity: 8, Edited: true, UnitPrices })
    await call('PATCH', slot, { UnitPrices })
    t.same(await prices(), [
      [one.UnitID, '55.00'],
      [two.UnitID, '25.00'],
    ])
    t.same((await prices('2030-06-16'))?.[0], [one.UnitID, '50.00'])
    t.match((await call('PATCH', slot, { Capacity: 9 })).data, { Capacity: 9, UnitPrices })
    const both = await call('PATCH', slot, { Capacity: 10, UnitPrices: [] })
    t.match(both.data, { Capacity: 10, UnitPrices: [] })
    t.same((await prices())?.[0], [one.UnitID, '50.00'])
    t.equal(await isPriced(), true)
    const changed = 'timeslot.prices-changed'
    t.same(await changes(), [['Units'], ['UnitPrices'], changed, changed])
  },
)

t.test('a timeslot of a product without units can have its own price of a place', async (t) => {
  const { call, path, plan, prices, isPriced, slotAt } = await prepare(t)
  await plan()
  const made = await call('POST', `${path}/timeslots`, {
    ...{ Date: day, Time: '18:00', Capacity: 4 },
    UnitPrices: [{ UnitID: 0, Amount: '39.5' }],
  })
  t.equal(made.status, 201)
  t.same(made.data.UnitPrices, [{ UnitID: 0, Amount: '39.50' }])
  t.equal(await isPriced(), true)
  t.same(await prices(), [[0, '45.00']], 'other timeslots have the price of the product')
  await call('PATCH', await slotAt(), { UnitPrices: [{ UnitID: 0, Amount: '1' }] })
  t.same(await prices(), [[0, '1.00']])
  for (const time of ['10:00', '18:00']) await call('PATCH', await slotAt(day, time), { UnitPrices: [] })
  t.equal(await isPriced(), false)
  t.equal(await prices(), null)
})

t.test('422 names every wrong price, and nothing changes', async (t) => {
  const { call, path, plan, sellUnits, slotAt } = await prepare(t)
  const [one, two] = await sellUnits()
  const { ID } = await plan()
  const UnitPrices = [
    { UnitID: one.UnitID, Amount: '50.001' },
    { UnitID: 0, Amount: '50' },
    { UnitID: 999_999, Amount: '1' },
    { UnitID: two.UnitID, Amount: '2' },
  ]
  const fields = ['[0].Amount', '[1].UnitID', '[2].UnitID'].map((at) => `UnitPrices${at}`)
  const slot = await slotAt()
  t.same(fieldsOf(await call('PATCH', `${path}/schedules/${ID}`, { UnitPrices })), fields)
  t.same(
    fieldsOf(await call('POST', `${path}/schedules`, { ...season, Times: ['12:00'], UnitPrices })),
    fields,
  )
  t.same(fieldsOf(await call('PATCH', slot, { Capacity: 3, UnitPrices })), fields)
  const other = { Date: day, Time: '19:00', Capacity: 1, UnitPrices }
  t.same(fieldsOf(await call('POST', `${path}/timeslots`, other)), fields)
  t.same(fieldsOf(await call('PATCH', slot, {})), ['Capacity'])
  t.match((await call('GET', slot)).data, { Capacity: 8, UnitPrices: [] })
})

t.test('a preview of a schedule ignores its UnitPrices', async (t) => {
  const { call, path } = await prepare(t)
  const asked = { ...season, UnitPrices: [{ UnitID: 5, Amount: '1' }] }
  t.equal((await call('POST', `${path}/schedules/preview`, asked)).data.Made.Count, 11)
})

t.test(
  'own prices stay with their units: the default unit keeps its price, and those of deleted units are deleted',
  async (t) => {
    const { call, path, plan, prices, sellUnits, isPriced, slotAt } = await prepare(t)
    const { ID } = await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
    const put = async (...Units: object[]) => (await call('PUT', `${path}/units`, { Units })).data
    const stated = async () => (await call('GET', `${path}/schedules`)).data[0].UnitPrices
    const [one, two] = await sellUnits()
    t.same(
      await stated(),
      [{ UnitID: one.UnitID, Amount: '50.00' }],
      'the price of a place becomes the price of the default unit',
    )
    const both = [
      { UnitID: one.UnitID, Amount: '50.00' },
      { UnitID: two.UnitID, Amount: '30.00' },
    ]
    await call('PATCH', `${path}/schedules/${ID}`, { UnitPrices: both })
    await call('PATCH', await slotAt(), { UnitPrices: [{ UnitID: two.UnitID, Amount: '31.00' }] })
    await put({ ...one, Default: false }, { ...two, AccompaniedBy: [], Default: true })
    t.same(new Set(await stated()), new Set(both), 'another unit is the default')
    t.same(await prices(), [
      [one.UnitID, '50.00'],
      [two.UnitID, '31.00'],
    ])
    await put({ ...one, Default: true })
    t.same(await stated(), both.slice(0, 1))
    t.same((await call('GET', await slotAt())).data.UnitPrices, [])
    await put()
    t.same(await stated(), [{ UnitID: 0, Amount: '50.00' }])
    t.same(await prices(), [[0, '50.00']])
    t.equal(await isPriced(), true)
  },
)

t.test('the own prices of a schedule are deleted when the schedule ends', async (t) => {
  const { call, path, plan, prices, isPriced, book, activityId } = await prepare(t)
  const { ID } = await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
  t.equal((await book(activityId)).status, 201)
  t.same(await prices(), [[0, '50.00']])
  await call('DELETE', `${path}/schedules/${ID}`)
  t.equal(await prices(), null, 'the booked timeslot stays')
  t.equal(await isPriced(), false)
})

t.test('timeslots that move to another schedule have the prices of that schedule', async (t) => {
  const { call, path, plan, prices } = await prepare(t)
  const { ID } = await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
  await plan({ To: '2030-06-25', UnitPrices: [{ UnitID: 0, Amount: '40' }] })
  t.same(await prices(), [[0, '50.00']])
  await call('DELETE', `${path}/schedules/${ID}`)
  t.same(await prices(), [[0, '40.00']])
})

t.test(
  'the currency of a product cannot change while a schedule or a timeslot has prices in it',
  async (t) => {
    const { call, path, plan, slotAt } = await prepare(t)
    const { ID } = await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
    const change = { Price: { Amount: '50', Currency: 'USD' } }
    t.same(fieldsOf(await call('PATCH', path, change)), ['Price.Currency'])
    await call('PATCH', `${path}/schedules/${ID}`, { UnitPrices: [] })
    const slot = await slotAt()
    await call('PATCH', slot, { UnitPrices: [{ UnitID: 0, Amount: '55' }] })
    t.same(fieldsOf(await call('PATCH', path, change)), ['Price.Currency'])
    t.match((await call('GET', path)).data.Price, { Currency: 'EUR' })
    await call('PATCH', slot, { UnitPrices: [] })
    t.equal((await call('PATCH', path, change)).status, 200)
  },
)

t.test(
  'the price of a product cannot become one for the whole booking while schedules or timeslots have own prices',
  async (t) => {
    const { call, path, plan, prices, slotAt } = await prepare(t)
    const { ID } = await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
    const change = () => call('PATCH', path, { PricedPer: 'booking' })
    const refused = await change()
    t.same(fieldsOf(refused), ['PricedPer'])
    t.match(refused.problem.detail, /while schedules or timeslots have prices of their own/)
    await call('PATCH', `${path}/schedules/${ID}`, { UnitPrices: [] })
    await call('PATCH', await slotAt(), { UnitPrices: [{ UnitID: 0, Amount: '12' }] })
    t.same(fieldsOf(await change()), ['PricedPer'], 'the price of a timeslot')
    t.same(await prices(), [[0, '12.00']])
    await call('PATCH', await slotAt(), { UnitPrices: [] })
    t.equal((await change()).status, 200)
  },
)

t.test('a booking costs the prices that its timeslot shows for the units', async (t) => {
  const { call, plan, sellUnits, slotAt, app, partner, activityId } = await prepare(t)
  const [, two] = await sellUnits()
  await plan({ UnitPrices: [{ UnitID: 0, Amount: '50' }] })
  await call('PATCH', await slotAt(), { UnitPrices: [{ UnitID: two.UnitID, Amount: '12' }] })
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v2/ota/marketplace/booking',
    headers: partner.headers,
    payload: {
      ...{ ActivityID: activityId, Date: day, Time: '10:00' },
      Units: [
        { UnitID: 0, Quantity: 2 },
        { UnitID: two.UnitID, Quantity: 1 },
      ],
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    },
  })
  t.equal(answer.statusCode, 201)
  t.same(answer.json().data.Total, euros('112.00'))
})
