/** Changes of products, as partners follow them by `UpdatedSince` and cursor. */
import t, { type Test } from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { appendEvents } from '../../../src/events/append.ts'
import { sweepEvents } from '../../../src/events/retention.ts'
import { writeCursor } from '../../../src/platform/text/cursor.ts'
import { build, makeCaller, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'

const list = '/api/v2/ota/marketplace/products'
const ever = `${list}?UpdatedSince=1970-01-01T00:00:00Z`
const fields = {
  ...{ Description: '', DurationMinutes: 60, Price: { Amount: '45.00', Currency: 'EUR' } },
  ...{ TimeZone: 'Europe/Lisbon', InShopfront: true },
}

async function prepareShop(t: Test) {
  const built = await build(t)
  const { sql, app } = built
  const caller = await makeCaller(sql, { scopes: ['ota', 'operator'] })
  const { headers } = caller
  const get = (url: string) => app.inject({ url, headers })
  const write = async (method: 'POST' | 'PATCH' | 'PUT', path: string, payload: object) => {
    const answer = await app.inject({ method, url: `/api/v2/operator${path}`, headers, payload })
    t.ok(answer.statusCode < 300, answer.body)
    await pumpEvents(sql)
    return answer.json().data
  }
  return {
    ...{ ...built, ...caller, get, write },
    make: async (name: string, more = {}): Promise<number> =>
      (await write('POST', '/products', { ...fields, Name: name, ...more })).ID,
    change: (id: number, change: object) => write('PATCH', `/products/${id}`, change),
    put: (id: number, what: string, payload: object) => write('PUT', `/products/${id}/${what}`, payload),
    /**
     * Reads a page of changes. Returns its products and the address of the next page. `names` has the name of each
     * product, or `-ID` if the product has left the shopfront.
     */
    read: async (url: string) => {
      const answer = await get(url)
      t.equal(answer.statusCode, 200, answer.body)
      t.equal(answer.headers.etag, undefined)
      const next = /^<http:\/\/booking\.test(.*)>; rel="next"$/.exec(String(answer.headers.link))![1]!
      const data: { ID: number; Name?: string }[] = answer.json().data
      return { data, names: data.map(({ ID, Name }) => Name ?? `-${ID}`), next }
    },
  }
}

t.test(
  'each changed product is listed once, in its current state, in the order of the latest changes',
  async (t) => {
    const { make, change, read, get } = await prepareShop(t)
    const kayak = await make('Kayak')
    await make('Bike')
    await change(kayak, { Description: 'On the water.' })
    await change(kayak, { DurationMinutes: 90 })
    const { names, data } = await read(ever)
    t.same(names, ['Bike', 'Kayak'])
    t.same(data, (await get(list)).json().data.toReversed())
  },
)

t.test('the address of the next page always continues after the last change', async (t) => {
  const { make, change, read } = await prepareShop(t)
  const ids = [await make('Kayak'), await make('Bike'), await make('Hike')]
  const first = await read(`${ever}&Limit=2`)
  t.same(first.names, ['Kayak', 'Bike'])
  const second = await read(first.next)
  t.same(second.names, ['Hike'])
  const third = await read(second.next)
  t.same(third.names, [])
  await change(ids[0]!, { Name: 'Canoe' })
  t.same((await read(third.next)).names, ['Canoe'])
  t.same((await read(second.next)).names, ['Canoe'])
  t.same((await read((await read(third.next)).next)).names, [])
})

t.test(
  'a product that left the shopfront shows only its IDs and InShopfront false, even if it is changed later',
  async (t) => {
    const { make, change, read, get } = await prepareShop(t)
    const kayak = await make('Kayak')
    const { next } = await read(ever)
    const [{ ActivityID }] = (await get(list)).json().data
    await change(kayak, { InShopfront: false })
    const gone = { ID: kayak, ActivityID, InShopfront: false }
    t.same((await read(next)).data, [gone])
    await change(kayak, { Description: 'Soon again.' })
    t.same((await read(next)).data, [gone])
    t.same((await read(ever)).data, [gone])
    await change(kayak, { InShopfront: true })
    t.same((await read(next)).names, ['Kayak'])
  },
)

t.test('a product that was never in the shopfront is not listed', async (t) => {
  const { make, change, read } = await prepareShop(t)
  const draft = await make('Draft', { InShopfront: false })
  await change(draft, { Description: 'Not yet.' })
  const { names, next } = await read(ever)
  t.same(names, [])
  await change(draft, { InShopfront: true })
  t.same((await read(next)).names, ['Draft'])
})

t.test('a change of questions, units or refund terms is a change of their product', async (t) => {
  const { make, put, read } = await prepareShop(t)
  const kayak = await make('Kayak')
  let { next } = await read(ever)
  const changes: [string, object][] = [
    [
      'questions',
      { Questions: [{ Label: 'Can you swim?', Type: 'text', Required: true, AppliesTo: 'booking' }] },
    ],
    ['units', { Units: [{ Name: 'Adult', Type: 'ADULT', Price: fields.Price, Default: true }] }],
    ['refund-terms', { RefundTerms: [{ Percent: '100', HoursBefore: 48 }] }],
  ]
  for (const [what, body] of changes) {
    await put(kayak, what, body)
    const page = await read(next)
    t.same(page.names, ['Kayak'], what)
    next = page.next
  }
})

t.test(
  'a product is listed when a schedule gets its own prices, but not when a single timeslot gets them',
  async (t) => {
    const { make, read, write } = await prepareShop(t)
    const kayak = await make('Kayak')
    const UnitPrices = [{ UnitID: 0, Amount: '30.00' }]
    const day = { Date: '2030-06-15', Time: '10:00', Capacity: 8 }
    const { ID } = await write('POST', `/products/${kayak}/timeslots`, day)
    const { next } = await read(ever)
    await write('PATCH', `/timeslots/${ID}`, { UnitPrices })
    t.same((await read(next)).names, [])
    const daily = { From: '2030-07-01', To: '2030-07-07', Weekdays: ['Mon'], Times: ['10:00'], Capacity: 8 }
    await write('POST', `/products/${kayak}/schedules`, { ...daily, UnitPrices })
    t.same((await read(next)).names, ['Kayak'])
  },
)

t.test('a change that is written first, but committed last, is on a later page', async (t) => {
  const { make, change, read, sql, accountId } = await prepareShop(t)
  const [kayak, bike] = [await make('Kayak'), await make('Bike')]
  const { next } = await read(ever)
  let commit = () => {}
  const until = new Promise<void>((resolve) => {
    commit = resolve
  })
  let written = () => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const slow = sql.begin(async (tx) => {
    await tx`update products set name = 'Canoe' where id = ${kayak}`
    await appendEvents(tx, [
      {
        accountId,
        actor: theService,
        type: 'product.changed',
        productId: kayak,
        details: { Fields: ['Name'] },
      },
    ])
    written()
    await until
  })
  await isWritten
  await change(bike, { Name: 'Tandem' })
  const page = await read(next)
  t.same(page.names, ['Tandem'])
  commit()
  await slow
  await pumpEvents(sql)
  t.same((await read(page.next)).names, ['Canoe'])
})

t.test('a list with UpdatedSince begins with the first change at or after that instant', async (t) => {
  const { make, read, sql } = await prepareShop(t)
  await make('Kayak')
  await sql`update events set occurred_at = now() - interval '3 hours'`
  await make('Bike')
  const since = new Date(Date.now() - 3_600_000).toISOString()
  t.same((await read(`${list}?UpdatedSince=${since}`)).names, ['Bike'])
  const later = await read(`${list}?UpdatedSince=${new Date(Date.now() + 3_600_000).toISOString()}`)
  t.same(later.names, [])
  await make('Hike')
  t.same((await read(later.next)).names, ['Hike'])
})

t.test('every changed product is listed, even after the events of older changes are deleted', async (t) => {
  const { make, change, read, sql } = await prepareShop(t)
  const [, gone] = [await make('Kayak'), await make('Bike')]
  const { next } = await read(`${ever}&Limit=1`)
  await change(gone, { InShopfront: false })
  await change(gone, { Description: 'Over.' })
  await make('Hike')
  await sql`update events set occurred_at = now() - interval '31 days'`
  t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }), 1)
  t.same((await read(next.replace('Limit=1', 'Limit=5'))).names, [`-${gone}`, 'Hike'])
  t.same((await read(ever)).names, ['Kayak', `-${gone}`, 'Hike'])
})

