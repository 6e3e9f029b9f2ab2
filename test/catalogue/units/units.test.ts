/** The operator's units of a product, their effect on its price, and what partners see of them. */
import t, { type Test } from 'tap'
import { readUnits, replaceUnits } from '../../../src/catalogue/units/service.ts'
import { byKey } from '../../../src/events/actor.ts'
import { versionOf } from '../../../src/http/versions.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'
import { adult, child, euros, family } from './fixtures.ts'

async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, app, accountId, call, partner } = operator
  const product = await makeProduct(sql, accountId)
  const path = `/products/${product.id}/units`
  return {
    ...{ ...operator, ...product, path },
    put: (...Units: object[]) => call('PUT', path, { Units }),
    change: (change: object) => call('PATCH', `/products/${product.id}`, change),
    /** The product as partners see it. */
    shown: async () => {
      const url = '/api/v2/ota/marketplace/products'
      return (await app.inject({ url, headers: partner.headers })).json().data[0]
    },
    row: async () => {
      const [row] = await sql`
        select price_minor as price, sells_plainly as plain, has_own_prices as priced,
          default_unit_id as "unitId" from products`
      return row!
    },
    changes: () =>
      sql`select details -> 'Fields' as fields from events where type = 'product.changed' order by id`,
  }
}

t.test('the list of units is replaced; a unit with a known UnitID stays the same unit', async (t) => {
  const { call, put, path, sql } = await prepare(t)
  t.same((await call('GET', path)).data, [])
  const first = await put(adult, child, family)
  t.equal(first.status, 200)
  const [one, two, three] = first.data
  t.same(one, {
    ...{ UnitID: one.UnitID, ...adult, Places: 1, People: 1, MinAge: null, MaxAge: null },
    ...{ MinQuantity: null, MaxQuantity: null, AccompaniedBy: [] },
  })
  t.match(two, { ...child, AccompaniedBy: [one.UnitID], Default: false })
  t.match(three, { ...family, Price: euros('99.50'), AccompaniedBy: [] })
  t.same((await put(...first.data)).data, first.data, 'what is read can be written')

  const senior = { ...family, Name: 'Senior', AccompaniedBy: [one.UnitID, 'child'] }
  const second = await put(senior, { ...two, Name: 'Kid', AccompaniedBy: [0] }, one)
  t.equal(second.status, 422, 'a name that no longer exists')
  const third = await put(
    { ...senior, AccompaniedBy: [0, 'kid'] },
    { ...two, Name: 'Kid', AccompaniedBy: [0] },
    one,
  )
  t.same(
    third.data.map(({ Name }: { Name: string }) => Name),
    ['Senior', 'Kid', 'Adult'],
  )
  t.same(third.data.slice(1), [{ ...two, Name: 'Kid' }, one])
  t.same(third.data[0].AccompaniedBy, [one.UnitID, two.UnitID])
  t.same((await call('GET', path)).data, third.data)
  t.equal(
    (await put({ ...three }, ...third.data)).status,
    422,
    'the UnitID of a deleted unit cannot be used again',
  )
  t.same(
    await sql`select name from units where position is null`,
    [{ name: 'Family' }],
    'bookings may refer to the deleted unit',
  )
})

t.test('422 names every failing field, and nothing changes', async (t) => {
  const { call, put, path } = await prepare(t)
  const { data } = await put(adult)
  const answer = await put(
    { ...adult, MinAge: 9, MaxAge: 8 },
    { ...child, Price: { Amount: '1.005', Currency: 'EUR' }, AccompaniedBy: ['Nobody'] },
    { ...family, UnitID: 999_999, Name: 'adult', Default: true },
  )
  t.equal(answer.status, 422)
  t.same(fieldsOf(answer).sort(), [
    'Units[0].MinAge',
    'Units[1].AccompaniedBy[0]',
    'Units[1].Price.Amount',
    'Units[2].Default',
    'Units[2].Name',
    'Units[2].People',
    'Units[2].Places',
    'Units[2].UnitID',
  ])
  const shape = await put({
    ...adult,
    Places: 100,
    People: 0,
    MinAge: 151,
    Type: 'DOG',
    AccompaniedBy: [true],
  })
  t.same(
    fieldsOf(shape).sort(),
    ['AccompaniedBy[0]', 'MinAge', 'People', 'Places', 'Type'].map((name) => `Units[0].${name}`),
  )
  const many = Array.from({ length: 51 }, (_, index) => ({
    ...child,
    Name: `Unit ${index}`,
    AccompaniedBy: [],
  }))
  t.same(fieldsOf(await call('PUT', path, { Units: many })), ['Units'])
  t.same((await call('GET', path)).data, data)
})

