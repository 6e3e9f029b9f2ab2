/** Booking through the partner API: what is stored, what is refused, and the alternatives of a refusal. */
import t, { type Test } from 'tap'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'

/**
 * Makes a partner, and a product with a timeslot of 8 places at 10:00, one later that day and one a day later.
 * `book()` sends the partner's request for 10:00, with the changes of the test.
 */
async function openProduct(t: Test) {
  const built = await build(t)
  const caller = await makeCaller(built.sql, { partner: 'Tours Online' })
  const slots = { '2030-06-15 10:00': 8, '2030-06-15 14:00': 4, '2030-06-16 10:00': 10 }
  const product = await makeProduct(built.sql, caller.accountId, { slots })
  const book = (changes: object = {}, headers: object = {}) =>
    built.app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...caller.headers, ...headers },
      payload: bookingBody(product.activityId, { ...changes }),
    })
  const counters = () =>
    built.sql`select time, booked, held from timeslots where date = '2030-06-15' order by time`
  return { ...built, ...caller, ...product, book, counters }
}

t.test('a booking gets 201 with its reference, and takes its places', async (t) => {
  const { book, sql } = await openProduct(t)
  const answer = await book({ PaymentReference: 'OTA-1', Participants: 3 })
  t.equal(answer.statusCode, 201)
  t.match(answer.json().data, {
    BookingReference: /^[2-9A-HJ-NP-Z]{10}$/,
    Status: 'confirmed',
    Date: '2030-06-15',
    Time: '10:00',
    Participants: 3,
    PaymentReference: 'OTA-1',
    CreatedAt: /^20\d\d-.*Z$/,
  })
  t.match(await sql`select booked, held from timeslots where time = '10:00' and date = '2030-06-15'`, [
    { booked: 3, held: 0 },
  ])
})

t.test('a booking is stored with its channel, partner, customer, price and BasketID', async (t) => {
  const { book, sql } = await openProduct(t)
  const Customer = {
    FirstName: 'Ada',
    LastName: 'Lovelace',
    Email: 'ada@example.com',
    Phone: '+351 912-345 678',
  }
  const { BookingReference } = (await book({ Customer })).json().data
  const rows = await sql`
    select reference, bookings.channel, bookings.status, participants, first_name, last_name, email, phone, answers,
      partners.name as partner, basket_id > 0 as basket, unit_price_minor as price, confirmed_at is not null as confirmed
    from bookings join partners on partners.id = partner_id`
  t.match(rows, [
    {
      reference: BookingReference,
      channel: 'partner',
      status: 'confirmed',
      participants: 2,
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: '+351912345678',
      answers: [],
      partner: 'Tours Online',
      basket: true,
      price: 4500,
      confirmed: true,
    },
  ])
})

t.test(
  'a booking appends one event, booking.confirmed, with its BasketID, and makes no basket',
  async (t) => {
    const { book, sql } = await openProduct(t)
    await book()
    const events = await sql`select type, actor, basket_id from events`
    const [booking] = await sql`select basket_id from bookings`
    t.same(events, [{ type: 'booking.confirmed', actor: 'partner', basket_id: booking!.basket_id }])
    t.same(await sql`select from baskets`, [])
  },
)

t.test('409 insufficient-capacity has the free places and the next timeslots that fit', async (t) => {
  const { book, counters } = await openProduct(t)
  await book({ Participants: 5 })
  const answer = await book({ Participants: 5 })
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), {
    type: 'http://booking.test/problems/insufficient-capacity',
    status: 409,
    instance: bookingPath,
    Available: 3,
    Alternatives: [{ Date: '2030-06-16', Time: '10:00', Available: 10 }],
  })
  t.match(await counters(), [{ booked: 5 }, { booked: 0 }])
})

