/** Which deliveries `webhooks listen` accepts, and how it prints them. */
import t from 'tap'
import { signWebhook } from '../../../../src/messaging/webhooks/endpoints/model.ts'
import { describeWebhook, webhookFault } from '../../../../src/messaging/webhooks/listening/model.ts'

const [secret, other] = ['right', 'other'].map(
  (text) => `whsec_${Buffer.from(text.repeat(6)).toString('base64')}`,
)
const now = 1_800_000_000
const body = '{"type":"webhook.test","timestamp":"2027-01-15T08:00:00.000Z","data":{}}'

function signed(secrets: string[], timestamp = now) {
  const messageId = 'test_1'
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(secrets, { messageId, timestamp, body }),
  }
}

t.test('a delivery is accepted when one of its signatures is right', async (t) => {
  t.equal(webhookFault(secret!, { headers: signed([secret!]), body }, now), null)
  t.equal(webhookFault(secret!, { headers: signed([other!, secret!]), body }, now), null)
})

t.test('a delivery that was signed with another secret or for another body is refused', async (t) => {
  t.match(webhookFault(secret!, { headers: signed([other!]), body }, now), /signature/)
  t.match(webhookFault(secret!, { headers: signed([secret!]), body: `${body} ` }, now), /signature/)
  t.match(
    webhookFault(secret!, { headers: { ...signed([secret!]), 'webhook-signature': 'v1,' }, body }, now),
    /signature/,
  )
})

t.test('a delivery is refused when its time is more than five minutes off', async (t) => {
  for (const seconds of [-301, 301])
    t.match(webhookFault(secret!, { headers: signed([secret!], now + seconds), body }, now), /five minutes/)
  for (const seconds of [-299, 299])
    t.equal(webhookFault(secret!, { headers: signed([secret!], now + seconds), body }, now), null)
})

t.test('a delivery without one of the three headers is refused', async (t) => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    t.match(
      webhookFault(secret!, { headers: { ...signed([secret!]), [name]: undefined }, body }, now),
      /lacks/,
    )
})

t.test('a line has the time, the event and its subject; a change of all days has Date=all', async (t) => {
  const data = { ProductID: 3, Date: null, Details: {}, Booking: { Total: {} } }
  const timestamp = '2027-01-15T08:00:00.000Z'
  t.equal(
    describeWebhook('avl_1', JSON.stringify({ type: 'availability.changed', timestamp, data })),
    '2027-01-15T08:00:00.000Z  availability.changed      avl_1  ProductID=3  Date=all',
  )
  t.match(
    describeWebhook(
      'evt_1',
      JSON.stringify({ type: 'booking.amended', timestamp, data: { Details: { From: 1 } } }),
    ),
    /Details=\{"From":1\}$/,
  )
})
