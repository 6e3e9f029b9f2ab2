/** Fixtures for tests of baskets: an operator with a product, and short functions to hold, pay and read. */
import type { Test } from 'tap'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { sign } from '../../../src/sales/payment/model.ts'
import { createSecret } from '../../../src/sales/payment/secrets.ts'
import { build, makeCaller, makeProduct } from '../../helper.ts'

export const secretKey = 'a secret key of the tests, 32 or more'
export const operatorPath = '/api/v2/operator'
export const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }

type Body = Record<string, unknown>

/**
 * Makes an operator, a product at 45.00 EUR with timeslots at 10:00 (8 places) and 12:00 (4), and a secret that
 * signs payment events; returns functions that send requests.
 */
export async function harbour(t: Test, environment: Record<string, string> = { SECRET_KEY: secretKey }) {
  const built = await build(t, { environment })
  const { app, sql } = built
  const { accountId, headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['operator'] })
  const slots = { '2030-06-15 10:00': 8, '2030-06-15 12:00': 4 }
  const product = await makeProduct(sql, accountId, { name: 'Kayak', slots })
  const secret = await createSecret(sql, secretKey, accountId)

  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: Body, more: Body = {}) =>
    app.inject({
      method,
      url: operatorPath + path,
      headers: { ...headers, ...(more as Record<string, string>) },
      ...(payload && { payload }),
    })
  const post = (path: string, payload: Body = {}, more: Body = {}) => call('POST', path, payload, more)
  const line = (changes: Body = {}) => ({
    ActivityID: product.activityId,
    Date: '2030-06-15',
    Time: '10:00',
    Participants: 2,
    ...changes,
  })
  const hold = async (lines: Body[] = [{}], changes: Body = {}): Promise<BasketView> => {
    const payload = { Channel: 'online', Lines: lines.map(line), Customer: customer, ...changes }
    const answer = await post('/baskets', payload)
    t.equal(answer.statusCode, 201, answer.body)
    return answer.json().data
  }
  const event = ({ BasketID, Total }: BasketView, changes: Body = {}): Body => ({
    ID: 'evt_1',
    Account: 'harbour',
    Type: 'succeeded',
    BasketID,
    Amount: Total?.Amount ?? '0',
    Currency: Total?.Currency ?? 'EUR',
    ...changes,
  })
  const sendSigned = (body: string, signature: string | undefined) =>
    app.inject({
      method: 'POST',
      url: '/api/v2/payments/events',
      headers: { 'content-type': 'application/json', ...(signature && { 'payment-signature': signature }) },
      payload: body,
    })
  return {
    ...built,
    ...product,
    accountId,
    headers,
    secret,
    call,
    post,
    line,
    hold,
    event,
    sendSigned,
    /** Sends a signed payment event, as the provider does. */
    sendPaymentEvent(basket: BasketView, changes: Body = {}) {
      const body = JSON.stringify(event(basket, changes))
      return sendSigned(body, sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body)))
    },
    read: async ({ BasketID }: { BasketID: number }): Promise<BasketView> =>
      (await call('GET', `/baskets/${BasketID}`)).json().data,
    /** Makes a basket expire. */
    expireBasket: ({ BasketID }: BasketView) =>
      sql`update baskets set expires_at = now() - interval '1 second' where id = ${BasketID}`,
    /** Sells all places that are free on the timeslot at this time. */
    sellOut: async (Time: string) => {
      const [slot] = await sql<{ free: number }[]>`
        select capacity - booked - held as free from timeslots where time = ${Time}`
      const sale = { ...line({ Time, Participants: slot!.free }), Payment: { Method: 'cash' } }
      const answer = await post('/bookings', sale)
      t.equal(answer.statusCode, 201, answer.body)
    },
    counters: async (time = '10:00') => {
      const [slot] = await sql<{ booked: number; held: number }[]>`
        select booked, held from timeslots where time = ${time}`
      return slot!
    },
    /** The BasketIDs of all events that are metered as a completed sale, oldest first. */
    metered: async () => {
      const rows = await sql<{ id: number }[]>`
        select basket_id as id from events
        where type = 'basket.completed' or type = 'booking.confirmed' and actor = 'partner' order by events.id`
      return rows.map(({ id }) => id)
    },
  }
}

export const statuses = ({ Lines }: BasketView) => Lines.map(({ Status }) => Status)