t.test(
  'at most five alternatives are offered, later than the requested timeslot, and in order',
  async (t) => {
    const { book, sql, id, accountId } = await openProduct(t)
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${id}, '2030-06-17', make_time(8 + n, 0, 0), '2030-06-17'::date + make_time(8 + n, 0, 0), 50
    from generate_series(0, 9) as n`
    const { Alternatives } = (await book({ Participants: 9 })).json()
    t.same(
      Alternatives.map((slot: { Date: string; Time: string }) => `${slot.Date} ${slot.Time}`),
      ['2030-06-16 10:00', '2030-06-17 08:00', '2030-06-17 09:00', '2030-06-17 10:00', '2030-06-17 11:00'],
    )
  },
)

t.test('409 timeslot-unavailable answers a timeslot that does not exist', async (t) => {
  const { book } = await openProduct(t)
  const answer = await book({ Time: '11:11' })
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), {
    type: /timeslot-unavailable$/,
    Alternatives: [{ Time: '14:00' }, { Date: '2030-06-16' }],
  })
})

t.test('409 timeslot-unavailable answers a closed timeslot', async (t) => {
  const { book, sql } = await openProduct(t)
  await sql`update timeslots set status = 'closed'`
  const answer = await book()
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), { type: /timeslot-unavailable$/, Alternatives: [] })
})

t.test('409 timeslot-unavailable answers a timeslot that has begun', async (t) => {
  const { app, sql } = await build(t, { clockOffset: '10 years' })
  const { accountId, headers } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const answer = await app.inject({
    method: 'POST',
    url: bookingPath,
    headers,
    payload: bookingBody(activityId),
  })
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), { type: /timeslot-unavailable$/ })
})

t.test('places that are held cannot be booked', async (t) => {
  const { book, sql } = await openProduct(t)
  await sql`update timeslots set held = 7 where time = '10:00'`
  t.match((await book()).json(), { type: /insufficient-capacity$/, Available: 1 })
})

t.test('the database itself refuses a timeslot with more places taken than it has', async (t) => {
  const { sql } = await openProduct(t)
  await t.rejects(sql`update timeslots set booked = 5, held = 4 where capacity = 8`, { code: '23514' })
})

t.test(
  '422 names every failing field at once, including the header and the fields of a missing customer',
  async (t) => {
    const { app, headers } = await openProduct(t)
    const answer = await app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...headers, 'idempotency-key': 'x'.repeat(256) },
      payload: { ActivityID: 'kayak', Date: '2030-02-30', Time: '25:00', Participants: '2' },
    })
    t.equal(answer.statusCode, 422)
    t.match(answer.headers, { 'content-type': 'application/problem+json' })
    const { errors, detail } = answer.json()
    const fields = errors.map(({ field }: { field: string }) => field)
    for (const field of [
      'ActivityID',
      'Date',
      'Time',
      'Participants',
      'Customer',
      'Customer.FirstName',
      'Customer.LastName',
      'Customer.Email',
      'Idempotency-Key',
    ]) {
      t.ok(fields.includes(field), `errors name ${field}`)
      t.ok(detail.includes(field), `detail names ${field}`)
    }
  },
)

const bad: [string, object, string][] = [
  ['0 participants', { Participants: 0 }, 'Participants'],
  ['1,000 participants', { Participants: 1000 }, 'Participants'],
  ['half a participant', { Participants: 1.5 }, 'Participants'],
  ['1e300 participants', { Participants: 1e300 }, 'Participants'],
  ['a date as a number', { Date: 20300615 }, 'Date'],
  ['the year 0', { Date: '0000-01-01' }, 'Date'],
  [
    'an empty first name',
    { Customer: { FirstName: '', LastName: 'L', Email: 'a@example.com' } },
    'Customer.FirstName',
  ],
  ['an e-mail without an @', { Customer: { FirstName: 'A', LastName: 'L', Email: 'ada' } }, 'Customer.Email'],
  [
    'null as the last name',
    { Customer: { FirstName: 'A', LastName: null, Email: 'a@example.com' } },
    'Customer.LastName',
  ],
  [
    'a national phone number',
    { Customer: { FirstName: 'A', LastName: 'L', Email: 'a@example.com', Phone: '912345678' } },
    'Customer.Phone',
  ],
  ['a payment reference of 256 characters', { PaymentReference: 'x'.repeat(256) }, 'PaymentReference'],
  ['an empty payment reference', { PaymentReference: '' }, 'PaymentReference'],
  ['NUL in a text', { PaymentReference: 'a\0b' }, 'PaymentReference'],
  ['a lone surrogate in a text', { PaymentReference: 'a\ud800b' }, 'PaymentReference'],
  ['answers that are not a list', { Answers: 'yes' }, 'Answers'],
  ['an answer without a question', { Answers: [{ Value: 'yes' }] }, 'Answers[0].QuestionID'],
  ['1,001 answers', { Answers: Array(1001).fill({ QuestionID: 1, Value: '' }) }, 'Answers'],
  ['NUL in an answer', { Answers: [{ QuestionID: 1, Value: ['\0'] }] }, 'Answers[0].Value[0]'],
]
for (const [what, changes, field] of bad) {
  t.test(`422 refuses ${what}, and nothing is booked`, async (t) => {
    const { book, sql } = await openProduct(t)
    const answer = await book(changes)
    t.equal(answer.statusCode, 422)
    t.same(
      answer.json().errors.map((error: { field: string }) => error.field),
      [field],
    )
    t.match(await sql`select count(*) from bookings`, [{ count: 0 }])
  })
}

t.test('null in an optional field means the same as leaving the field out', async (t) => {
  const { book } = await openProduct(t)
  const Customer = { FirstName: 'A', LastName: 'L', Email: 'a@example.com', Phone: null }
  const answer = await book({ PaymentReference: null, Answers: null, Customer })
  t.equal(answer.statusCode, 201)
  t.equal(answer.json().data.PaymentReference, null)
})

t.test('unknown fields are ignored', async (t) => {
  const { book } = await openProduct(t)
  t.equal((await book({ Colour: 'red', Customer: { ...bookingBody('').Customer, Age: 7 } })).statusCode, 201)
})

t.test(
  '422 refuses an ActivityID that is unknown, outside the shopfront, or another account’s',
  async (t) => {
    const { book, sql, accountId } = await openProduct(t)
    const hidden = await makeProduct(sql, accountId, {
      name: 'Hidden',
      inShopfront: false,
      slots: { '2030-06-15 10:00': 8 },
    })
    const other = await makeCaller(sql, { slug: 'other' })
    const foreign = await makeProduct(sql, other.accountId, { slots: { '2030-06-15 10:00': 8 } })
    const unknown = 's_00000000-0000-4000-8000-000000000000'
    for (const ActivityID of [unknown, hidden.activityId, foreign.activityId]) {
      const answer = await book({ ActivityID })
      t.equal(answer.statusCode, 422)
      t.match(answer.json().errors, [{ field: 'ActivityID' }])
      t.match((await book({ ActivityID, Answers: [{ QuestionID: 1, Value: 'x' }] })).json().errors, [
        { field: 'ActivityID' },
      ])
    }
    t.match(await sql`select count(*) from bookings`, [{ count: 0 }])
  },
)

t.test(
  'answers to waiver questions are stored; an answer to an unknown question is refused with 422',
  async (t) => {
    const { book, sql, accountId, id } = await openProduct(t)
    const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Can you swim?', 'text', true, '{}', 'booking') returning id`
    const QuestionID = question!.id
    const refused = await book({
      Answers: [
        { QuestionID, Value: 'Yes' },
        { QuestionID: QuestionID + 1, Value: 'No' },
      ],
    })
    t.equal(refused.statusCode, 422)
    t.match(refused.json().errors, [{ field: 'Answers[1].QuestionID' }])
    const Answers = [{ QuestionID, Value: ['Yes', 'Well'] }]
    t.equal((await book({ Answers })).statusCode, 201)
    t.match(await sql`select answers from bookings`, [{ answers: Answers }])
  },
)

t.test('unknown fields of an answer are not stored, and are refused if they contain NUL', async (t) => {
  const { book, sql, accountId, id } = await openProduct(t)
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Can you swim?', 'text', true, '{}', 'booking') returning id`
  const answer = { QuestionID: question!.id, Value: 'Yes' }
  const refused = await book({ Answers: [{ ...answer, More: { deep: ['a\0'] } }] })
  t.equal(refused.statusCode, 422)
  t.match(refused.json().errors, [{ field: 'Answers[0].More' }])
  t.equal((await book({ Answers: [{ ...answer, More: 'x' }] })).statusCode, 201)
  t.strictSame((await sql`select answers from bookings`)[0]!.answers, [answer])
})
