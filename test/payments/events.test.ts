/** A payment provider's events: one subtest for each promised status and rule. */
import t from 'tap'
import { sign } from '../../src/payments/model.ts'
import { createSecret, findNewestSecret, listSecrets, revokeSecret } from '../../src/payments/secrets.ts'
import { sweepExpiredHolds } from '../../src/places/expiry.ts'
import { makeCaller } from '../helper.ts'
import { harbour, secretKey, statuses } from '../orders/fixtures.ts'

const now = () => Math.floor(Date.now() / 1000)
const outcomeOf = (answer: { json: () => { data?: unknown } }) => answer.json().data

t.test('succeeded confirms every line, completes the basket, and meters it once', async (t) => {
  const { hold, tell, read, metered, counters, sql } = await harbour(t)
  const basket = await hold([{}, { Time: '12:00' }])
  const answer = await tell(basket, { Reference: 'ch_1' })
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), { data: { ID: 'evt_1', Outcome: 'completed', BasketStatus: 'completed' } })
  const paid = await read(basket)
  t.match(paid, {
    Status: 'completed',
    Payment: { Method: 'online', Reference: 'ch_1' },
    Payments: [
      {
        ID: 'evt_1',
        Type: 'succeeded',
        Amount: '180.00',
        Currency: 'EUR',
        Outcome: 'completed',
        RefundReason: null,
      },
    ],
  })
  t.same(statuses(paid), ['confirmed', 'confirmed'])
  t.same(await metered(), [basket.BasketID])
  t.same(await counters(), { booked: 2, held: 0 })
  const history = await sql`select actor, actor_id, action from booking_changes where action = 'confirmed'`
  t.same(history, Array(2).fill({ actor: 'payment', actor_id: null, action: 'confirmed' }))
})

