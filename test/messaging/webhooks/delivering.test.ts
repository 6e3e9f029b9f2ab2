/** What an endpoint gets, and what happens to deliveries that it does not accept. */
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { until } from '../../until.ts'
import { buildQuayWithWebhooks, openReceiver } from './fixtures.ts'

t.test('an endpoint', async (t) => {
  const { book, deliver, makeEndpoint, sql, accountId } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  const { secret } = await makeEndpoint(receiver.url, { types: ['booking.*'], body: 'full' })

  t.test('gets the event of a booking, signed by the Standard Webhooks specification', async (t) => {
    const reference = await book()
    await deliver()
    t.same(receiver.types(), ['booking.confirmed'])
    const [one] = receiver.received
    t.equal(one!.body.data.BookingReference, reference)
    t.match(one!.body.data.Booking, { BookingReference: reference, Customer: { FirstName: 'Ada' } })
    t.ok(new Webhook(secret).verify(one!.text, one!.headers as Record<string, string>))
  })

  t.test('gets nothing twice', async (t) => {
    await deliver()
    t.equal(receiver.received.length, 1)
  })

  t.test('gets an event again with the same id after a failure', async (t) => {
    receiver.received.length = 0
    receiver.answer = (response) => response.writeHead(500).end('no')
    await book()
    await deliver()
    t.equal(receiver.received.length, 1)
    const [failed] =
      await sql`select http_status, answer, tries, status from webhook_deliveries order by id desc limit 1`
    t.match(failed, { http_status: 500, answer: 'no', tries: 1, status: 'pending' })
    receiver.answer = (response) => response.writeHead(200).end()
    await sql`
      update webhook_deliveries set next_try_at = app_now() where account_id = ${accountId} and status = 'pending'`
    await deliver()
    const [first, second] = receiver.received
    t.equal(second!.headers['webhook-id'], first!.headers['webhook-id'])
    const [row] = await sql`select unfinished from webhook_endpoints where account_id = ${accountId}`
    t.equal(row!.unfinished, 0)
  })
})

t.test('changes of one day are gathered into one delivery of its availability', async (t) => {
  const { book, deliver, makeEndpoint, product } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  await makeEndpoint(receiver.url, { types: ['availability.changed'], body: 'full' })
  for (let booked = 0; booked < 20; booked++) await book()
  await deliver()
  await until(() => receiver.received.length > 0)
  t.equal(receiver.received.length, 1)
  t.match(receiver.received[0]!.body, {
    type: 'availability.changed',
    data: { ActivityID: product.activityId, Date: '2030-06-15', Timeslots: [{ Available: 960 }] },
  })
})
