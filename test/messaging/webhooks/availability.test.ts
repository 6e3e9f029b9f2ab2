/** Changes of availability are gathered by product and day, and none is lost. */
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { bookingBody } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'
import { buildQuayWithWebhooks, makeDue, openReceiver, settled } from './fixtures.ts'

t.test(
  'a hundred bookings of a timeslot make one delivery, with the free places after all of them',
  async (t) => {
    const { book, deliver, deliverAll, receiver, sql, product } = await open(t)
    for (let booked = 0; booked < 100; booked++) {
      await book({ Participants: 1 })
      if (booked % 10 === 0) await pumpEvents(sql)
    }
    await deliver()
    await deliverAll()
    t.equal(receiver.received.length, 1)
    t.match(receiver.received[0]!.body, {
      type: 'availability.changed',
      data: { ActivityID: product.activityId, Date: '2030-06-15', Timeslots: [{ Available: 900 }] },
    })
    t.match(receiver.received[0]!.headers['webhook-id'], /^avl_/)
  },
)

t.test('a booking that is moved reports both days', async (t) => {
  const { app, book, deliverAll, headers, receiver } = await open(t)
  const reference = await book()
  await deliverAll()
  receiver.received.length = 0
  const url = `/api/v2/operator/bookings/${reference}/move`
  const payload = { Date: '2030-06-16', Time: '10:00' }
  t.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 200)
  await deliverAll()
  const reported = receiver.received.map(({ body }) => [
    body.data.Date,
    (body.data.Timeslots as { Available: number }[])[0]!.Available,
  ])
  t.same(reported.sort(), [
    ['2030-06-15', 1000],
    ['2030-06-16', 998],
  ])
})

t.test('a check-in sends no change of availability', async (t) => {
  const { deliverAll, recordEvents, receiver } = await open(t)
  await recordEvents({ type: 'booking.checked-in', details: {}, bookingId: 1, timeslotId: 1 })
  await deliverAll()
  t.same(receiver.received, [])
})

t.test('joining the waitlist and taking an offer send no change of availability', async (t) => {
  const { app, book, deliverAll, headers, product, receiver, sql } = await open(t)
  await sql`update timeslots set capacity = 2`
  const reference = await book({ Participants: 2 })
  await deliverAll()
  const post = async (path: string, payload: object = {}) => {
    const url = `/api/v2/operator/${path}`
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    t.match(answer.statusCode, /^20[01]$/, answer.body)
    return answer.json().data
  }
  const sentBy = async (work: () => Promise<unknown>) => {
    receiver.received.length = 0
    await work()
    await deliverAll()
    return receiver.received.length
  }
  let entry = 0
  const join = async () => {
    const party = { ...bookingBody(product.activityId), Participants: 2 }
    entry = (await post('waitlist', party)).WaitlistID
  }
  t.equal(await sentBy(join), 0, 'joining')
  t.equal(await sentBy(() => post(`bookings/${reference}/cancel`, { By: 'operator' })), 1, 'cancelling')
  t.equal(
    (await app.inject({ url: `/api/v2/operator/waitlist/${entry}`, headers })).json().data.Status,
    'offered',
  )
  t.equal(await sentBy(() => post(`waitlist/${entry}/take`)), 0, 'taking the offer')
})

t.test('a change of availability is sent when a party with an offer leaves the waitlist', async (t) => {
  const { app, book, deliverAll, headers, product, receiver, sql } = await open(t)
  await sql`update timeslots set capacity = 2`
  const reference = await book({ Participants: 2 })
  const post = (path: string, payload: object = {}) =>
    app.inject({ method: 'POST', url: `/api/v2/operator/${path}`, headers, payload })
  const party = { ...bookingBody(product.activityId), Participants: 2 }
  const { WaitlistID } = (await post('waitlist', party)).json().data
  await post(`bookings/${reference}/cancel`, { By: 'operator' })
  await deliverAll()
  receiver.received.length = 0
  t.equal((await post(`waitlist/${WaitlistID}/leave`)).statusCode, 200)
  await deliverAll()
  t.match(receiver.received, [{ body: { data: { Date: '2030-06-15', Timeslots: [{ Available: 2 }] } } }])
})

t.test('a day that changes again during its delivery is delivered once more afterwards', async (t) => {
  const { book, deliver, deliverAll, receiver, sql, services } = await open(t)
  const answers: ServerResponse[] = []
  receiver.answer = (response) => answers.push(response)
  await book()
  const first = deliverAll()
  await until(() => answers.length === 1)
  await book()
  await pumpEvents(sql)
  await services.webhooks.run()
  await makeDue(sql)
  await services.webhooks.run()
  t.equal(answers.length, 1)
  receiver.answer = (response) => response.writeHead(204).end()
  answers[0]!.writeHead(204).end()
  await first
  await deliver()
  await settled(sql)
  t.same(
    receiver.received.map(({ body }) => (body.data.Timeslots as { Available: number }[])[0]!.Available),
    [998, 996],
  )
})

t.test(
  'while the delivery of a day fails, later changes of the day make only one more delivery',
  async (t) => {
    const { book, deliverAll, receiver, sql } = await open(t)
    receiver.answer = (response) => response.writeHead(500).end()
    for (let booked = 0; booked < 5; booked++) {
      await book()
      await deliverAll()
    }
    t.equal((await sql`select from webhook_deliveries`).length, 2)
    receiver.received.length = 0
    receiver.answer = (response) => response.writeHead(204).end()
    await deliverAll()
    await deliverAll()
    const last = receiver.received.at(-1)!.body.data.Timeslots
    t.match(last, [{ Available: 990 }])
  },
)

t.test(
  'a change of availability is not lost while a worker claims the delivery of the same day',
  async (t) => {
    const { accountId, book, deliverAll, openWorker, receiver, sql, services } = await open(t)
    const worker = await openWorker()
    const rounds = 25
    for (let round = 0; round < rounds; round++) {
      await book({ Participants: 1 })
      await pumpEvents(sql)
      await makeDue(sql)
      await Promise.all([services.webhooks.run([accountId]), worker.run([])])
    }
    await deliverAll()
    await deliverAll()
    t.match(receiver.received.at(-1)!.body.data.Timeslots, [{ Available: 1000 - rounds }])
  },
)

async function open(t: Test) {
  const built = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  await built.makeEndpoint(receiver.url, { types: ['availability.changed'], body: 'full' })
  return { ...built, receiver }
}
