/** The negative ids of test accounts work in jobs, queues, links, payment events, change feeds and metrics. */
import t from 'tap'
import { scopes } from '../../src/accounts/model.ts'
import { optOutUrl } from '../../src/messaging/emails/links.ts'
import { hashAddress } from '../../src/platform/crypto/address-hash.ts'
import { sign } from '../../src/sales/payment/model.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { secretKey } from '../dashboard/world.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { buildUsage, everyDay, onBothStores } from '../metering/fixtures.ts'
import { scrapeWhole, sumOf } from '../scrape.ts'
import { until } from '../until.ts'
import { makeModes, mark } from './fixtures.ts'

const day = '2030-06-15'

onBothStores(
  'usage of a test key is stored and summed separately, and the catalogue of the test account follows automatically',
  async (t, store) => {
    const { app, sql, accountId, record, headers } = await buildUsage(t, store)
    const operator = await makeCaller(sql, { scopes: ['operator'] })
    const { activityId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 4 } })
    const request = { accountId, partner: 'Atlas', scopes: [...scopes], expiresInDays: null }
    const test = { authorization: `Bearer ${await createTestKey(sql, request)}` }
    const sum = async (key: Record<string, string>) =>
      (await app.inject({ url: `/api/v2/usage/meters?${everyDay}`, headers: key })).json().data
    await record({ Meter: 'calls', Usage: 1 })
    for (const Usage of [2, 3]) {
      const sent = await app.inject({
        ...{ method: 'POST', url: '/api/v2/usage/meters', headers: test, payload: { Meter: 'calls', Usage } },
      })
      t.equal(sent.statusCode, 201, sent.body)
    }
    t.match(JSON.stringify(await sum(test)), /"TotalUsage":"?5\b/)
    t.match(JSON.stringify(await sum(headers)), /"TotalUsage":"?1\b/)

    const [slot] = await sql<{ id: number }[]>`select id from timeslots where account_id = ${accountId}`
    const changed = await app.inject({
      method: 'PATCH',
      url: `/api/v2/operator/timeslots/${slot!.id}`,
      headers: operator.headers,
      payload: { Capacity: 7 },
    })
    t.equal(changed.statusCode, 200, changed.body)
    await until(async () => {
      const url = `/api/v2/ota/marketplace/availability/${activityId}/timeslots?Date=${day}`
      return (await app.inject({ url, headers: test })).json().data[0].Available === 7
    })
  },
)

t.test('payment events, links, change feeds and metrics', async (t) => {
  const world = await makeModes(t, { environment: { SECRET_KEY: secretKey } })
  const { app, sql, accountId, testId } = world
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 2, [`${day} 12:00`]: 9 },
  })
  const test = await world.openTest()
  let reference = ''

  t.test(
    'a signed payment event completes a basket of the test account, and none of the live one',
    async (t) => {
      const secret = await createSecret(sql, secretKey, testId)
      const line = { ActivityID: activityId, Date: day, Time: '12:00', Participants: 1 }
      const { json } = await test.call('POST', '/baskets', {
        Channel: 'online',
        Lines: [line],
        Customer: mark,
      })
      const { BasketID, Total } = json.data
      const pay = (Account: string, ID: string) => {
        const event = { ID, Account, Type: 'succeeded', BasketID, ...Total }
        const payload = JSON.stringify(event)
        const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(payload))
        const headers = { 'content-type': 'application/json', 'payment-signature': signature }
        return app.inject({ method: 'POST', url: '/api/v2/payments/events', headers, payload })
      }
      t.equal((await pay('quay', 'evt_1')).statusCode, 401)
      const paid = await pay('quay.test', 'evt_2')
      t.equal(paid.statusCode, 200, paid.body)
      t.match((await test.call('GET', `/baskets/${BasketID}`)).json.data, { Status: 'completed' })
    },
  )

  t.test('the links of an offer and of unsubscribing work for a test account', async (t) => {
    const { json } = await test.book(activityId)
    reference = json.data.BookingReference
    const party = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 2, Customer: mark }
    const joined = await test.call('POST', '/waitlist', party)
    const entryId = joined.json.data.WaitlistID as number
    const offer = await app.inject({ url: offerUrl('', secretKey, { accountId: testId, entryId }) })
    t.equal(offer.statusCode, 200)
    t.equal((await app.inject({ url: offerUrl('', secretKey, { accountId, entryId }) })).statusCode, 404)
    const url = optOutUrl('', secretKey, { accountId: testId, hash: hashAddress(mark.Email) })
    t.ok((await app.inject({ method: 'POST', url })).statusCode < 400)
    t.match(await sql`select account_id as account from email_optouts`, [{ account: testId }])
  })

  t.test('a partner follows only changes of its test bookings', async (t) => {
    await world.book(activityId, { Time: '12:00' })
    await world.follow()
    const url = '/api/v2/ota/marketplace/booking?UpdatedSince=2020-01-01T00:00:00Z'
    const referencesOf = (data: { BookingReference: string }[]) => data.map((one) => one.BookingReference)
    t.same(referencesOf((await test.ask('GET', url)).json.data), [reference])
    const live = await app.inject({ url, headers: world.partner.headers })
    t.notOk(referencesOf(live.json().data).includes(reference))
    t.equal(live.json().data.length, 1)
  })

  t.test('the gauge test_accounts_lag_seconds shows how far the test account is behind', async (t) => {
    const lag = async () =>
      sumOf(await scrapeWhole(world.services.metrics), 'test_accounts_lag_seconds') ?? Number.NaN
    await sql`update test_accounts set followed_at = now() - interval '1 hour'`
    t.ok((await lag()) >= 3600)
  })
})
