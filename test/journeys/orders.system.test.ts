/**
 * Baskets from the hold to the payment and the meter, while partners book and web processes crash.
 */
import t from 'tap'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import type { BasketView } from '../../src/sales/basket/schemas.ts'
import { sign } from '../../src/sales/payment/model.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { bookingBody, bookingPath, createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { startWorker } from '../metering/fixtures.ts'
import { startWeb } from '../processes.ts'
import { pumpEvents } from '../pump.ts'
import { harbour, secretKey, statuses } from '../sales/basket/fixtures.ts'
import { until } from '../until.ts'

t.test('an online basket is held, paid and metered; partners see its places disappear', async (t) => {
  const { app, hold, sendPaymentEvent, sql, url, services, activityId, accountId } = await harbour(t)
  await startWorker(t, services, url)
  await until(() => services.queue.state().reachable)
  const { headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['ota', 'usage:read'] })
  const available = async () => {
    const path = `/api/v2/ota/marketplace/availability/${activityId}/timeslots?Date=2030-06-15`
    return (await app.inject({ url: path, headers })).json().data[0].Available
  }
  t.equal(await available(), 8)
  const basket = await hold([{ Participants: 3 }])
  t.equal(await available(), 5)
  t.equal((await sendPaymentEvent(basket, { Reference: 'ch_1' })).statusCode, 200)
  t.equal(await available(), 5)
  const summary = await app.inject({ url: '/api/v2/usage/meters?from=1970-01-01&to=2100-01-01', headers })
  t.same(summary.json().data.Meters, [{ Meter: 'order-completed', TotalUsage: 1, EventCount: 1 }])
  // The app wakes the worker, which then stores the entry without waiting for its schedule.
  await until(async () => (await sql`select from meter_entries`).length === 1)
  t.match(await sql`select meter, extra_info from meter_entries`, [
    { meter: 'order-completed', extra_info: JSON.stringify({ BasketID: basket.BasketID }) },
  ])
  t.same(await listCounterDifferences(sql, accountId), [])
})

t.test('a late payment gets its places if they are free, and is due for a refund if not', async (t) => {
  const { app, hold, sendPaymentEvent, read, expireBasket, call, post, sql, activityId, accountId, metered } =
    await harbour(t)
  const { headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['ota'] })
  const book = (Participants: number) =>
    app.inject({
      method: 'POST',
      url: bookingPath,
      headers,
      payload: bookingBody(activityId, { Participants }),
    })
  const [early, late] = [
    await hold([{ Participants: 4 }]),
    await hold([{ Participants: 4 }, { Time: '12:00' }]),
  ]
  t.equal((await book(1)).statusCode, 409, 'all is held')
  await expireBasket(early)
  t.match((await sendPaymentEvent(early)).json().data, { Outcome: 'completed' })
  t.equal((await book(1)).statusCode, 409, 'now it is sold')
  await expireBasket(late)
  t.equal((await book(2)).statusCode, 201, 'an expired hold does not block the places')
  t.same(statuses(await read(late)), ['expired', 'held'])
  t.match((await sendPaymentEvent(late, { ID: 'evt_2' })).json().data, { Outcome: 'refund-due' })
  t.match((await call('GET', '/baskets?Status=refund-due')).json().data, [
    { BasketID: late.BasketID, RefundReason: 'places-gone', Payments: [{ Amount: '270.00' }] },
  ])
  t.equal(
    (await post(`/baskets/${late.BasketID}/refunded`, { Payments: ['evt_2'] })).json().data.Status,
    'refunded',
  )
  t.equal((await book(2)).statusCode, 201, 'its other places are free as well')
  t.equal((await metered()).length, 3)
  t.same(await listCounterDifferences(sql, accountId), [])
})

t.test('after crashes of both web processes, repeated payment events sell and meter once', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId, headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['operator'] })
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 400 } })
  const secret = await createSecret(sql, secretKey, accountId)
  const environment = { SECRET_KEY: secretKey }
  let one = await startWeb(t, url, environment)
  let other = await startWeb(t, url, environment)
  const Lines = [{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }]
  const baskets: BasketView[] = []
  for (let count = 0; count < 40; count++) {
    const answer = await fetch(`${one.url}/api/v2/operator/baskets`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ Channel: 'online', Lines }),
    })
    baskets.push(((await answer.json()) as { data: BasketView }).data)
  }

  /** Sends the event once. @returns its outcome, or null if there was no successful response. */
  const deliver = async (to: string, { BasketID, Total }: BasketView): Promise<string | null> => {
    const event = { ID: `evt_${BasketID}`, Account: 'harbour', Type: 'succeeded', BasketID, ...Total }
    const body = JSON.stringify(event)
    const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body))
    const answer = await fetch(`${to}/api/v2/payments/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': signature },
      body,
    }).catch(() => null)
    return answer?.ok ? ((await answer.json()) as { data: { Outcome: string } }).data.Outcome : null
  }
  /** Sends the event to both processes until one accepts it; returns the outcome. */
  const deliverToBoth = async (basket: BasketView): Promise<string> => {
    const accepted: string[] = []
    await until(async () => {
      const outcomes = await Promise.all([deliver(one.url, basket), deliver(other.url, basket)])
      accepted.push(...outcomes.filter((outcome) => outcome !== null))
      return accepted.length > 0
    })
    return accepted[0]!
  }
  const deliveries = baskets.map(deliverToBoth)
  await until(async () => (await sql`select from payment_events`).length > 0)
  await one.stop('SIGKILL')
  one = await startWeb(t, url, environment)
  await other.stop('SIGKILL')
  other = await startWeb(t, url, environment)
  t.same(new Set(await Promise.all(deliveries)), new Set(['completed']))

  t.match(await sql`select booked, held from timeslots`, [{ booked: 80, held: 0 }])
  await Promise.all([1, 2].map(() => pumpEvents(sql)))
  const [entries] =
    await sql`select count(*)::int, count(distinct extra_info)::int as baskets from meter_entries`
  t.same(entries, { count: 40, baskets: 40 })
  t.same(await listCounterDifferences(sql, accountId), [])
})
