/** Baskets of the operator API: making, changing, extending, cancelling and listing them, and refusals. */
import t from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import { customer, harbour, operatorPath, statuses } from './fixtures.ts'

t.test('a new basket gets 201, and holds the places of all its lines', async (t) => {
  const { hold, counters, activityId } = await harbour(t)
  const before = Date.now()
  const basket = await hold([{}, { Time: '12:00', Participants: 3 }])
  t.match(basket, {
    BasketID: Number,
    Status: 'open',
    Channel: 'online',
    CompletedAt: null,
    Customer: { ...customer, Phone: null },
    Lines: [
      {
        BookingReference: /^[2-9A-Z]{10}$/,
        Status: 'held',
        ActivityID: activityId,
        ProductName: 'Kayak',
        TimeslotID: Number,
        Date: '2030-06-15',
        Time: '10:00',
        Participants: 2,
        UnitPrice: { Amount: '45.00', Currency: 'EUR' },
      },
      { Status: 'held', Time: '12:00', Participants: 3 },
    ],
    Total: { Amount: '225.00', Currency: 'EUR' },
    Payment: null,
    RefundReason: null,
    Payments: [],
  })
  const after = Date.now()
  for (const [moment, minutes] of [
    [basket.ExpiresAt, 15],
    [basket.HoldLimitAt, 60],
  ] as const) {
    const begun = Date.parse(moment!) - minutes * 60_000
    t.ok(begun >= before && begun <= after, `${minutes} minutes`)
  }
  t.same(await counters('10:00'), { booked: 0, held: 2 })
  t.same(await counters('12:00'), { booked: 0, held: 3 })
})

t.test(
  'the customer of a basket may be omitted in part or in whole, and a phone number is stored without separators',
  async (t) => {
    const { hold, post, line, sql } = await harbour(t)
    const nobody = { FirstName: null, LastName: null, Email: null, Phone: null }
    t.same((await hold([{}], { Customer: undefined })).Customer, nobody)
    const Customer = { Phone: '+351 912-345 678' }
    t.same((await hold([{}], { Customer })).Customer, { ...nobody, Phone: '+351912345678' })
    await sql`update accounts set country = 'PT'`
    const national = { Channel: 'pos', Lines: [line()], Customer: { Phone: '912 345 678' } }
    t.equal((await post('/baskets', national)).statusCode, 422, 'even if the account has a country')
  },
)

t.test('409 insufficient-capacity names the line and the free places, and nothing is held', async (t) => {
  const { post, line, counters } = await harbour(t)
  const Lines = [line(), line({ Time: '12:00', Participants: 3 }), line({ Time: '10:00', Participants: 7 })]
  const answer = await post('/baskets', { Channel: 'online', Lines })
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), {
    type: 'http://booking.test/problems/insufficient-capacity',
    detail: 'The timeslot of Lines[2] has 6 places left.',
    Line: 2,
    Available: 6,
    Alternatives: [],
  })
  t.same(await counters('10:00'), { booked: 0, held: 0 })
  t.same(await counters('12:00'), { booked: 0, held: 0 })
  const second = await post('/baskets', {
    Channel: 'pos',
    Lines: [line({ Participants: 4 }), line({ Participants: 5 })],
  })
  t.match(second.json(), { Line: 1, Available: 4, Alternatives: [] })
})

t.test('409 timeslot-unavailable names the line whose timeslot is not on sale', async (t) => {
  const { post, line, sql } = await harbour(t)
  const unknown = await post('/baskets', { Channel: 'online', Lines: [line(), line({ Time: '09:00' })] })
  t.equal(unknown.statusCode, 409)
  t.match(unknown.json(), {
    type: /timeslot-unavailable$/,
    Line: 1,
    Alternatives: [
      { Date: '2030-06-15', Time: '10:00', Available: 8 },
      { Date: '2030-06-15', Time: '12:00', Available: 4 },
    ],
  })
  await sql`update timeslots set status = 'closed' where time = '10:00'`
  const closed = await post('/baskets', { Channel: 'pos', Lines: [line()] })
  t.equal(closed.statusCode, 409)
  t.match(closed.json(), { type: /timeslot-unavailable$/, Line: 0, Alternatives: [{ Time: '12:00' }] })
})

