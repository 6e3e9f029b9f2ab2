/** Marking payments as refunded by their IDs, and the list of payments that are due to be refunded. */
import t, { type Test } from 'tap'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { bookingBody, bookingPath, makeCaller } from '../../helper.ts'
import { harbour } from '../basket/fixtures.ts'

/** A basket with the payment `evt_1`, whose amount differs from the total and is due to be refunded. */
async function withRefundDue(t: Test) {
  const desk = await harbour(t)
  const { hold, sendPaymentEvent, post, call } = desk
  const basket = await hold()
  await sendPaymentEvent(basket, { Amount: '80.00' })
  const markRefunded = (Payments: unknown, { BasketID } = basket, headers: Record<string, string> = {}) =>
    post(`/baskets/${BasketID}/refunded`, { Payments }, headers)
  const listDue = async (query = ''): Promise<BasketView[]> =>
    (await call('GET', `/baskets?RefundDue=true${query}`)).json().data
  const refundedAt = async () =>
    Object.fromEntries((await desk.read(basket)).Payments.map(({ ID, RefundedAt }) => [ID, RefundedAt]))
  return { ...desk, basket, markRefunded, listDue, refundedAt }
}

t.test(
  'a payment that arrives after the operator read the list stays due until a request names it',
  async (t) => {
    const { basket, sendPaymentEvent, markRefunded, listDue, refundedAt, read, sql } = await withRefundDue(t)
    const [seen] = await listDue()
    await sendPaymentEvent(basket, { ID: 'evt_2' })
    const answer = await markRefunded(seen!.Payments.map(({ ID }) => ID))
    t.equal(answer.statusCode, 200)
    t.match(await refundedAt(), { evt_1: String, evt_2: null })
    t.match(await listDue(), [{ BasketID: basket.BasketID, Status: 'refund-due' }])
    t.equal((await markRefunded(['evt_2'])).json().data.Status, 'refunded')
    t.same(await listDue(), [])
    t.match(await read(basket), {
      Status: 'refunded',
      Payments: [{ RefundedAt: String }, { RefundedAt: String }],
    })
    t.equal((await sql`select from events where type = 'refund.done'`).length, 2)
  },
)

t.test(
  'a request that names no payments, invalid payments or too many gets 422, and marks none',
  async (t) => {
    const { basket, post, markRefunded, refundedAt } = await withRefundDue(t)
    const answers = [
      await post(`/baskets/${basket.BasketID}/refunded`),
      await markRefunded([]),
      await markRefunded('evt_1'),
      await markRefunded([1]),
      await markRefunded(['evt_1', 'evt_1']),
      await markRefunded(['evt_1\u0000']),
      await markRefunded(Array.from({ length: 101 }, (_, index) => `evt_${index}`)),
    ]
    for (const answer of answers) {
      t.equal(answer.statusCode, 422)
      t.match(answer.json().errors, [{ field: /^Payments/ }])
    }
    t.same(await refundedAt(), { evt_1: null })
  },
)

t.test('422 names each payment that does not belong to the basket, and none is marked', async (t) => {
  const { hold, sendPaymentEvent, markRefunded, refundedAt } = await withRefundDue(t)
  const other = await hold()
  await sendPaymentEvent(other, { ID: 'evt_2', Amount: '1.00' })
  const answer = await markRefunded(['evt_1', 'evt_2', 'evt_9'])
  t.equal(answer.statusCode, 422)
  t.same(answer.json().errors, [
    { field: 'Payments[1]', message: 'is not a payment of this basket' },
    { field: 'Payments[2]', message: 'is not a payment of this basket' },
  ])
  t.same(await refundedAt(), { evt_1: null })
})

t.test(
  '409 no-refund-due names payments that bought something or were refunded, and none is marked',
  async (t) => {
    const { hold, sendPaymentEvent, markRefunded, read } = await withRefundDue(t)
    const paid = await hold()
    for (const ID of ['evt_2', 'evt_3', 'evt_4']) await sendPaymentEvent(paid, { ID })
    t.equal((await markRefunded(['evt_3'], paid)).statusCode, 200)
    const answer = await markRefunded(['evt_2', 'evt_3', 'evt_4'], paid)
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), { type: /no-refund-due$/, Status: 'completed', Payments: ['evt_2', 'evt_3'] })
    t.match((await read(paid)).Payments, [{ RefundedAt: null }, { RefundedAt: String }, { RefundedAt: null }])
  },
)

t.test(
  'a request with an Idempotency-Key marks payments once, and the key is refused for other payments',
  async (t) => {
    const { basket, sendPaymentEvent, markRefunded } = await withRefundDue(t)
    await sendPaymentEvent(basket, { ID: 'evt_2' })
    const key = { 'idempotency-key': 'refund-1' }
    const first = await markRefunded(['evt_1'], basket, key)
    const again = await markRefunded(['evt_1'], basket, key)
    t.equal(again.statusCode, 200)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.same(again.json(), first.json())
    t.match((await markRefunded(['evt_2'], basket, key)).json(), { type: /idempotency-key-reused$/ })
  },
)

