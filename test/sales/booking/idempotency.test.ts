/** Retrying a booking with an Idempotency-Key: what is replayed, what is refused, and for how long. */
import t, { type Test } from 'tap'
import { findCaller } from '../../../src/accounts/service.ts'
import type { Problem } from '../../../src/http/problems.ts'
import { sweepIdempotencyKeys } from '../../../src/platform/postgres/idempotency.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'

async function openProduct(t: Test) {
  const built = await build(t)
  const caller = await makeCaller(built.sql)
  const product = await makeProduct(built.sql, caller.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const book = (key: string, changes: object = {}, headers: object = caller.headers) =>
    built.app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...headers, 'idempotency-key': key },
      payload: bookingBody(product.activityId, { ...changes }),
    })
  const count = async () => (await built.sql`select count(*) from bookings`)[0]!.count
  return { ...built, ...caller, ...product, book, count }
}

t.test('a second request with the same key and the same body returns the first booking', async (t) => {
  const { book, count } = await openProduct(t)
  const first = await book('k1')
  const again = await book('k1')
  t.equal(first.headers['idempotency-replayed'], undefined)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.equal(again.statusCode, 201)
  t.same(again.json(), first.json())
  t.equal(await count(), 1)
})

t.test('a body with its fields in another order counts as the same body', async (t) => {
  const { app, headers, activityId, book, count } = await openProduct(t)
  await book('k1')
  const turned = Object.fromEntries(Object.entries(bookingBody(activityId)).reverse())
  const again = await app.inject({
    method: 'POST',
    url: bookingPath,
    headers: { ...headers, 'idempotency-key': 'k1' },
    payload: turned,
  })
  t.equal(again.statusCode, 201)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.equal(await count(), 1)
})

t.test('422 idempotency-key-reused answers the same key with another body', async (t) => {
  const { book, count } = await openProduct(t)
  await book('k1')
  const answer = await book('k1', { Participants: 3 })
  t.equal(answer.statusCode, 422)
  t.match(answer.json(), { type: /idempotency-key-reused$/ })
  t.equal(await count(), 1)
})

t.test('an idempotency key belongs to one API key', async (t) => {
  const { book, sql, count } = await openProduct(t)
  const second = await makeCaller(sql)
  await book('k1')
  const answer = await book('k1', { Participants: 3 }, second.headers)
  t.equal(answer.statusCode, 201)
  t.equal(await count(), 2)
})

t.test('a refusal is not stored under the key, so a retry is a new attempt', async (t) => {
  const { book, sql, count } = await openProduct(t)
  t.equal((await book('k1', { Participants: 9 })).statusCode, 409)
  t.match(await sql`select count(*) from idempotency_keys`, [{ count: 0 }])
  await sql`update timeslots set capacity = 9`
  t.equal((await book('k1', { Participants: 9 })).statusCode, 201)
  t.equal(await count(), 1)
})

t.test(
  'a repeated request with answers gets its booking, even after its question or product is no longer offered',
  async (t) => {
    const { book, sql, accountId, id, count } = await openProduct(t)
    const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${id}, 1, 'Can you swim?', 'text', true, '{}', 'booking') returning id`
    const answered = { Answers: [{ QuestionID: question!.id, Value: 'Yes' }] }
    const first = await book('k1', answered)
    t.equal(first.statusCode, 201)
    await sql`delete from questions`
    const again = await book('k1', answered)
    t.equal(again.statusCode, 201, again.body)
    t.same(again.json(), first.json())
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.match((await book('k1', { ...answered, Participants: 3 })).json(), { type: /idempotency-key-reused$/ })
    const refused = await book('k2', answered)
    t.equal(refused.statusCode, 422, 'a new booking is refused')
    t.match(refused.json().errors, [{ field: 'Answers[0].QuestionID' }])
    t.equal((await book('k2')).statusCode, 201, 'the refusal is not stored')
    await sql`update products set in_shopfront = false`
    t.same((await book('k1', answered)).json(), first.json())
    t.match((await book('k3', answered)).json().errors, [{ field: 'ActivityID' }])
    t.equal(await count(), 2)
  },
)

t.test('fifty concurrent requests with one key make one booking, which all of them get', async (t) => {
  const { book, count } = await openProduct(t)
  const answers = await Promise.all(Array.from({ length: 50 }, () => book('k1')))
  t.ok(answers.every(({ statusCode }) => statusCode === 201))
  t.equal(new Set(answers.map((answer) => answer.json().data.BookingReference)).size, 1)
  t.equal(answers.filter(({ headers }) => headers['idempotency-replayed']).length, 49)
  t.equal(await count(), 1)
})

t.test(
  'of requests in one batch with the same key, one makes a booking; the others get it or are refused',
  async (t) => {
    const { services, sql, token, activityId, count } = await openProduct(t)
    const caller = (await findCaller(sql, token))!
    // The requests are made in one turn of the event loop, so that they are in one batch.
    const answers = [9, 2, 9, 3, 2].map((Participants) => {
      const request = bookingBody(activityId, { Participants }) as Parameters<
        typeof services.bookings.book
      >[0]['request']
      const order = { caller, request, idempotencyKey: 'k1', isAwaited: () => true }
      return services.bookings.book(order).then(
        ({ replayed }) => (replayed ? 'replayed' : 'made'),
        ({ slug }: Problem) => slug,
      )
    })
    t.same(await Promise.all(answers), [
      'insufficient-capacity',
      'made',
      'insufficient-capacity',
      'idempotency-key-reused',
      'replayed',
    ])
    t.equal(await count(), 1)
  },
)

t.test('an idempotency key is not valid after 24 hours, even if it is not deleted yet', async (t) => {
  const { book, sql, count } = await openProduct(t)
  await book('k1')
  await sql`update idempotency_keys set created_at = now() - interval '24 hours 1 second'`
  const answer = await book('k1', { Participants: 3 })
  t.equal(answer.statusCode, 201)
  t.equal(answer.headers['idempotency-replayed'], undefined)
  t.equal(await count(), 2)
  t.equal((await book('k1', { Participants: 3 })).headers['idempotency-replayed'], 'true')
})

t.test('the worker deletes only idempotency keys older than 24 hours', async (t) => {
  const { book, sql } = await openProduct(t)
  await book('old')
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`
  await book('new')
  t.equal(await sweepIdempotencyKeys(sql), 1)
  t.match(await sql`select key from idempotency_keys`, [{ key: 'new' }])
})

t.test('an unknown field that is nested 40,000 levels deep is ignored', async (t) => {
  const { app, headers, activityId } = await openProduct(t)
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
  const body = JSON.stringify(bookingBody(activityId)).replace(/}$/, `,"Deep":${deep}}`)
  const answer = await app.inject({
    method: 'POST',
    url: bookingPath,
    headers: { ...headers, 'idempotency-key': 'deep', 'content-type': 'application/json' },
    payload: body,
  })
  t.equal(answer.statusCode, 201)
})