t.test('422 names every field that fails', async (t) => {
  const { post, line } = await harbour(t)
  const fields = async (payload: Record<string, unknown>) => {
    const answer = await post('/baskets', payload)
    t.equal(answer.statusCode, 422)
    return answer
      .json()
      .errors.map(({ field }: { field: string }) => field)
      .sort()
  }
  t.same(await fields({}), ['Channel', 'Lines'])
  t.same(await fields({ Channel: 'partner', Lines: [] }), ['Channel', 'Lines'])
  t.same(await fields({ Channel: 'pos', Lines: Array(51).fill(line()) }), ['Lines'])
  const bad = line({ Date: '2030-02-30', Time: '25:00', Participants: 1000, ActivityID: 'kayak' })
  t.same(await fields({ Channel: 'pos', Lines: [bad], Customer: { Email: 'ada' } }), [
    'Customer.Email',
    'Lines[0].ActivityID',
    'Lines[0].Date',
    'Lines[0].Participants',
    'Lines[0].Time',
  ])
  const Answers = [{ QuestionID: 99, Value: 'Yes' }]
  t.same(
    await fields({
      Channel: 'online',
      Lines: [line({ Answers }), line({ ActivityID: `s_${crypto.randomUUID()}` })],
    }),
    ['Lines[0].Answers[0].QuestionID', 'Lines[1].ActivityID'],
  )
})

t.test(
  'only the till sells products outside the shopfront, and it does not sell another account’s products',
  async (t) => {
    const { post, sql, accountId } = await harbour(t)
    const slots = { '2030-06-15 10:00': 5 }
    const hidden = await makeProduct(sql, accountId, { name: 'Staff', inShopfront: false, slots })
    const other = await makeCaller(sql, { slug: 'other' })
    const foreign = await makeProduct(sql, other.accountId, { slots })
    const tryToHold = async (Channel: string, ActivityID: string) => {
      const Lines = [{ ActivityID, Date: '2030-06-15', Time: '10:00', Participants: 1 }]
      return (await post('/baskets', { Channel, Lines })).statusCode
    }
    t.equal(await tryToHold('online', hidden.activityId), 422)
    t.equal(await tryToHold('pos', hidden.activityId), 201)
    t.equal(await tryToHold('pos', foreign.activityId), 422)
  },
)

t.test('lines in more than one currency get 422, and none of their places is held', async (t) => {
  const { post, line, hold, sql, accountId } = await harbour(t)
  const dollars = await makeProduct(sql, accountId, { name: 'Dive', slots: { '2030-06-15 10:00': 5 } })
  await sql`update products set currency = 'USD' where name = 'Dive'`
  const dive = line({ ActivityID: dollars.activityId })
  const made = await post('/baskets', { Channel: 'online', Lines: [line(), dive] })
  t.equal(made.statusCode, 422)
  t.match(made.json().errors, [{ field: 'Lines', message: /EUR and USD/ }])
  const { BasketID } = await hold()
  t.equal((await post(`/baskets/${BasketID}/lines`, { Lines: [dive] })).statusCode, 422)
  t.match(await sql`select sum(held)::int as held from timeslots`, [{ held: 2 }])
})

t.test('an idempotency key makes one basket, and the response is replayed', async (t) => {
  const { post, line, counters } = await harbour(t)
  const key = { 'idempotency-key': 'k1' }
  const body = { Channel: 'online', Lines: [line()] }
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => post('/baskets', body, key)))
  t.equal(first!.statusCode, 201)
  for (const other of others) t.same(other.json(), first!.json())
  const again = await post('/baskets', body, key)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.same(again.json(), first!.json())
  t.same(await counters(), { booked: 0, held: 2 })
  const reused = await post('/baskets', { ...body, Channel: 'pos' }, key)
  t.equal(reused.statusCode, 422)
  t.match(reused.json(), { type: /idempotency-key-reused$/ })
})

t.test('a request adds all its lines or none, with the basket’s customer, and keeps ExpiresAt', async (t) => {
  const { hold, post, line, counters, sql } = await harbour(t)
  const basket = await hold()
  const path = `/baskets/${basket.BasketID}/lines`
  const added = await post(path, { Lines: [line({ Time: '12:00' }), line({ Participants: 1 })] })
  t.equal(added.statusCode, 200)
  t.same(statuses(added.json().data), ['held', 'held', 'held'])
  t.match(added.json().data, {
    ExpiresAt: basket.ExpiresAt,
    Total: { Amount: '225.00' },
    Lines: [{ Time: '10:00' }, { Time: '12:00' }, { Time: '10:00', Participants: 1 }],
  })
  t.equal((await sql`select from bookings where first_name = 'Ada'`).length, 3)
  const refused = await post(path, { Lines: [line({ Time: '12:00' }), line({ Participants: 6 })] })
  t.match(refused.json(), { status: 409, Line: 1, Available: 5 })
  t.same(await counters('12:00'), { booked: 0, held: 2 })
})

