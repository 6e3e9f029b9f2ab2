/** Several workers, several endpoints: leases, turns, and counters that stay exact. */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { advanceEndpoints } from '../../../src/messaging/webhooks/deliveries/advance-queries.ts'
import { claimDeliveries } from '../../../src/messaging/webhooks/deliveries/claim-queries.ts'
import { redeliver, replay, sendTest } from '../../../src/messaging/webhooks/deliveries/service.ts'
import {
  deleteEndpoint,
  pauseEndpoint,
  resumeEndpoint,
} from '../../../src/messaging/webhooks/endpoints/service.ts'
import type { Transaction } from '../../../src/platform/postgres/database.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'
import { buildQuayWithWebhooks, makeDue, openReceiver, settled } from './fixtures.ts'

t.test('two workers side by side deliver each event once', async (t) => {
  const { deliver, recordEvents, makeEndpoint, openWorker, services } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const worker = await openWorker()
  await recordEvents(...checkIns(600, 60))
  await Promise.all([deliver(), worker.run(), services.webhooks.run()])
  await worker.run()
  await deliver()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  t.equal(ids.length, 600)
  t.equal(new Set(ids).size, 600)
  const last = new Map<unknown, number>()
  for (const { body } of receiver.received) {
    const booking = (Number(body.data.Number) - 1) % 60
    t.ok(Number(body.data.Number) > (last.get(booking) ?? 0))
    last.set(booking, Number(body.data.Number))
  }
})

t.test('a delivery that a worker does not finish is tried by another worker with the same id', async (t) => {
  const { book, deliver, endpointOf, makeEndpoint, openWorker, sql } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const answers: ServerResponse[] = []
  receiver.answer = (response) => answers.push(response)
  await book()
  const delivering = deliver()
  await until(() => answers.length === 1)
  receiver.answer = (response) => response.writeHead(204).end()
  const worker = await openWorker()

  t.test('not before its lease is over', async (t) => {
    await worker.run()
    t.equal(receiver.received.length, 1)
  })

  t.test('and the outcome of the first worker’s try is ignored', async (t) => {
    await sql`update webhook_deliveries set next_try_at = app_now()`
    await worker.run()
    await settled(sql)
    answers[0]!.writeHead(500).end()
    await delivering
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id'])
    t.equal(first, second)
    t.match(await sql`select status, tries, http_status from webhook_deliveries`, [
      { status: 'delivered', tries: 1, http_status: 204 },
    ])
    t.match(await endpointOf(id), { unfinished: 0, failingSince: null })
  })
})