t.test(
  'products without an event in the log come first, by ID, if UpdatedSince is more than a day ago',
  async (t) => {
    const { make, change, read, sql, accountId } = await prepareShop(t)
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await makeProduct(sql, accountId, { name })).id)
    await makeProduct(sql, accountId, { name: 'Hidden', inShopfront: false })
    const before = await read(ever)
    t.same(before.names, ['A', 'B', 'C'])
    t.same((await read(before.next)).names, [])
    await make('Kayak')
    await change(ids[0]!, { Name: 'Z' })
    const first = await read(`${ever}&Limit=1`)
    t.same(first.names, ['B'])
    const second = await read(first.next)
    t.same(second.names, ['C'])
    t.same((await read(second.next)).names, ['Kayak'])
    t.same((await read(second.next.replace('Limit=1', 'Limit=5'))).names, ['Kayak', 'Z'])
    t.same((await read(before.next)).names, ['Kayak', 'Z'])
    t.same((await read(`${list}?UpdatedSince=${new Date(Date.now() - 3_600_000).toISOString()}`)).names, [
      'Kayak',
      'Z',
    ])
  },
)

t.test('422 for a cursor from before a restore says to list all products again', async (t) => {
  const { make, read, get, sql } = await prepareShop(t)
  await make('Kayak')
  const { next } = await read(ever)
  await sql`update event_epochs set timeline = timeline + 100`
  await make('Bike')
  const refused = await get(next)
  t.equal(refused.statusCode, 422)
  t.match(refused.json().errors, [{ field: 'Cursor', message: /list all products again/ }])
  t.same((await read(ever)).names, ['Kayak', 'Bike'])
})

