/** What partners read: the list of products, one product, and its waiver questions. */
import t, { type Test } from 'tap'
import { build, makeCaller, makeProduct } from '../helper.ts'

const list = '/api/v2/ota/marketplace/products'
const resolve = '/api/v2/ota/marketplace/resolve-product'

async function prepareShop(t: Test) {
  const built = await build(t)
  const caller = await makeCaller(built.sql)
  const { accountId } = caller
  const kayak = await makeProduct(built.sql, accountId, { name: 'Kayak 100% wet_and_wild' })
  const bike = await makeProduct(built.sql, accountId, { name: 'Bike tour' })
  const hidden = await makeProduct(built.sql, accountId, { name: 'Hidden bike', inShopfront: false })
  const get = (url: string, headers: object = {}) =>
    built.app.inject({ url, headers: { ...caller.headers, ...headers } })
  return { ...built, ...caller, kayak, bike, hidden, get }
}

const ids = (answer: { json(): { data: { ID: number }[] } }) => answer.json().data.map(({ ID }) => ID)

t.test('the list has the shopfront’s products by ID, each with all its fields', async (t) => {
  const { get, kayak, bike } = await prepareShop(t)
  const answer = await get(list)
  t.equal(answer.statusCode, 200)
  t.same(ids(answer), [kayak.id, bike.id])
  t.match(answer.json().data[0], {
    ID: kayak.id,
    ActivityID: kayak.activityId,
    Name: 'Kayak 100% wet_and_wild',
    Description: 'On the water.',
    DurationMinutes: 90,
    Price: { Amount: '45.00', Currency: 'EUR' },
    TimeZone: 'Europe/Lisbon',
    UpdatedAt: /^20\d\d-\d\d-\d\dT.*Z$/,
  })
})

t.test('the parameter name finds a part of a name, ignores case, and takes % and _ literally', async (t) => {
  const { get, kayak, bike } = await prepareShop(t)
  t.same(ids(await get(`${list}?name=KAYAK`)), [kayak.id])
  t.same(ids(await get(`${list}?name=100%25`)), [kayak.id])
  t.same(ids(await get(`${list}?name=_and_`)), [kayak.id])
  t.same(ids(await get(`${list}?name=b%25e`)), [])
  t.same(ids(await get(`${list}?name=bike`)), [bike.id], 'a product out of the shopfront is not found')
})

t.test('an empty name counts as left out', async (t) => {
  const { get } = await prepareShop(t)
  t.equal(ids(await get(`${list}?name=`)).length, 2)
})

t.test('Limit and After page through the list, and Link leads on until the last page', async (t) => {
  const { get, kayak, bike } = await prepareShop(t)
  const first = await get(`${list}?Limit=1`)
  t.same(ids(first), [kayak.id])
  t.equal(first.headers.link, `<http://booking.test${list}?Limit=1&After=${kayak.id}>; rel="next"`)
  const second = await get(/<http:\/\/booking\.test(.*)>/.exec(String(first.headers.link))![1]!)
  t.same(ids(second), [bike.id])
  t.equal(second.headers.link, undefined)
})

for (const bad of [
  'Limit=0',
  'Limit=501',
  'Limit=x',
  'Limit=1.5',
  'Limit=1&Limit=2',
  'After=-1',
  'name=a&name=b',
  'name=%00',
]) {
  t.test(`?${bad} gets 422`, async (t) => {
    const { get } = await prepareShop(t)
    const answer = await get(`${list}?${bad}`)
    t.equal(answer.statusCode, 422)
    t.match(answer.json().errors, [{ field: bad.split('=')[0] }])
  })
}