t.test('the price of the default unit and the price of the product change together', async (t) => {
  const { put, change, row, changes } = await prepare(t)
  await put({ ...adult, Price: euros('50') }, child)
  t.equal((await row()).price, 5000)
  const { data } = await change({ Price: euros('60') })
  t.same(data.Price, euros('60.00'))
  const { data: units } = await put(adult, child)
  const others = units.map((unit: object, index: number) => ({ ...unit, Default: index === 1 }))
  await put({ ...others[0], AccompaniedBy: [] }, { ...others[1], AccompaniedBy: [] })
  t.equal((await row()).price, 2000, 'the price of the new default unit')
  t.same(
    (await changes()).map(({ fields }) => fields),
    [['Price', 'Units'], ['Price'], ['Price', 'Units'], ['Price', 'Units']],
  )
})

t.test('the same list again changes nothing, and another one changes UpdatedAt', async (t) => {
  const { sql, put, shown, changes } = await prepare(t)
  const { data } = await put(adult, child)
  await sql`update products set updated_at = updated_at - interval '1 minute'`
  const before = await shown()
  await put(...data)
  t.same(await shown(), before)
  await put(data[0], { ...data[1], MaxAge: 12 })
  t.not((await shown()).UpdatedAt, before.UpdatedAt)
  t.equal((await changes()).length, 2)
})

t.test('a product whose units are all deleted sells places again, at its price', async (t) => {
  const { put, row, shown } = await prepare(t)
  await put({ ...adult, Price: euros('50') }, child)
  t.ok((await row()).unitId)
  t.same((await put()).data, [])
  t.match(await row(), { unitId: null, price: 5000 })
  t.notOk('Units' in (await shown()))
})

t.test(
  'partners see the units and rules of a product that has them, and only the basic fields of other products',
  async (t) => {
    const { app, partner, put, change, shown, id, activityId } = await prepare(t)
    const always = [
      'ID',
      'ActivityID',
      'Name',
      'Description',
      'DurationMinutes',
      'Price',
      'TimeZone',
      'UpdatedAt',
    ]
    t.same(Object.keys(await shown()), always)
    await change({ MinPlaces: 2 })
    t.match(await shown(), { MinPlaces: 2, MaxPlaces: 999, PricedPer: 'person', TakesTimeslot: false })
    t.notOk('Units' in (await shown()))
    await change({ MinPlaces: 1 })
    t.same(Object.keys(await shown()), always)
    const { data } = await put(adult, child)
    t.match(await shown(), { ID: id, ActivityID: activityId, Units: data, MinPlaces: 1 })
    const url = `/api/v2/ota/marketplace/resolve-product?ID=${id}`
    const { headers } = partner
    t.same((await app.inject({ url, headers })).json().data, await shown())
    const list = { url: '/api/v2/ota/marketplace/products' }
    const { etag } = (await app.inject({ ...list, headers })).headers
    const known = { ...headers, 'if-none-match': String(etag) }
    t.equal((await app.inject({ ...list, headers: known })).statusCode, 304)
    await put({ ...data[0], Price: euros('46') }, data[1])
    t.equal((await app.inject({ ...list, headers: known })).statusCode, 200)
  },
)