t.test('failed frees the places, and those who wait are offered them', async (t) => {
  const { hold, tell, read, counters, sql, accountId } = await harbour(t)
  const basket = await hold([{ Participants: 8 }])
  await sql`insert into baskets (account_id, id, status, channel) values (${accountId}, 1000000, 'waiting', 'online')`
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, channel, status, reference, participants, answers)
    select account_id, 1000000, 1000000, id, 'online', 'waitlisted', 'WAYTWAYTWA', 3, '[]' from timeslots where time = '10:00'`
  await sql`
    insert into waitlist_entries (account_id, booking_id, timeslot_id)
    select account_id, 1000000, id from timeslots where time = '10:00'`
  t.same(outcomeOf(await tell(basket, { Type: 'failed' })), {
    ID: 'evt_1',
    Outcome: 'released',
    BasketStatus: 'cancelled',
  })
  t.same(statuses(await read(basket)), ['cancelled'])
  t.same(await counters(), { booked: 0, held: 3 })
  const offered = await read({ BasketID: 1_000_000 })
  t.equal(offered.Status, 'open')
  t.same(outcomeOf(await tell(offered, { ID: 'evt_2' })), {
    ID: 'evt_2',
    Outcome: 'completed',
    BasketStatus: 'completed',
  })
  t.same(await counters(), { booked: 3, held: 0 })
  t.same(await sql`select status from waitlist_entries`, [{ status: 'taken' }])
})

t.test('failed after the basket was completed is ignored', async (t) => {
  const { hold, tell, read } = await harbour(t)
  const basket = await hold()
  await tell(basket)
  const answer = await tell(basket, { ID: 'evt_2', Type: 'failed' })
  t.same(outcomeOf(answer), { ID: 'evt_2', Outcome: 'ignored', BasketStatus: 'completed' })
  t.same(statuses(await read(basket)), ['confirmed'])
})

t.test('paid too late, a basket is completed while all its places can be had', async (t) => {
  const { hold, tell, read, runOut, counters, metered, sql } = await harbour(t)
  for (const [index, swept] of [false, true].entries()) {
    const basket = await hold([{}, { Time: '12:00', Participants: 1 }])
    await runOut(basket)
    if (swept) await sweepExpiredHolds(sql)
    t.match(outcomeOf(await tell(basket, { ID: `evt_${index}` })), { Outcome: 'completed' })
    t.same(statuses(await read(basket)), ['confirmed', 'confirmed'])
  }
  t.same(await counters(), { booked: 4, held: 0 })
  t.equal((await metered()).length, 2)
})

t.test('paid when places are gone, it is refund-due, takes nothing, and frees what it held', async (t) => {
  const { hold, tell, read, runOut, post, counters, metered, call } = await harbour(t)
  const basket = await hold([{}, { Time: '12:00' }])
  await runOut(basket)
  // Whoever needed the places at 10:00 ended that hold; the one at 12:00 stands.
  await hold([{ Participants: 8 }])
  t.same(await counters('12:00'), { booked: 0, held: 2 })
  const answer = await tell(basket)
  t.same(outcomeOf(answer), { ID: 'evt_1', Outcome: 'refund-due', BasketStatus: 'refund-due' })
  t.match(await read(basket), {
    Status: 'refund-due',
    RefundReason: 'places-gone',
    Payments: [{ Outcome: 'refund-due', RefundReason: 'places-gone', Amount: '180.00', RefundedAt: null }],
  })
  t.same(await counters('12:00'), { booked: 0, held: 0 })
  t.same(await counters('10:00'), { booked: 0, held: 8 })
  t.same(await metered(), [])
  for (const query of ['Status=refund-due', 'RefundDue=true'])
    t.match((await call('GET', `/baskets?${query}`)).json().data, [{ BasketID: basket.BasketID }])

  const refunded = await post(`/baskets/${basket.BasketID}/refunded`)
  t.equal(refunded.statusCode, 200)
  t.match(refunded.json().data, { Status: 'refunded', Payments: [{ RefundedAt: String }] })
  t.match((await post(`/baskets/${basket.BasketID}/refunded`)).json(), {
    status: 409,
    type: /no-refund-due$/,
  })
  t.same((await call('GET', '/baskets?RefundDue=true')).json().data, [])
})

t.test('an amount or currency that is not the total is refund-due, and frees the places', async (t) => {
  const { hold, tell, read, counters, metered } = await harbour(t)
  const wrong = [
    { Amount: '89.99' },
    { Amount: '90.01' },
    { Currency: 'USD' },
    { Amount: '90.001' },
    { Currency: 'XXX' },
  ]
  for (const [index, changes] of wrong.entries()) {
    const basket = await hold()
    t.match(outcomeOf(await tell(basket, { ID: `evt_${index}`, ...changes })), { Outcome: 'refund-due' })
    t.match(await read(basket), { Status: 'refund-due', RefundReason: 'amount-differs' })
    t.same(await counters(), { booked: 0, held: 0 })
  }
  t.same(await metered(), [])
  t.match(outcomeOf(await tell(await hold(), { ID: 'evt_9', Amount: '90.0' })), { Outcome: 'completed' })
})

t.test(
  'paid twice, a basket stays sold, is metered once, and the second payment is refund-due',
  async (t) => {
    const { hold, tell, read, post, call, metered, counters } = await harbour(t)
    const basket = await hold()
    await tell(basket, { Reference: 'ch_1' })
    t.same(outcomeOf(await tell(basket, { ID: 'evt_2', Reference: 'ch_2' })), {
      ID: 'evt_2',
      Outcome: 'refund-due',
      BasketStatus: 'completed',
    })
    t.match(await read(basket), {
      Status: 'completed',
      RefundReason: null,
      Payments: [
        { Outcome: 'completed' },
        { Outcome: 'refund-due', RefundReason: 'paid-twice', Reference: 'ch_2' },
      ],
    })
    t.same(await metered(), [basket.BasketID])
    t.same(await counters(), { booked: 2, held: 0 })
    t.match((await call('GET', '/baskets?RefundDue=true')).json().data, [{ BasketID: basket.BasketID }])
    const refunded = await post(`/baskets/${basket.BasketID}/refunded`)
    t.match(refunded.json().data, {
      Status: 'completed',
      Payments: [{ RefundedAt: null }, { RefundedAt: String }],
    })
  },
)

t.test('two events that tell of one payment, by its Reference, are one payment', async (t) => {
  const { hold, tell, read } = await harbour(t)
  const basket = await hold()
  await tell(basket, { Reference: 'ch_1' })
  const answer = await tell(basket, { ID: 'evt_2', Reference: 'ch_1' })
  t.same(outcomeOf(answer), { ID: 'evt_2', Outcome: 'ignored', BasketStatus: 'completed' })
  t.same(
    (await read(basket)).Payments.map(({ Outcome }) => Outcome),
    ['completed', 'ignored'],
  )
})

t.test('paid at the till and online, the online payment is refund-due', async (t) => {
  const { hold, tell, post, metered } = await harbour(t)
  const basket = await hold()
  await post(`/baskets/${basket.BasketID}/pay`, { Method: 'cash' })
  t.match(outcomeOf(await tell(basket)), { Outcome: 'refund-due', BasketStatus: 'completed' })
  t.equal((await metered()).length, 1)
})

t.test('a basket that was cancelled or emptied is refund-due when it is paid', async (t) => {
  const { hold, tell, post, call, read, metered } = await harbour(t)
  const cancelled = await hold()
  await post(`/baskets/${cancelled.BasketID}/cancel`)
  t.match(outcomeOf(await tell(cancelled)), { Outcome: 'refund-due', BasketStatus: 'refund-due' })
  t.equal((await read(cancelled)).RefundReason, 'not-payable')
  const emptied = await hold()
  await call('DELETE', `/baskets/${emptied.BasketID}/lines/${emptied.Lines[0]!.BookingReference}`)
  t.match(outcomeOf(await tell(emptied, { ID: 'evt_2' })), { Outcome: 'refund-due' })
  t.equal((await read(emptied)).RefundReason, 'basket-empty')
  t.match(outcomeOf(await tell(emptied, { ID: 'evt_3' })), { Outcome: 'refund-due' })
  t.equal((await read(emptied)).Payments.length, 2)
  t.same(await metered(), [])
})

t.test('the same event again, also at once, is answered as the first time and does nothing', async (t) => {
  const { hold, tell, post, metered, sql } = await harbour(t)
  const basket = await hold()
  const answers = await Promise.all([...Array(8)].map(() => tell(basket)))
  for (const answer of answers) {
    t.equal(answer.statusCode, 200)
    t.same(outcomeOf(answer), { ID: 'evt_1', Outcome: 'completed', BasketStatus: 'completed' })
  }
  t.same(await metered(), [basket.BasketID])
  t.equal((await sql`select from payment_events`).length, 1)
  // Also when the basket has changed since.
  const late = await hold()
  await tell(late, { ID: 'evt_2', Amount: '1.00' })
  await post(`/baskets/${late.BasketID}/refunded`)
  t.match(outcomeOf(await tell(late, { ID: 'evt_2', Amount: '1.00' })), { BasketStatus: 'refund-due' })
})

t.test('many different events for one basket at once sell it once', async (t) => {
  const { hold, tell, metered, counters, call } = await harbour(t)
  const basket = await hold([{ Time: '12:00', Participants: 4 }, {}])
  const events = [...Array(12)].map((_, index) =>
    tell(basket, { ID: `evt_${index}`, Type: index % 4 === 3 ? 'failed' : 'succeeded' }),
  )
  const outcomes = (await Promise.all(events)).map((answer) => answer.json().data.Outcome)
  const sold = outcomes.filter((outcome) => outcome === 'completed').length
  const released = outcomes.filter((outcome) => outcome === 'released').length
  t.equal(sold + released, 1, 'whichever came first')
  t.equal((await metered()).length, sold)
  t.same(await counters('12:00'), { booked: 4 * sold, held: 0 })
  const [view] = (await call('GET', '/baskets?RefundDue=true')).json().data
  const due = view.Payments.filter(({ Outcome }: { Outcome: string }) => Outcome === 'refund-due')
  t.equal(due.length, 9 - sold)
})

t.test('422 payment-event-reused answers the ID of another event, and nothing changes', async (t) => {
  const { hold, tell, read } = await harbour(t)
  const [basket, other] = [await hold(), await hold()]
  await tell(basket, { Type: 'failed' })
  for (const changes of [
    { Type: 'succeeded' },
    { Type: 'failed', Amount: '1.00' },
    { Type: 'failed', Reference: 'x' },
  ]) {
    const answer = await tell(basket, changes)
    t.equal(answer.statusCode, 422)
    t.match(answer.json(), { type: 'http://booking.test/problems/payment-event-reused' })
  }
  t.equal((await tell(other, { Type: 'failed' })).statusCode, 422)
  t.equal((await read(other)).Status, 'open')
})

t.test('404 answers a basket that the account has not, and the event may come again', async (t) => {
  const { hold, tell, sql } = await harbour(t)
  const basket = await hold()
  const answer = await tell({ ...basket, BasketID: 999_999 })
  t.equal(answer.statusCode, 404)
  t.match(answer.json(), { type: /not-found$/ })
  t.equal((await sql`select from payment_events`).length, 0)
  t.equal((await tell(basket)).statusCode, 200)
})

t.test('422 names every field that fails, once the signature is good', async (t) => {
  const { hold, tell, sendSigned, secret } = await harbour(t)
  const basket = await hold()
  const answer = await tell(basket, { ID: '', Type: 'refunded', BasketID: '1', Amount: 90, Currency: 'eur' })
  t.equal(answer.statusCode, 422)
  const fields = answer.json().errors.map(({ field }: { field: string }) => field)
  t.same(fields.sort(), ['Amount', 'BasketID', 'Currency', 'ID', 'Type'])
  const little = JSON.stringify({ Account: 'harbour' })
  t.equal((await sendSigned(little, sign(secret, now(), Buffer.from(little)))).statusCode, 422)
})

t.test('401 invalid-signature answers whatever is not signed, and nothing changes', async (t) => {
  const { hold, event, sendSigned, secret, read, sql } = await harbour(t)
  const { accountId: otherId } = await makeCaller(sql, { slug: 'other' })
  const foreign = await createSecret(sql, secretKey, otherId)
  const basket = await hold()
  const body = JSON.stringify(event(basket))
  const signed = (seconds = now(), by = secret, text = body) => sign(by, seconds, Buffer.from(text))
  const elsewhere = JSON.stringify(event(basket, { Account: 'nobody' }))
  const nameless = JSON.stringify({ ...event(basket), Account: undefined })
  const cases: [string, string | undefined][] = [
    [body, undefined],
    [body, 'good morning'],
    [body, `t=${now()}`],
    [body, signed(now(), 'pay_guess')],
    [body, signed(now(), foreign)],
    [body, signed(now() - 301)],
    [body, signed(now() + 302)],
    [`${body} `, signed()],
    [elsewhere, signed(now(), secret, elsewhere)],
    [nameless, signed(now(), secret, nameless)],
    ['[]', signed(now(), secret, '[]')],
    ['"text"', signed(now(), secret, '"text"')],
    ['', signed(now(), secret, '')],
  ]
  for (const [text, signature] of cases) {
    const answer = await sendSigned(text, signature)
    t.equal(answer.statusCode, 401, `${text} ${signature}`)
    t.match(answer.json(), { type: 'http://booking.test/problems/invalid-signature' })
    t.ok(answer.headers['www-authenticate'])
  }
  t.equal((await read(basket)).Status, 'open')
  t.equal((await sql`select from payment_events`).length, 0)
})

t.test('the very bytes that were sent are signed, whatever they mean', async (t) => {
  const { hold, event, sendSigned, secret } = await harbour(t)
  const text = JSON.stringify(event(await hold()), null, 3).replace('"evt_1"', '"evt_\\u0031"')
  t.equal((await sendSigned(text, sign(secret, now(), Buffer.from(text)))).statusCode, 200)
})

t.test('two secrets are live at most, either of which signs until it is revoked', async (t) => {
  const { hold, event, sendSigned, secret, sql, accountId } = await harbour(t)
  const second = await createSecret(sql, secretKey, accountId)
  await t.rejects(createSecret(sql, secretKey, accountId), /two secrets are live/)
  t.equal(await findNewestSecret(sql, secretKey, accountId), second)
  const send = async (ID: string, by: string) => {
    const body = JSON.stringify(event(await hold([{ Participants: 1 }]), { ID }))
    return (await sendSigned(body, sign(by, now(), Buffer.from(body)))).statusCode
  }
  t.equal(await send('evt_1', secret), 200)
  t.equal(await send('evt_2', second), 200)
  const [newest, oldest] = await listSecrets(sql, secretKey, accountId)
  t.match([newest!.status, oldest!.status], ['live', 'live'])
  t.equal(await revokeSecret(sql, accountId, oldest!.id), true)
  t.equal(await revokeSecret(sql, accountId, oldest!.id), false)
  t.equal(await send('evt_3', secret), 401)
  t.equal(await send('evt_4', second), 200)
  const made = await Promise.allSettled([1, 2, 3].map(() => createSecret(sql, secretKey, accountId)))
  t.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
})

t.test('503 says so where the service has no SECRET_KEY, and 401 where it is another', async (t) => {
  const without = await harbour(t, {})
  const answer = await without.tell(await without.hold())
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { type: /unavailable$/, detail: /SECRET_KEY/ })
  t.ok(answer.headers['retry-after'])
  const other = await harbour(t, { SECRET_KEY: 'another secret key, not the one of the tests' })
  t.equal((await other.tell(await other.hold())).statusCode, 401)
})

t.test('400, 413 and 415 answer broken JSON, a large body and another type', async (t) => {
  const { app, sendSigned } = await harbour(t)
  t.equal((await sendSigned('{', 't=1,v1=2')).statusCode, 400)
  t.equal((await sendSigned(`"${'x'.repeat(2 ** 20)}"`, 't=1,v1=2')).statusCode, 413)
  const url = '/api/v2/payments/events'
  const headers = { 'content-type': 'text/plain' }
  t.equal((await app.inject({ method: 'POST', url, headers, payload: 'x' })).statusCode, 415)
  t.equal((await app.inject({ method: 'POST', url })).statusCode, 401)
})