t.test(
  'a payment for a reseller’s reservation is refund-due, also after the reservation was cancelled',
  async (t) => {
    const { app, sql, activityId, sendPaymentEvent, markRefunded, listDue, read } = await withRefundDue(t)
    const { headers } = await makeCaller(sql, { slug: 'harbour', partner: 'Atlas', scopes: ['ota'] })
    const places = { productId: activityId, optionId: 'DEFAULT', availabilityId: '2030-06-15T10:00:00+01:00' }
    const payload = { ...places, unitItems: [{ unitId: '0' }] }
    const reserved = await app.inject({ method: 'POST', url: '/octo/bookings', headers, payload })
    t.equal(reserved.statusCode, 200, reserved.body)
    const [row] = await sql<{ BasketID: number }[]>`
    select basket_id as "BasketID" from bookings where channel = 'partner'`
    const held = await read(row!)
    const paid = (BasketStatus: string) => ({ Outcome: 'refund-due', BasketStatus })
    t.match((await sendPaymentEvent(held, { ID: 'evt_2' })).json().data, paid('open'))
    t.match(await listDue('&Status=open'), [{ BasketID: held.BasketID, Status: 'open', Channel: 'partner' }])
    t.equal((await markRefunded(['evt_2'], held)).statusCode, 200)
    t.same(await listDue('&Status=open'), [])
    await app.inject({ method: 'DELETE', url: `/octo/bookings/${reserved.json().uuid}`, headers })
    t.match((await sendPaymentEvent(held, { ID: 'evt_3' })).json().data, paid('cancelled'))
    t.match(await listDue('&Status=cancelled'), [
      { BasketID: held.BasketID, Status: 'cancelled', Payments: [{}, { RefundReason: 'not-payable' }] },
    ])
    t.same(await listDue('&Status=completed'), [])
  },
)

t.test('a payment that names a partner’s booking is in the list of payments to refund', async (t) => {
  const { app, sql, activityId, sendPaymentEvent, markRefunded, listDue, call, post, read, basket } =
    await withRefundDue(t)
  const { headers } = await makeCaller(sql, { slug: 'harbour', partner: 'Atlas', scopes: ['ota'] })
  const sold: BasketView[] = []
  for (const ID of ['evt_2', 'evt_3']) {
    const payload = bookingBody(activityId, { Participants: 1 })
    const booked = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
    t.equal(booked.statusCode, 201, booked.body)
    const [row] = await sql<{ BasketID: number }[]>`
      select basket_id as "BasketID" from bookings where channel = 'partner' order by id desc limit 1`
    sold.push(await read(row!))
    t.match((await sendPaymentEvent(sold.at(-1)!, { ID })).json().data, {
      Outcome: 'refund-due',
      BasketStatus: 'completed',
    })
  }
  const due = await listDue()
  const ids = [...sold, basket].map(({ BasketID }) => BasketID).sort((one, other) => other - one)
  t.same(
    due.map(({ BasketID }) => BasketID),
    ids,
  )
  t.match(
    due.filter(({ Channel }) => Channel === 'partner'),
    [
      { Status: 'completed', Payments: [{ Outcome: 'refund-due' }] },
      { Status: 'completed', Payments: [{ Outcome: 'refund-due' }] },
    ],
  )
  t.equal((await listDue('&Status=completed')).length, 2)
  t.equal((await listDue('&Status=refund-due')).length, 1)

  t.test('the list can be read page by page', async (t) => {
    const seen: number[] = []
    for (let path = '/baskets?RefundDue=true&Limit=1'; path !== ''; ) {
      const page = await call('GET', path)
      seen.push(...page.json().data.map(({ BasketID }: BasketView) => BasketID))
      path = /operator([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
    }
    t.same(seen, ids)
  })

  t.test('a payment leaves the list when it is marked as paid back', async (t) => {
    t.match((await markRefunded(['evt_2'], sold[0])).json().data, { Status: 'completed', Channel: 'partner' })
    t.equal((await markRefunded(['evt_2'], sold[0])).statusCode, 409)
    t.same(
      (await listDue()).map(({ BasketID }) => BasketID),
      ids.filter((id) => id !== sold[0]!.BasketID),
    )
    const all = (await call('GET', '/baskets')).json().data
    t.same(
      all.map(({ BasketID }: BasketView) => BasketID),
      [basket.BasketID],
      'the list of all baskets has only the operator’s own sales',
    )
  })

  t.test('a payment is in the list again after its mark is undone', async (t) => {
    const { BasketID } = sold[0]!
    const undo = () =>
      post(`/baskets/${BasketID}/refunded/undo`, { Payment: 'evt_2', Reason: 'Another customer' })
    const undone = await undo()
    t.equal(undone.statusCode, 200, undone.body)
    t.match(undone.json().data, { BasketID, PaymentID: 'evt_2', Status: 'due' })
    t.same(
      (await listDue()).map(({ BasketID }) => BasketID),
      ids,
    )
    t.equal((await undo()).statusCode, 409)
  })
})