t.test('a basket has at most 50 lines, including removed ones', async (t) => {
  const { hold, post, line, call, sql } = await harbour(t)
  await sql`update timeslots set capacity = 100`
  const basket = await hold(Array(50).fill({ Participants: 1 }))
  const [first] = basket.Lines
  await call('DELETE', `/baskets/${basket.BasketID}/lines/${first!.BookingReference}`)
  const answer = await post(`/baskets/${basket.BasketID}/lines`, { Lines: [line()] })
  t.equal(answer.statusCode, 422)
  t.match(answer.json().errors, [{ field: 'Lines' }])
})

t.test('removing a line frees its places once, and lowers the total', async (t) => {
  const { hold, call, counters } = await harbour(t)
  const { BasketID, Lines } = await hold([{}, { Participants: 3 }])
  const path = `/baskets/${BasketID}/lines/${Lines[1]!.BookingReference}`
  for (let time = 0; time < 2; time++) {
    const answer = await call('DELETE', path)
    t.equal(answer.statusCode, 200)
    t.same(statuses(answer.json().data), ['held', 'cancelled'])
    t.match(answer.json().data, { Status: 'open', Total: { Amount: '90.00', Currency: 'EUR' } })
    t.same(await counters(), { booked: 0, held: 2 })
  }
  const last = await call('DELETE', `/baskets/${BasketID}/lines/${Lines[0]!.BookingReference}`)
  t.match(last.json().data, { Status: 'open', Total: null })
  t.equal((await call('DELETE', `/baskets/${BasketID}/lines/ZZZZZZZZZZ`)).statusCode, 404)
})

t.test('the customer of an open basket is changed field by field', async (t) => {
  const { hold, call, sql } = await harbour(t)
  const { BasketID } = await hold([{}, { Time: '12:00' }])
  const Customer = { FirstName: 'Augusta', Phone: '+351 912 345 678' }
  const answer = await call('PATCH', `/baskets/${BasketID}`, { Customer })
  t.equal(answer.statusCode, 200)
  t.same(answer.json().data.Customer, { ...customer, FirstName: 'Augusta', Phone: '+351912345678' })
  t.equal((await sql`select from bookings where first_name = 'Augusta' and last_name = 'Lovelace'`).length, 2)
  const history = await sql`select details, actor from events where type = 'booking.customer-changed'`
  t.same(history, Array(2).fill({ details: {}, actor: 'key' }), 'the event does not contain the new name')
  const bad = await call('PATCH', `/baskets/${BasketID}`, { Customer: { Email: 'no address' } })
  t.equal(bad.statusCode, 422)
})

t.test('setting the customer of a basket skips each line that already has this customer', async (t) => {
  const { hold, call, sql } = await harbour(t)
  const { BasketID, Lines } = await hold([{}, { Time: '12:00' }])
  const changed = () => sql`
    select reference from events join bookings on bookings.id = booking_id
    where type = 'booking.customer-changed' order by events.id`
  t.equal((await call('PATCH', `/baskets/${BasketID}`, { Customer: customer })).statusCode, 200)
  t.same(await changed(), [])
  const reference = Lines[1]!.BookingReference
  await call('PATCH', `/bookings/${reference}`, { Customer: { FirstName: 'Augusta' } })
  t.equal((await call('PATCH', `/baskets/${BasketID}`, { Customer: customer })).statusCode, 200)
  t.same(await changed(), [{ reference }, { reference }], 'by the booking, and back by the basket')
})

t.test('a hold is extended up to its limit, and then gets 409 hold-limit-reached', async (t) => {
  const { hold, post, sql } = await harbour(t)
  await sql`update accounts set hold_minutes = 10, hold_limit_minutes = 15`
  const basket = await hold()
  await sql`update baskets set expires_at = expires_at - interval '8 minutes'`
  const path = `/baskets/${basket.BasketID}/extend`
  const longer = await post(path)
  t.equal(longer.statusCode, 200)
  const { ExpiresAt, HoldLimitAt } = longer.json().data
  t.ok(Math.abs(Date.parse(ExpiresAt) - Date.parse(basket.ExpiresAt!)) < 60_000, 'ten minutes from now')
  t.ok(ExpiresAt < HoldLimitAt)
  await sql`update baskets set expires_at = expires_at - interval '1 minute', hold_limit_at = expires_at`
  const last = (await post(path)).json().data
  t.equal(last.ExpiresAt, last.HoldLimitAt)
  const refused = await post(path)
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { type: /hold-limit-reached$/ })
})