t.test('a worker that stops leaves unanswered deliveries to other workers', async (t) => {
  const { book, endpointOf, makeEndpoint, openWorker, sql } = await buildQuayWithWebhooks(t)
  const receiver = await openReceiver(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const answers: ServerResponse[] = []
  receiver.answer = (response) => answers.push(response)
  await book()
  await pumpEvents(sql)
  const worker = await openWorker()
  await worker.run()
  await until(() => answers.length === 1)
  await worker.drain()
  const rows = await sql`select status, tries, lease is not null as is_leased from webhook_deliveries`
  t.match(rows, [{ status: 'pending', tries: 0, is_leased: true }])
  t.match(await endpointOf(id), { unfinished: 1, failingSince: null })
  answers[0]!.writeHead(204).end()
})

t.test('an endpoint that never responds delays none of nineteen others', async (t) => {
  const { recordEvents, makeEndpoint, endpointOf, services, sql } = await buildQuayWithWebhooks(t)
  const hanging = await openReceiver(t)
  hanging.answer = () => {}
  const { id } = await makeEndpoint(hanging.url, { types: ['booking.*'] })
  const others = await openReceiver(t)
  for (let made = 0; made < 19; made++) await makeEndpoint(others.url, { types: ['booking.*'] })
  await recordEvents(...checkIns(100))
  await pumpEvents(sql)
  await services.webhooks.run()
  await until(() => others.received.length === 1900)
  t.ok(hanging.received.length > 0)
  t.match(await endpointOf(id), { unfinished: 100 })
})

t.test('the endpoints of an account share its limit of concurrent deliveries equally', async (t) => {
  const { recordEvents, makeEndpoint, sql } = await buildQuayWithWebhooks(t)
  for (let made = 0; made < 20; made++)
    await makeEndpoint('http://127.0.0.1:9/hook', { types: ['booking.*'] })
  await recordEvents(...checkIns(40))
  await pumpEvents(sql)
  await advanceEndpoints(sql, { after: null, accountIds: null })
  const room = { after: null, underWay: [], maxOfAccount: 64, most: 32, maxOfFailing: 1 }
  const claimed = await claimDeliveries(sql, room)
  t.equal(claimed.length, 60)
  t.equal(new Set(claimed.map(({ endpointId }) => endpointId)).size, 20)
})

for (const [cause, errcode] of [
  ['cannot be composed', '22000'],
  ['takes too long to compose', '57014'],
] as const)
  t.test(`a delivery whose body ${cause} stays pending with the reason, and all others arrive`, async (t) => {
    const { deliver, recordEvents, makeEndpoint, sql, product } = await buildQuayWithWebhooks(t)
    const receiver = await openReceiver(t)
    await makeEndpoint(receiver.url, { types: ['product.changed', 'booking.*'], body: 'full' })
    await sql.unsafe(`
        create function refuse(text) returns text language plpgsql as $$
        begin
          if $1 = 'poison' then raise 'poison' using errcode = '${errcode}'; end if;
          return $1;
        end $$`)
    await sql`alter table products rename to products_kept`
    await sql`
        create view products as select * from products_kept where refuse(name) is not null`
    await sql`update products_kept set name = 'poison' where id = ${product.id}`
    await recordEvents(
      { type: 'product.changed', details: { Fields: ['Name'] }, productId: product.id },
      ...checkIns(20),
    )
    await deliver()
    t.equal(receiver.received.length, 20)
    t.match(await sql`select type, tries, fault from webhook_deliveries where status = 'pending'`, [
      { type: 'product.changed', tries: 1, fault: /could not be composed/ },
    ])
  })

t.test('after many concurrent operations on endpoints', { timeout: 300_000 }, async (t) => {
  const { accountId, recordEvents, makeEndpoint, openWorker, services, sql } = await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  let answered = 0
  const statuses = [204, 204, 500, 204, 410, 204, 503]
  receiver.answer = (response) => response.writeHead(statuses[answered++ % statuses.length]!).end()
  const worker = await openWorker()
  const ids: number[] = []
  for (let made = 0; made < 6; made++)
    ids.push((await makeEndpoint(receiver.url, { types: ['booking.*', 'availability.changed'] })).id)
  const doomed = ids.pop()!
  let isOver = false
  const errors: unknown[] = []
  let pumped = 0
  // At most 10 rounds for each round of events. On a busy machine, the pump is slower than the replays, which would
  // otherwise make more deliveries than can be sent.
  const again = async (work: (round: number) => Promise<unknown>) => {
    for (let round = 0; ; round++) {
      await until(() => isOver || round < 10 * (pumped + 1))
      if (isOver) return
      await work(round).catch((error) => errors.push(error))
    }
  }
  const inOne = (work: (tx: Transaction) => Promise<unknown>) => sql.begin(work)
  const target = (round: number) => ids[round % ids.length]!
  const loops = [
    again(() => services.webhooks.run()),
    again(() => worker.run()),
    again(() => makeDue(sql)),
    again((round) => inOne((tx) => pauseEndpoint(tx, owner, target(round)))),
    again((round) => inOne((tx) => resumeEndpoint(tx, owner, target(round + 1)))),
    again((round) => inOne((tx) => replay(tx, owner, target(round), { number: 1 + (round % 40) }))),
    again((round) => inOne((tx) => sendTest(tx, owner, target(round)))),
    again((round) =>
      inOne((tx) => redeliver(tx, owner, { endpointId: target(round), deliveryId: 1 + (round % 50) })),
    ),
  ]
  for (let round = 0; round < 30; round++) {
    await recordEvents(...checkIns(5), {
      type: 'booking.cancelled',
      details: {},
      bookingId: round + 1,
      timeslotId: 1 + (round % 2),
    })
    await pumpEvents(sql)
    if (round === 15) await inOne((tx) => deleteEndpoint(tx, owner, doomed))
    pumped++
  }
  isOver = true
  await Promise.all(loops)

  t.test('only operations on paused endpoints and unfinished deliveries were refused', async (t) => {
    const unexpected = errors.filter((error) => {
      return !['webhook-paused', 'not-found'].includes((error as { slug: string }).slug)
    })
    t.same(unexpected, [])
  })

  t.test(
    'every booking event was delivered to every endpoint that remains, and the counters are exact',
    async (t) => {
      receiver.answer = (response) => response.writeHead(204).end()
      // A try that was under way may have got 410. Its endpoint is paused when that outcome is stored.
      await until(async () => {
        return (await sql`select from webhook_deliveries where lease is not null limit 1`).length === 0
      })
      for (const id of ids) await inOne((tx) => resumeEndpoint(tx, owner, id))
      for (let left = true; left; ) {
        // `makeDue` comes first, because a run does not claim deliveries that become due later.
        await makeDue(sql)
        await services.webhooks.run()
        await settled(sql)
        left =
          (
            await sql`
          select from webhook_endpoints join event_counters using (account_id)
          where status <> 'deleted' and (unfinished > 0 or position < last_number)`
          ).length > 0
      }
      const wrong = await sql`
      select id from webhook_endpoints as endpoint
      where unfinished <> (
        select count(*) from webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and delivery.status = 'pending'
      )`
      t.same(wrong, [])
      const missing = await sql`
      select endpoint.id, number from webhook_endpoints as endpoint
      join events using (account_id)
      where endpoint.status <> 'deleted' and type like 'booking.%' and not exists (
        select from webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and event_number = number and delivery.status = 'delivered'
      )`
      t.same(missing, [])
    },
  )
})

function checkIns(count: number, bookings = count) {
  return Array.from({ length: count }, (_, index) => {
    return { type: 'booking.checked-in' as const, details: {}, bookingId: (index % bookings) + 1 }
  })
}
