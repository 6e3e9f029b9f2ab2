/** What an endpoint gets. */
import t from 'tap'
import { buildQuayWithWebhooks, openReceiver } from './fixtures.ts'

t.test('an endpoint', async (t) => {
  const { book, deliver, makeEndpoint } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  await makeEndpoint(receiver.url, { types: ['booking.*'], body: 'full' })

  t.test('gets the event of a booking, with the whole booking if it asks for full bodies', async (t) => {
    const reference = await book()
    await deliver()
    t.same(receiver.types(), ['booking.confirmed'])
    const [one] = receiver.received
    t.equal(one!.body.data.BookingReference, reference)
    t.match(one!.body.data.Booking, { BookingReference: reference, Customer: { FirstName: 'Ada' } })
  })

  t.test('gets nothing twice', async (t) => {
    await deliver()
    t.equal(receiver.received.length, 1)
  })
})