t.test('the list has an ETag, and a client that has the same list gets 304', async (t) => {
  const { get, sql } = await prepareShop(t)
  const { headers } = await get(list)
  t.match(headers, { etag: /^"/, 'cache-control': 'private, no-cache', vary: 'Authorization' })
  const etag = String(headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const unchanged = await get(list, { 'if-none-match': known })
    t.equal(unchanged.statusCode, 304)
    t.equal(unchanged.body, '')
    t.equal(unchanged.headers.etag, etag)
  }
  const fetched = await get(list, { 'if-none-match': etag, 'cache-control': 'no-cache', pragma: 'no-cache' })
  t.equal(fetched.statusCode, 304, 'also when the client sends Cache-Control: no-cache, as Node’s fetch does')
  await sql`update products set description = 'New.'`
  t.equal((await get(list, { 'if-none-match': etag })).statusCode, 200)
})

t.test('resolve-product finds a product by its ID, or by its whole name, ignoring case', async (t) => {
  const { get, bike } = await prepareShop(t)
  t.match((await get(`${resolve}?ID=${bike.id}`)).json(), { data: { ID: bike.id, Name: 'Bike tour' } })
  t.match((await get(`${resolve}?Name=bike%20TOUR`)).json(), { data: { ID: bike.id } })
  t.match(
    (await get(`${resolve}?ID=&Name=bike%20TOUR`)).json(),
    { data: { ID: bike.id } },
    'an empty parameter counts as left out',
  )
})

t.test('resolve-product: 400 product-lookup for a request with both ID and Name, or neither', async (t) => {
  const { get, bike } = await prepareShop(t)
  for (const query of ['', '?ID=', '?Name=', `?ID=${bike.id}&Name=Bike%20tour`]) {
    const answer = await get(`${resolve}${query}`)
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { type: 'http://booking.test/problems/product-lookup', instance: resolve })
  }
})

t.test(
  'resolve-product: 404 for an unknown product, a part of a name, or a product out of the shopfront',
  async (t) => {
    const { get, hidden } = await prepareShop(t)
    for (const query of ['ID=999999', `ID=${hidden.id}`, 'Name=bike', 'Name=Hidden%20bike']) {
      const answer = await get(`${resolve}?${query}`)
      t.equal(answer.statusCode, 404)
      t.match(answer.json(), { type: /product-not-found$/ })
    }
  },
)

for (const bad of [
  '0',
  '-1',
  '1.5',
  'x',
  '0x10',
  '1e3',
  '9007199254740993',
  '99999999999999999999',
  '1&ID=2',
]) {
  t.test(`resolve-product: ID=${bad} gets 422`, async (t) => {
    const { get } = await prepareShop(t)
    const answer = await get(`${resolve}?ID=${bad}`)
    t.equal(answer.statusCode, 422)
    t.match(answer.json().errors, [{ field: 'ID' }])
  })
}

for (const segment of ['marketplace', 'core']) {
  const questions = `/api/v2/ota/${segment}/questions`

  t.test(`${segment}: questions come in the operator’s order`, async (t) => {
    const { get, sql, accountId, kayak } = await prepareShop(t)
    await sql`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${kayak.id}, 2, 'Signed waiver', 'file', true, '{}', 'participant'),
        (${accountId}, ${kayak.id}, 1, 'Level', 'select', false, '{Beginner,Expert}', 'booking')`
    const answer = await get(`${questions}/${kayak.activityId}`)
    t.equal(answer.statusCode, 200)
    t.match(answer.json().data, [
      {
        Label: 'Level',
        Type: 'select',
        Required: false,
        Options: ['Beginner', 'Expert'],
        AppliesTo: 'booking',
      },
      { Label: 'Signed waiver', Type: 'file', Required: true, Options: [], AppliesTo: 'participant' },
    ])
    t.ok(answer.json().data.every(({ ID }: { ID: number }) => Number.isInteger(ID)))
  })

  t.test(`${segment}: an activity without questions has an empty list`, async (t) => {
    const { get, bike } = await prepareShop(t)
    t.same((await get(`${questions}/${bike.activityId}`)).json(), { data: [] })
  })

  t.test(`${segment}: 404 for an unknown activity and for one out of the shopfront`, async (t) => {
    const { get, hidden } = await prepareShop(t)
    for (const id of [hidden.activityId, 's_00000000-0000-4000-8000-000000000000']) {
      const answer = await get(`${questions}/${id}`)
      t.equal(answer.statusCode, 404)
      t.match(answer.json(), { type: /activity-not-found$/ })
    }
  })

  t.test(`${segment}: 400 invalid-activity-id for a malformed ActivityID`, async (t) => {
    const { get, bike } = await prepareShop(t)
    for (const id of [
      'x',
      bike.activityId.toUpperCase(),
      bike.activityId.slice(2),
      `${bike.activityId}0`,
      's_%00',
      'y'.repeat(5000),
    ]) {
      const answer = await get(`${questions}/${id}`)
      t.equal(answer.statusCode, 400)
      t.match(answer.json(), { type: /invalid-activity-id$/, status: 400 })
    }
  })
}