t.test('a cancelled basket gives back all its places, once', async (t) => {
  const { hold, post, counters, read } = await harbour(t)
  const basket = await hold([{}, { Time: '12:00' }])
  const answer = await post(`/baskets/${basket.BasketID}/cancel`)
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, { Status: 'cancelled', Total: null })
  t.same(statuses(await read(basket)), ['cancelled', 'cancelled'])
  t.same(await counters('10:00'), { booked: 0, held: 0 })
  t.same(await counters('12:00'), { booked: 0, held: 0 })
  t.match((await post(`/baskets/${basket.BasketID}/cancel`)).json(), { status: 409, Status: 'cancelled' })
})

t.test(
  '409 basket-not-open answers changes of lines, customer or hold of a cancelled or expired basket',
  async (t) => {
    const { hold, post, call, line, expireBasket } = await harbour(t)
    const cancelled = await hold()
    await post(`/baskets/${cancelled.BasketID}/cancel`)
    const over = await hold()
    await expireBasket(over)
    for (const [{ BasketID, Lines }, Status] of [
      [cancelled, 'cancelled'],
      [over, 'expired'],
    ] as const) {
      const answers = [
        await post(`/baskets/${BasketID}/lines`, { Lines: [line()] }),
        await call('DELETE', `/baskets/${BasketID}/lines/${Lines[0]!.BookingReference}`),
        await call('PATCH', `/baskets/${BasketID}`, { Customer: customer }),
        await post(`/baskets/${BasketID}/extend`),
      ]
      for (const answer of answers) t.match(answer.json(), { status: 409, type: /basket-not-open$/, Status })
    }
  },
)

t.test('404 refuses a basket that is unknown or another account’s', async (t) => {
  const { app, hold, sql } = await harbour(t)
  const { BasketID, Lines } = await hold()
  const { headers } = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  const reference = Lines[0]!.BookingReference
  for (const id of [BasketID, 999_999]) {
    for (const [method, path, payload] of [
      ['GET', ''],
      ['PATCH', '', { Customer: customer }],
      ['POST', '/lines', { Lines: [{ ...Lines[0], Participants: 1 }] }],
      ['DELETE', `/lines/${reference}`],
      ['POST', '/extend'],
      ['POST', '/cancel'],
      ['POST', '/refunded', { Payments: ['evt_1'] }],
      ['POST', '/pay', { Method: 'cash' }],
    ] as const) {
      const url = `${operatorPath}/baskets/${id}${path}`
      const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
      t.equal(answer.statusCode, 404, `${method} ${path}`)
      t.match(answer.json(), { type: /not-found$/ })
    }
  }
})

t.test('400, 401 and 403 answer a bad id, no key, and a key without the scope', async (t) => {
  const { app, call, sql } = await harbour(t)
  t.equal((await call('GET', '/baskets/kayak')).statusCode, 400)
  t.equal((await app.inject({ url: `${operatorPath}/baskets` })).statusCode, 401)
  const { headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['ota'] })
  t.equal((await app.inject({ url: `${operatorPath}/baskets`, headers })).statusCode, 403)
})

t.test(
  'baskets are listed newest first, by status and page by page, and new baskets do not shift the pages',
  async (t) => {
    const { hold, call, post } = await harbour(t)
    const made: number[] = []
    for (let n = 0; n < 5; n++) made.push((await hold([{ Participants: 1 }])).BasketID)
    await post(`/baskets/${made[1]}/cancel`)
    const seen: number[] = []
    let path = '/baskets?Limit=2'
    while (path) {
      const answer = await call('GET', path)
      t.equal(answer.statusCode, 200)
      seen.push(...answer.json().data.map(({ BasketID }: { BasketID: number }) => BasketID))
      const link = /<http:\/\/booking\.test\/api\/v2\/operator([^>]+)>; rel="next"/.exec(
        String(answer.headers.link),
      )
      path = link?.[1] ?? ''
      if (seen.length === 2) await hold([{ Participants: 1 }])
    }
    t.same(seen, made.toReversed())
    const ids = async (query: string) =>
      (await call('GET', `/baskets?${query}`))
        .json()
        .data.map(({ BasketID }: { BasketID: number }) => BasketID)
    t.same(await ids('Status=cancelled'), [made[1]])
    t.same(await ids('Status=completed'), [])
    t.same(await ids('RefundDue=true'), [])
    t.equal((await call('GET', '/baskets?Status=lost')).statusCode, 422)
    t.equal((await call('GET', '/baskets?Cursor=x')).statusCode, 422)
  },
)