for (const [query, field] of [
  ['UpdatedSince=yesterday', 'UpdatedSince'],
  ['UpdatedSince=2027-06-01', 'UpdatedSince'],
  ['Cursor=x', 'Cursor'],
  [`Cursor=${writeCursor(['log', 7, 9])}`, 'Cursor'],
  [`Cursor=${writeCursor(['products', 7, -1, 0])}`, 'Cursor'],
  ['UpdatedSince=2027-06-01T00:00:00Z&name=kayak', 'name'],
  ['UpdatedSince=2027-06-01T00:00:00Z&After=7', 'After'],
  ['UpdatedSince=2027-06-01T00:00:00Z&Limit=501', 'Limit'],
])
  t.test(`?${query} gets 422`, async (t) => {
    const { get } = await prepareShop(t)
    const answer = await get(`${list}?${query}`)
    t.equal(answer.statusCode, 422)
    t.match(answer.json().errors, [{ field }])
  })

t.test('changes of another account are never listed, and a cursor of another account gets 422', async (t) => {
  const { make, read, sql, app } = await prepareShop(t)
  await make('Kayak')
  const { next } = await read(ever)
  const other = await makeCaller(sql, { slug: 'other' })
  await makeProduct(sql, other.accountId, { name: 'Surf' })
  const answer = await app.inject({ url: ever, headers: other.headers })
  t.match(answer.json().data, [{ Name: 'Surf' }])
  t.equal(answer.json().data.length, 1)
  t.same((await read(next)).names, [])
  t.equal((await app.inject({ url: next, headers: other.headers })).statusCode, 422)
})
