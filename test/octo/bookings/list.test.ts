/** Finding bookings through OCTO. */
import t from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import { afternoon, type OctoAnswer, openReseller } from './fixtures.ts'

async function openList(t: Parameters<typeof openReseller>[0]) {
  const reseller = await openReseller(t)
  const list = async (query: Record<string, string>, options?: Parameters<typeof reseller.send>[3]) => {
    const { status, body } = await reseller.send(
      'GET',
      `/bookings?${new URLSearchParams(query)}`,
      undefined,
      options,
    )
    t.equal(status, 200, JSON.stringify(body))
    return (body as OctoAnswer[]).map(({ uuid }) => uuid)
  }
  return { ...reseller, list }
}

t.test('bookings in any status are found by either reference, newest first', async (t) => {
  const { reserve, confirm, cancel, list } = await openList(t)
  const first = await reserve({ resellerReference: 'OTA-1' })
  await confirm(first.uuid)
  const second = await reserve({ resellerReference: 'OTA-1' })
  await cancel(second.uuid)
  const third = await reserve()
  t.same(await list({ resellerReference: 'OTA-1' }), [second.uuid, first.uuid])
  t.same(await list({ supplierReference: third.supplierReference }), [third.uuid])
  t.same(await list({ resellerReference: 'OTA-1', supplierReference: first.supplierReference }), [first.uuid])
  t.same(await list({ resellerReference: 'OTA-9' }), [])
  t.same(await list({ supplierReference: 'nonsense' }), [])
})

t.test('bookings are found by the days of their timeslots, and by their product', async (t) => {
  const { reserve, list, sql, accountId, activityId } = await openList(t)
  const other = await makeProduct(sql, accountId, { name: 'Sauna', slots: { '2030-07-01 18:00': 6 } })
  const first = await reserve()
  const second = await reserve({ availabilityId: afternoon })
  const there = { productId: other.activityId, availabilityId: '2030-07-01T18:00:00+01:00' }
  const third = await reserve(there)
  const all = { localDateStart: '2030-06-15', localDateEnd: '2030-07-01' }
  t.same(await list({ localDate: '2030-06-15' }), [second.uuid, first.uuid])
  t.same(await list(all), [third.uuid, second.uuid, first.uuid])
  t.same(await list({ ...all, productId: activityId, optionId: 'DEFAULT' }), [second.uuid, first.uuid])
  t.same(await list({ localDateStart: '2030-06-16', localDateEnd: '2030-06-30' }), [])
})

t.test('a list of bookings without a filter, or with an invalid one, is refused', async (t) => {
  const { refused } = await openList(t)
  const cases: [string, object][] = [
    ['', { error: 'BAD_REQUEST', errorMessage: /resellerReference/ }],
    ['?resellerReference=', { error: 'BAD_REQUEST' }],
    ['?localDateStart=2030-06-15', { error: 'BAD_REQUEST', errorMessage: /localDateEnd/ }],
    ['?localDateEnd=2030-06-15', { error: 'BAD_REQUEST', errorMessage: /localDateStart/ }],
    ['?localDate=nonsense', { error: 'BAD_REQUEST', errorMessage: /localDate/ }],
    ['?localDateStart=2030-06-15&localDateEnd=2030-06-14', { error: 'BAD_REQUEST' }],
    ['?localDateStart=2030-06-15&localDateEnd=2032-06-14', { error: 'BAD_REQUEST', errorMessage: /366/ }],
    ['?localDate=2030-06-15&productId=nonsense', { error: 'INVALID_PRODUCT_ID', productId: 'nonsense' }],
    ['?localDate=2030-06-15&optionId=nonsense', { error: 'INVALID_OPTION_ID', optionId: 'nonsense' }],
  ]
  for (const [query, error] of cases) t.match(await refused('GET', `/bookings${query}`), error, query)
})

t.test('a reseller finds only its own bookings, and only those that it reserved through OCTO', async (t) => {
  const { reserve, list, sql, app, headers, activityId } = await openList(t)
  const rival = await makeCaller(sql, { partner: 'Rival' })
  const { uuid } = await reserve({ resellerReference: 'OTA-1' })
  await app.inject({
    method: 'POST',
    url: '/api/v2/ota/marketplace/booking',
    headers,
    payload: {
      ...{
        ActivityID: activityId,
        Date: '2030-06-15',
        Time: '10:00',
        Participants: 1,
        PaymentReference: 'OTA-1',
      },
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    },
  })
  t.same(await list({ resellerReference: 'OTA-1' }), [uuid])
  t.same(await list({ resellerReference: 'OTA-1' }, { headers: rival.headers }), [])
})

t.test('a list of bookings ends with the booking that reaches 5000 items', async (t) => {
  const { reserve, list, sql } = await openList(t)
  await sql`update timeslots set capacity = 10000`
  const unitItems = Array.from({ length: 999 }, () => ({ unitId: '0' }))
  const uuids: string[] = []
  for (let count = 0; count < 7; count++)
    uuids.unshift((await reserve({ unitItems, resellerReference: 'OTA-1' })).uuid)
  t.same(await list({ resellerReference: 'OTA-1' }), uuids.slice(0, 6))
})
