/** The customer of a basket and the answers of its lines: stored for all lines, or for none. */
import t, { type Test } from 'tap'
import {
  type BasketDescriptionRequest,
  describeBasket,
  readDescribedBasket,
} from '../../../src/sales/basket/description.ts'
import { makeReference } from '../../../src/sales/booking/model.ts'
import { makeProduct } from '../../helper.ts'
import { until } from '../../until.ts'
import { harbour } from './fixtures.ts'

const actor = { kind: 'service' } as const

/** A basket with a line for a kayak and then a line for a canoe. Each product has one question. */
async function prepare(t: Test) {
  const world = await harbour(t)
  const { sql, accountId, id: kayak, hold } = world
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots: { '2030-06-15 10:00': 8 } })
  const makeQuestion = async (productId: number, label: string) => {
    const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${productId}, 1, ${label}, 'text', false, '{}', 'booking') returning id`
    return question!.id
  }
  const questions = [await makeQuestion(kayak, 'Weight'), await makeQuestion(canoe.id, 'Height')] as const
  const { BasketID: basketId, Lines } = await hold([{}, { ActivityID: canoe.activityId }])
  const references = Lines.map(({ BookingReference }) => BookingReference) as [string, string]
  return {
    ...world,
    questions,
    basketId,
    references,
    describe: (request: BasketDescriptionRequest) =>
      describeBasket(sql, { accountId, actor }, { basketId, request }),
    stored: () => sql`
      select first_name as name, email, answers, updated_at::text from bookings
      where basket_id = ${basketId} order by id`,
    history: () => sql`
      select bookings.reference, event.details from events as event
      join bookings on bookings.account_id = event.account_id and bookings.id = event.booking_id
      where event.type = 'booking.customer-changed' order by event.id`,
  }
}

/** The problem that the work throws, or null. */
const refusalOf = (done: Promise<unknown>): Promise<unknown> =>
  done.then(
    () => null,
    (error) => error,
  )

const answered = (QuestionID: number, Value = '70') => [{ QuestionID, Value }]

t.test('the customer and the answers of all lines are written in one transaction', async (t) => {
  const { describe, questions, references, sql, stored, history } = await prepare(t)
  const lines = references.map((BookingReference, index) => {
    return { BookingReference, Answers: answered(questions[index]!) }
  })
  const request = { Customer: { FirstName: 'Grace', Phone: '+351 912 345 678' }, Lines: lines }
  await describe(request)
  t.match(await stored(), [
    { name: 'Grace', email: 'ada@example.com', answers: answered(questions[0]) },
    { name: 'Grace', email: 'ada@example.com', answers: answered(questions[1]) },
  ])
  t.same(
    await sql`select count(distinct xmin::text)::int as transactions, min(phone) as phone from bookings`,
    [{ transactions: 1, phone: '+351912345678' }],
  )
  const Fields = ['Customer.FirstName', 'Customer.Phone', 'Answers']
  const once = references.map((reference) => ({ reference, details: { Fields } }))
  t.same(await history(), once)
  await describe(request)
  t.same(await history(), once, 'the same values again add no history')
})

t.test(
  'an invalid answer on the second line names its field, and the first line does not change',
  async (t) => {
    const { describe, questions, references, stored, history } = await prepare(t)
    const before = await stored()
    const [first, second] = references
    const refused = describe({
      Customer: { FirstName: 'Grace' },
      Lines: [
        { BookingReference: first, Answers: answered(questions[0]) },
        { BookingReference: second, Answers: [...answered(questions[1]), ...answered(questions[0])] },
      ],
    })
    const errors = [
      { field: 'Lines[1].Answers[1].QuestionID', message: 'is not a question of this activity' },
    ]
    t.match(await refusalOf(refused), { slug: 'validation', extensions: { errors } })
    t.same(await stored(), before)
    t.same(await history(), [])
  },
)

t.test('a stored answer stays valid on its own line after its question is deleted', async (t) => {
  const { describe, questions, references, sql, stored } = await prepare(t)
  const [first, second] = references
  const Lines = [{ BookingReference: second, Answers: answered(questions[1]) }]
  await describe({ Lines })
  await sql`delete from questions`
  await describe({ Customer: { FirstName: 'Grace' }, Lines })
  t.match(await stored(), [
    { name: 'Grace', answers: [] },
    { name: 'Grace', answers: answered(questions[1]) },
  ])
  const elsewhere = describe({ Lines: [{ BookingReference: first, Answers: answered(questions[1]) }] })
  t.match(await refusalOf(elsewhere), { slug: 'validation' })
})

t.test('if one line cannot be changed, no line is changed', async (t) => {
  const { call, describe, references, basketId, sql, stored } = await prepare(t)
  const [first, second] = references
  const both = references.map((BookingReference) => ({ BookingReference, Answers: [] }))
  const request = { Customer: { FirstName: 'Grace' }, Lines: both }
  const before = await stored()
  const unknown = [...both, { BookingReference: makeReference(), Answers: [] }]
  t.match(await refusalOf(describe({ ...request, Lines: unknown })), { slug: 'not-found' })
  await sql`update bookings set erasure_id = 1 where reference = ${second}`
  t.match(await refusalOf(describe(request)), { slug: 'customer-erased' })
  await sql`update bookings set erasure_id = null`
  t.same(await stored(), before)
  await call('DELETE', `/baskets/${basketId}/lines/${second}`)
  t.match(await refusalOf(describe(request)), { slug: 'booking-not-changeable' })
  t.match(await stored(), [{ name: 'Ada' }, { name: 'Ada' }])
  await describe({ ...request, Lines: [{ BookingReference: first, Answers: [] }] })
  t.match(await stored(), [{ name: 'Grace' }, { name: 'Ada' }], 'a removed line does not change')
})

t.test('a basket that is unknown or belongs to another account is not found', async (t) => {
  const { sql, accountId, basketId } = await prepare(t)
  const request = { Customer: { FirstName: 'Grace' }, Lines: [] }
  const missing = { slug: 'not-found' }
  t.match(await refusalOf(describeBasket(sql, { accountId, actor }, { basketId: 999, request })), missing)
  const elsewhere = { accountId: accountId + 1, actor }
  t.match(await refusalOf(describeBasket(sql, elsewhere, { basketId, request })), missing)
  t.match(await refusalOf(readDescribedBasket(sql, elsewhere.accountId, basketId)), missing)
})

t.test(
  'storing the customer and answers of a basket locks its timeslots first, then its bookings and the basket',
  async (t) => {
    const { describe, sql, stored } = await prepare(t)
    let described: Promise<void> | undefined
    await sql.begin(async (tx) => {
      await tx`select from timeslots order by id for update`
      described = describe({ Customer: { FirstName: 'Grace' }, Lines: [] })
      await until(async () => {
        const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
      // describe() has not yet locked bookings or baskets, which come after timeslots in the order of locks.
      await tx`select from bookings for update nowait`
      await tx`select from baskets for update nowait`
    })
    await described
    t.match(await stored(), [{ name: 'Grace' }, { name: 'Grace' }])
  },
)

t.test('a basket is read with as many queries for ten lines as for two', async (t) => {
  const { sql, accountId, basketId, line, post, questions } = await prepare(t)
  let queries = 0
  sql.options.debug = (_connection, text) => {
    // The driver's own queries about types, which it makes when it connects, do not count.
    if (!text.includes('pg_catalog')) queries++
  }
  const count = async () => {
    queries = 0
    const { lines } = await readDescribedBasket(sql, accountId, basketId)
    return { lines: lines.length, queries }
  }
  const two = await count()
  t.same(
    two,
    { lines: 2, queries: 7 },
    'basket, lines, payments, two for the ledger, descriptions and questions',
  )
  const more = Array.from({ length: 8 }, (_, n) =>
    line({ Time: n < 4 ? '10:00' : '12:00', Participants: 1, Answers: answered(questions[0], `7${n}`) }),
  )
  t.equal((await post(`/baskets/${basketId}/lines`, { Lines: more })).statusCode, 200)
  t.same(await count(), { ...two, lines: 10 })
  const { lines } = await readDescribedBasket(sql, accountId, basketId)
  t.match(lines[9], { answers: answered(questions[0], '77'), questions: [{ label: 'Weight' }] })
  t.match(lines[1], { line: { ProductName: 'Canoe' }, questions: [{ label: 'Height' }] })
})
