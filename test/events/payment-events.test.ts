/** Events of payments: each accepted event of a provider, refunds that are due, and refunds that were paid. */
import t, { type Test } from 'tap'
import { harbour } from '../sales/basket/fixtures.ts'
import { listLogged } from './fixtures.ts'

async function prepare(t: Test) {
  const desk = await harbour(t)
  const basket = await desk.hold()
  const [key] = await desk.sql<{ id: number }[]>`select id from api_keys`
  const of = { actor: 'payment', productId: null, timeslotId: null, basketId: basket.BasketID }
  const received = (Type: string, Outcome: string, Amount = '90.00') => {
    return { ...of, type: 'payment.received', details: { Amount, Currency: 'EUR', Type, Outcome } }
  }
  const taken = {
    ...of,
    type: 'payment.taken',
    details: { Method: 'online', Amount: '90.00', Currency: 'EUR' },
  }
  return {
    ...desk,
    basket,
    of,
    received,
    taken,
    keyId: key!.id,
    look: () => listLogged(desk.sql, ['payment', 'refund']),
  }
}

t.test('a payment event that is received twice is in the log once', async (t) => {
  const { basket, sendPaymentEvent, received, taken, look } = await prepare(t)
  for (const _ of [1, 2]) t.equal((await sendPaymentEvent(basket)).statusCode, 200)
  t.same(await look(), [taken, received('succeeded', 'completed')])
})

t.test(
  'two payments that failed are both in the log: the first releases the basket, the second is ignored',
  async (t) => {
    const { basket, sendPaymentEvent, received, look } = await prepare(t)
    await sendPaymentEvent(basket, { Type: 'failed' })
    await sendPaymentEvent(basket, { ID: 'evt_2', Type: 'failed' })
    t.same(await look(), [received('failed', 'released'), received('failed', 'ignored')])
  },
)

t.test(
  'a payment of the wrong amount makes a refund due, and marking it as paid back twice is in the log once',
  async (t) => {
    const { basket, sendPaymentEvent, post, of, received, look, keyId } = await prepare(t)
    await sendPaymentEvent(basket, { Amount: '80.00' })
    const due = [
      received('succeeded', 'refund-due', '80.00'),
      { ...of, type: 'refund.due', details: { Reason: 'amount-differs' } },
    ]
    t.same(await look(), due)
    for (const status of [200, 409])
      t.equal(
        (await post(`/baskets/${basket.BasketID}/refunded`, { Payments: ['evt_1'] })).statusCode,
        status,
      )
    const details = { Amount: '80.00', Currency: 'EUR' }
    t.same(await look(), [...due, { ...of, type: 'refund.done', actor: `key ${keyId}`, details }])
  },
)

t.test('a second payment of a completed basket makes a refund due', async (t) => {
  const { basket, sendPaymentEvent, of, received, taken, look } = await prepare(t)
  await sendPaymentEvent(basket)
  await sendPaymentEvent(basket, { ID: 'evt_2' })
  t.same(await look(), [
    taken,
    received('succeeded', 'completed'),
    received('succeeded', 'refund-due'),
    { ...of, type: 'refund.due', details: { Reason: 'paid-twice' } },
  ])
})

t.test('an event about an unknown basket gets 404 and is not in the log', async (t) => {
  const { basket, sendPaymentEvent, look } = await prepare(t)
  t.equal((await sendPaymentEvent({ ...basket, BasketID: 999 })).statusCode, 404)
  t.same(await look(), [])
})
