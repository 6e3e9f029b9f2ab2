/** The order of an endpoint's deliveries, and which ones a failing delivery delays. */
import t from 'tap'
import { buildQuayWithWebhooks, makeDue, openReceiver, type Received, settled } from './fixtures.ts'

t.test('a booking whose event cannot be delivered', async (t) => {
  const { book, cancel, deliver, deliverAll, makeEndpoint, sql } = await open(t)
  const receiver = await openReceiver(t)
  await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const [unlucky, lucky] = [await book(), await book()]
  const isUnlucky = ({ body }: Received) => body.data.BookingReference === unlucky
  receiver.answer = (response, request) => response.writeHead(isUnlucky(request) ? 503 : 204).end()
  await cancel(unlucky)
  await cancel(lucky)

  t.test('delays its own later events, and no other booking', async (t) => {
    await deliver()
    t.same(receiver.received.map(({ body }) => [body.data.BookingReference === lucky, body.type]).sort(), [
      [false, 'booking.confirmed'],
      [true, 'booking.cancelled'],
      [true, 'booking.confirmed'],
    ])
  })

  t.test('has its event sent with the same id at each try', async (t) => {
    await makeDue(sql)
    await deliver()
    const ids = receiver.received.filter(isUnlucky).map(({ headers }) => headers['webhook-id'])
    t.equal(ids.length, 2)
    t.equal(new Set(ids).size, 1)
    t.match(ids[0], /^evt_\d+_\d+$/)
  })

  t.test('has its events delivered in order once the receiver accepts them', async (t) => {
    receiver.received.length = 0
    receiver.answer = (response) => response.writeHead(200).end()
    await deliverAll()
    t.same(receiver.types(), ['booking.confirmed', 'booking.cancelled'])
    t.same(await sql`select from webhook_deliveries where status <> 'delivered'`, [])
  })
})

t.test('a delivery that still fails after three days', async (t) => {
  const { book, cancel, deliver, endpointOf, makeEndpoint, sql } = await open(t)
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const unlucky = await book()
  await cancel(unlucky)
  receiver.answer = (response, { body }) =>
    response.writeHead(body.type === 'booking.confirmed' ? 500 : 204).end('not mine')
  await deliver()
  await sql`
    update webhook_deliveries set first_tried_at = app_now() - interval '3 days', next_try_at = app_now()
    where tries > 0`
  await deliver()

  t.test(
    'is set aside and listed with the last response, and later events of its booking arrive',
    async (t) => {
      t.same(receiver.types(), ['booking.confirmed', 'booking.confirmed', 'booking.cancelled'])
      const rows = await sql`
      select type, status, tries, http_status, answer, finished_at is not null as is_finished
      from webhook_deliveries order by id`
      t.match(rows, [
        { type: 'booking.confirmed', status: 'failed', tries: 2, http_status: 500, answer: 'not mine' },
        { type: 'booking.cancelled', status: 'delivered', tries: 1, http_status: 204 },
      ])
      t.ok(rows.every(({ is_finished }) => is_finished))
    },
  )

  t.test('does not pause an endpoint that accepts others', async (t) => {
    t.match(await endpointOf(id), { status: 'active', unfinished: 0, setAside: 1 })
  })
})

t.test('a receiver’s Retry-After is honoured, up to an hour', async (t) => {
  const { book, deliver, makeEndpoint, sql } = await open(t)
  const receiver = await openReceiver(t)
  await makeEndpoint(receiver.url, { types: ['booking.*'] })
  for (const [asked, least, most] of [
    [600, 599, 600],
    [86_400, 3599, 3600],
  ] as const) {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': String(asked) }).end()
    await sql`update webhook_deliveries set status = 'failed', finished_at = app_now()`
    await book()
    await deliver()
    const [row] = await sql<[{ seconds: number }]>`
      select extract(epoch from next_try_at - first_tried_at)::float8 as seconds
      from webhook_deliveries where status = 'pending'`
    t.ok(row.seconds > least && row.seconds < most + 1, `${row.seconds}`)
  }
})