t.test(
  'the rules of a product are set, changed one by one, and refused if they contradict each other',
  async (t) => {
    const { call, put, change } = await prepare(t)
    const charter = {
      ...{
        Name: 'Charter',
        Description: '',
        DurationMinutes: 60,
        Price: euros('300'),
        TimeZone: 'Europe/Lisbon',
      },
      ...{ MaxPlaces: 10, PricedPer: 'booking', TakesTimeslot: true },
    }
    const { status, data } = await call('POST', '/products', charter)
    t.equal(status, 201)
    t.match(data, { MinPlaces: 1, MaxPlaces: 10, PricedPer: 'booking', TakesTimeslot: true })
    t.same(fieldsOf(await call('POST', '/products', { ...charter, Name: 'B', MinPlaces: 11 })), ['MinPlaces'])
    t.same(fieldsOf(await call('PUT', `/products/${data.ID}/units`, { Units: [adult] })), ['Units'])
    t.same(fieldsOf(await call('PATCH', `/products/${data.ID}`, { PricedPer: 'person' })), ['PricedPer'])
    const freed = await call('PATCH', `/products/${data.ID}`, { TakesTimeslot: false })
    t.match(freed.data, { MaxPlaces: 10, PricedPer: 'booking', TakesTimeslot: false })

    await put(adult, family)
    t.same(fieldsOf(await change({ PricedPer: 'booking', MaxPlaces: 3 })), ['PricedPer', 'MaxPlaces'])
    t.same(fieldsOf(await change({ MaxPlaces: 0, MinPlaces: 1000 })), ['MinPlaces', 'MaxPlaces'])
    t.match((await change({ MinPlaces: 2, MaxPlaces: 4 })).data, { MinPlaces: 2, MaxPlaces: 4 })
  },
)

t.test('the currency of a product cannot change while units have prices in it', async (t) => {
  const { put, change } = await prepare(t)
  const yen = { Price: { Amount: '6000', Currency: 'JPY' } }
  const { data } = await put(adult, child)
  t.same(fieldsOf(await change(yen)), ['Price.Currency'])
  await put(data[0])
  t.same((await change(yen)).data.Price, yen.Price)
  t.same(fieldsOf(await put(data[0])), ['Units[0].Price.Currency'])
})

t.test(
  'a product has the flag of products that are sold plainly only while no rule limits its bookings',
  async (t) => {
    const { put, change, row } = await prepare(t)
    const plain = async () => (await row()).plain
    t.equal(await plain(), true)
    for (const [rule, without] of [
      [{ MinPlaces: 2 }, { MinPlaces: 1 }],
      [{ MaxPlaces: 998 }, { MaxPlaces: 999 }],
      [{ PricedPer: 'booking' }, { PricedPer: 'person' }],
    ] as const) {
      await change(rule)
      t.equal(await plain(), false, JSON.stringify(rule))
      await change(without)
      t.equal(await plain(), true)
    }
    await put({ ...adult, MinQuantity: 1, MinAge: 18 }, { ...child, MaxQuantity: 3 })
    t.equal(await plain(), true, 'a minimum of 1, an age, and rules of other units do not limit it')
    for (const rule of [{ MinQuantity: 2 }, { MaxQuantity: 5 }, { AccompaniedBy: ['Family'] }]) {
      await put({ ...adult, ...rule }, family)
      t.equal(await plain(), false, JSON.stringify(rule))
    }
    await put()
    t.equal(await plain(), true)
  },
)

t.test('when two users edit the list at once, the second edit is refused with a warning', async (t) => {
  const { sql, accountId, id, put } = await prepare(t)
  const by = byKey({ accountId, keyId: 1 } as Parameters<typeof byKey>[0])
  const seen = versionOf(await readUnits(sql, accountId, id))
  await put(adult)
  const edit = sql.begin((tx) => replaceUnits(tx, by, { productId: id, units: [adult, family], seen }))
  await t.rejects(edit, /Other changes were saved/)
  const now = versionOf(await readUnits(sql, accountId, id))
  const { units } = await sql.begin((tx) =>
    replaceUnits(tx, by, { productId: id, units: [adult], seen: now }),
  )
  t.match(units, [{ name: 'Adult', priceMinor: 4500, currency: 'EUR', isDefault: true }])
})

t.test('404 for a product of another account, whose units cannot be used', async (t) => {
  const { sql, call, put } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'other' })
  const { id } = await makeProduct(sql, other.accountId)
  t.equal((await call('GET', `/products/${id}/units`)).status, 404)
  t.equal((await call('PUT', `/products/${id}/units`, { Units: [adult] })).status, 404)
  const [theirs] = await sql<{ id: number }[]>`
    insert into units (account_id, product_id, position, name, type, places, people)
    values (${other.accountId}, ${id}, 1, 'Adult', 'ADULT', 1, 1) returning id`
  t.same(fieldsOf(await put({ ...adult, UnitID: theirs!.id })), ['Units[0].UnitID'])
})