t.test('after six failures in a row, a success', async (t) => {
  const { deliver, endpointOf, recordEvents, makeEndpoint, sql } = await open(t)
  const receiver = await openReceiver(t)
  receiver.answer = (response, { body }) =>
    response.writeHead(Number(body.data.Number) <= 6 ? 500 : 204).end()
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  await recordEvents(...checkIns(7))
  await deliver()

  t.test('does not send the refused deliveries again before they are due', async (t) => {
    t.match(await endpointOf(id), { unfinished: 6, failingSince: null })
    t.equal(receiver.received.length, 7)
  })

  t.test('sends all of them at once if the endpoint had been failing for five minutes', async (t) => {
    await sql`update webhook_endpoints set failures = 6, failing_since = app_now() - interval '5 minutes'`
    receiver.answer = (response) => response.writeHead(204).end()
    await recordEvents({ type: 'booking.checked-in', details: {}, bookingId: 8 })
    await deliver()
    t.match(await endpointOf(id), { unfinished: 0, failingSince: null })
  })
})

t.test('while a thousand deliveries are unfinished', async (t) => {
  const { deliver, endpointOf, recordEvents, makeEndpoint, sql } = await open(t)
  const receiver = await openReceiver(t)
  receiver.answer = (response) => response.writeHead(500, { 'retry-after': '3600' }).end()
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const events = 2500
  await recordEvents(...checkIns(events))

  t.test('the position of the endpoint stays before the end of the log', async (t) => {
    await deliver()
    const endpoint = await endpointOf(id)
    t.ok(endpoint!.unfinished > 0 && endpoint!.unfinished <= 1000, `${endpoint!.unfinished}`)
    t.ok(endpoint!.position < events, `${endpoint!.position}`)
  })

  t.test('the position moves on when they are accepted, and every event arrives once', async (t) => {
    receiver.received.length = 0
    receiver.answer = (response) => response.writeHead(204).end()
    await makeDue(sql)
    await deliver()
    const numbers = receiver.received.map(({ body }) => Number(body.data.Number)).sort((a, b) => a - b)
    t.same(
      numbers,
      Array.from({ length: events }, (_, index) => index + 1),
    )
    t.match(await endpointOf(id), { unfinished: 0, position: events })
  })
})

t.test('an endpoint with few types of events reaches the end of a long log', async (t) => {
  const { deliver, endpointOf, recordEvents, makeEndpoint } = await open(t)
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['product.made'] })
  await recordEvents(...checkIns(450))
  await recordEvents({ type: 'product.made', details: {}, productId: 1 })
  await deliver()
  t.same(receiver.types(), ['product.made'])
  t.match(await endpointOf(id), { position: 451, end: 451 })
})

t.test(
  'deliveries that wait behind earlier ones of the same booking do not delay another endpoint',
  async (t) => {
    const { accountId, deliver, recordEvents, makeEndpoint, sql } = await open(t)
    const failing = await openReceiver(t)
    failing.answer = (response) => response.writeHead(500).end()
    for (let made = 0; made < 19; made++) await makeEndpoint(failing.url, { types: ['booking.*'] })
    const partners = await sql<{ partnerId: number }[]>`
    insert into partners (account_id, name) select ${accountId}, 'Partner ' || n from generate_series(1, 3) as n
    returning id as "partnerId"`
    const owners = [{ partnerId: 0 }, ...partners]
    for (const { partnerId } of owners)
      for (let made = 0; made < 5; made++)
        await makeEndpoint(failing.url, { types: ['booking.*'], partnerId })
    const last = await openReceiver(t)
    await makeEndpoint(last.url, { types: ['product.made'] })
    for (const { partnerId } of owners)
      for (const type of ['booking.checked-in', 'booking.no-show'] as const)
        await recordEvents({ type, details: {}, bookingId: partnerId + 1, partnerId })
    await deliver()
    t.equal((await sql`select from webhook_deliveries where tries = 0`).length > 32, true)
    await recordEvents({ type: 'product.made', details: {}, productId: 1 })
    await deliver()
    await settled(sql)
    t.same(last.types(), ['product.made'])
  },
)

function checkIns(count: number) {
  return Array.from({ length: count }, (_, index) => {
    return { type: 'booking.checked-in' as const, details: {}, bookingId: index + 1 }
  })
}

async function open(t: Parameters<typeof buildQuayWithWebhooks>[0]) {
  const built = await buildQuayWithWebhooks(t)
  const { app, headers } = built
  return {
    ...built,
    async cancel(reference: string) {
      const url = `/api/v2/operator/bookings/${reference}/cancel`
      const answer = await app.inject({ method: 'POST', url, headers, payload: {} })
      if (answer.statusCode !== 200) throw new Error(answer.body)
    },
  }
}
