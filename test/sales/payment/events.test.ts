/** A payment provider's events: their rules, and the statuses of their responses. */
import t from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { sign } from '../../../src/sales/payment/model.ts'
import { harbour, statuses } from '../basket/fixtures.ts'

const now = () => Math.floor(Date.now() / 1000)
const outcomeOf = (answer: { json: () => { data?: unknown } }) => answer.json().data

t.test('a succeeded event confirms every line, completes the basket, and meters it once', async (t) => {
  const { hold, sendPaymentEvent, read, metered, counters, sql } = await harbour(t)
  const basket = await hold([{}, { Time: '12:00' }])
  const answer = await sendPaymentEvent(basket, { Reference: 'ch_1' })
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
  const history = await sql`select actor, actor_id, type from events where type = 'booking.confirmed'`
  t.same(history, Array(2).fill({ actor: 'payment', actor_id: null, type: 'booking.confirmed' }))
})

t.test('a failed event frees the places, and offers them to the waitlist', async (t) => {
  const { hold, sendPaymentEvent, read, counters, sql, accountId } = await harbour(t)
  const basket = await hold([{ Participants: 8 }])
  await sql`insert into baskets (account_id, id, status, channel) values (${accountId}, 1000000, 'waiting', 'online')`
  await sql`
    insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, channel, status, reference, participants, answers)
    select 4500, 'EUR', account_id, 1000000, 1000000, id, 'online', 'waitlisted', 'WAYTWAYTWA', 3, '[]' from timeslots where time = '10:00'`
  await sql`
    insert into waitlist_entries (account_id, booking_id, timeslot_id)
    select account_id, 1000000, id from timeslots where time = '10:00'`
  t.same(outcomeOf(await sendPaymentEvent(basket, { Type: 'failed' })), {
    ID: 'evt_1',
    Outcome: 'released',
    BasketStatus: 'cancelled',
  })
  t.same(statuses(await read(basket)), ['cancelled'])
  t.same(await counters(), { booked: 0, held: 3 })
  const offered = await read({ BasketID: 1_000_000 })
  t.equal(offered.Status, 'open')
  t.same(outcomeOf(await sendPaymentEvent(offered, { ID: 'evt_2' })), {
    ID: 'evt_2',
    Outcome: 'completed',
    BasketStatus: 'completed',
  })
  t.same(await counters(), { booked: 3, held: 0 })
  t.same(await sql`select status from waitlist_entries`, [{ status: 'taken' }])
})

t.test('a failed event after the basket was completed is ignored', async (t) => {
  const { hold, sendPaymentEvent, read } = await harbour(t)
  const basket = await hold()
  await sendPaymentEvent(basket)
  const answer = await sendPaymentEvent(basket, { ID: 'evt_2', Type: 'failed' })
  t.same(outcomeOf(answer), { ID: 'evt_2', Outcome: 'ignored', BasketStatus: 'completed' })
  t.same(statuses(await read(basket)), ['confirmed'])
})

t.test('a basket that is paid late is completed if all its places are still free', async (t) => {
  const { hold, sendPaymentEvent, read, expireBasket, counters, metered, sql } = await harbour(t)
  for (const [index, swept] of [false, true].entries()) {
    const basket = await hold([{}, { Time: '12:00', Participants: 1 }])
    await expireBasket(basket)
    if (swept) await sweepExpiredHolds(sql)
    t.match(outcomeOf(await sendPaymentEvent(basket, { ID: `evt_${index}` })), { Outcome: 'completed' })
    t.same(statuses(await read(basket)), ['confirmed', 'confirmed'])
  }
  t.same(await counters(), { booked: 4, held: 0 })
  t.equal((await metered()).length, 2)
})

t.test(
  'a basket that is paid when places are gone is refund-due, and frees the places that it still held',
  async (t) => {
    const { hold, sendPaymentEvent, read, expireBasket, post, counters, metered, call } = await harbour(t)
    const basket = await hold([{}, { Time: '12:00' }])
    await expireBasket(basket)
    // This basket needs the places at 10:00 and ends the expired hold on them; the hold at 12:00 stays.
    await hold([{ Participants: 8 }])
    t.same(await counters('12:00'), { booked: 0, held: 2 })
    const answer = await sendPaymentEvent(basket)
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

    const refunded = await post(`/baskets/${basket.BasketID}/refunded`, { Payments: ['evt_1'] })
    t.equal(refunded.statusCode, 200)
    t.match(refunded.json().data, { Status: 'refunded', Payments: [{ RefundedAt: String }] })
    t.match((await post(`/baskets/${basket.BasketID}/refunded`, { Payments: ['evt_1'] })).json(), {
      status: 409,
      type: /no-refund-due$/,
      Status: 'refunded',
      Payments: ['evt_1'],
    })
    t.same((await call('GET', '/baskets?RefundDue=true')).json().data, [])
  },
)

t.test(
  'a payment whose amount or currency differs from the total is refund-due, and frees the places',
  async (t) => {
    const { hold, sendPaymentEvent, read, counters, metered } = await harbour(t)
    const wrong = [
      { Amount: '89.99' },
      { Amount: '90.01' },
      { Currency: 'USD' },
      { Amount: '90.001' },
      { Currency: 'XXX' },
    ]
    for (const [index, changes] of wrong.entries()) {
      const basket = await hold()
      t.match(outcomeOf(await sendPaymentEvent(basket, { ID: `evt_${index}`, ...changes })), {
        Outcome: 'refund-due',
      })
      t.match(await read(basket), { Status: 'refund-due', RefundReason: 'amount-differs' })
      t.same(await counters(), { booked: 0, held: 0 })
    }
    t.same(await metered(), [])
    t.match(outcomeOf(await sendPaymentEvent(await hold(), { ID: 'evt_9', Amount: '90.0' })), {
      Outcome: 'completed',
    })
  },
)

t.test(
  'a basket that is paid twice stays sold, is metered once, and the second payment is refund-due',
  async (t) => {
    const { hold, sendPaymentEvent, read, post, call, metered, counters } = await harbour(t)
    const basket = await hold()
    await sendPaymentEvent(basket, { Reference: 'ch_1' })
    t.same(outcomeOf(await sendPaymentEvent(basket, { ID: 'evt_2', Reference: 'ch_2' })), {
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
    const refunded = await post(`/baskets/${basket.BasketID}/refunded`, { Payments: ['evt_2'] })
    t.match(refunded.json().data, {
      Status: 'completed',
      Payments: [{ RefundedAt: null }, { RefundedAt: String }],
    })
  },
)

t.test('two events with the same Reference are one payment', async (t) => {
  const { hold, sendPaymentEvent, read } = await harbour(t)
  const basket = await hold()
  await sendPaymentEvent(basket, { Reference: 'ch_1' })
  const answer = await sendPaymentEvent(basket, { ID: 'evt_2', Reference: 'ch_1' })
  t.same(outcomeOf(answer), { ID: 'evt_2', Outcome: 'ignored', BasketStatus: 'completed' })
  t.same(
    (await read(basket)).Payments.map(({ Outcome }) => Outcome),
    ['completed', 'ignored'],
  )
})

t.test('a basket that was paid at the till is not paid again: an online payment is refund-due', async (t) => {
  const { hold, sendPaymentEvent, post, metered } = await harbour(t)
  const basket = await hold()
  await post(`/baskets/${basket.BasketID}/pay`, { Method: 'cash' })
  t.match(outcomeOf(await sendPaymentEvent(basket)), { Outcome: 'refund-due', BasketStatus: 'completed' })
  t.equal((await metered()).length, 1)
})

t.test('a payment of a cancelled or empty basket is refund-due, and takes no places', async (t) => {
  const { hold, sendPaymentEvent, post, call, read, metered, counters } = await harbour(t)
  const cancelled = await hold()
  await post(`/baskets/${cancelled.BasketID}/cancel`)
  t.match(outcomeOf(await sendPaymentEvent(cancelled)), { Outcome: 'refund-due', BasketStatus: 'refund-due' })
  t.equal((await read(cancelled)).RefundReason, 'not-payable')
  const emptied = await hold()
  await call('DELETE', `/baskets/${emptied.BasketID}/lines/${emptied.Lines[0]!.BookingReference}`)
  t.match(outcomeOf(await sendPaymentEvent(emptied, { ID: 'evt_2' })), { Outcome: 'refund-due' })
  t.equal((await read(emptied)).RefundReason, 'basket-empty')
  t.match(outcomeOf(await sendPaymentEvent(emptied, { ID: 'evt_3' })), { Outcome: 'refund-due' })
  t.equal((await read(emptied)).Payments.length, 2)
  t.same(await metered(), [])
  t.same(await counters(), { booked: 0, held: 0 })
})

t.test('a repeated event, even a concurrent one, gets the first response and changes nothing', async (t) => {
  const { hold, sendPaymentEvent, post, metered, sql } = await harbour(t)
  const basket = await hold()
  const answers = await Promise.all([...Array(8)].map(() => sendPaymentEvent(basket)))
  for (const answer of answers) {
    t.equal(answer.statusCode, 200)
    t.same(outcomeOf(answer), { ID: 'evt_1', Outcome: 'completed', BasketStatus: 'completed' })
  }
  t.same(await metered(), [basket.BasketID])
  t.equal((await sql`select from payment_events`).length, 1)
  // The response stays the same after the basket has changed.
  const late = await hold()
  await sendPaymentEvent(late, { ID: 'evt_2', Amount: '1.00' })
  await post(`/baskets/${late.BasketID}/refunded`, { Payments: ['evt_2'] })
  t.match(outcomeOf(await sendPaymentEvent(late, { ID: 'evt_2', Amount: '1.00' })), {
    BasketStatus: 'refund-due',
  })
})

t.test('of many different concurrent events for one basket, only one sells or releases it', async (t) => {
  const { hold, sendPaymentEvent, metered, counters, call } = await harbour(t)
  const basket = await hold([{ Time: '12:00', Participants: 4 }, {}])
  const events = [...Array(12)].map((_, index) =>
    sendPaymentEvent(basket, { ID: `evt_${index}`, Type: index % 4 === 3 ? 'failed' : 'succeeded' }),
  )
  const outcomes = (await Promise.all(events)).map((answer) => answer.json().data.Outcome)
  const sold = outcomes.filter((outcome) => outcome === 'completed').length
  const released = outcomes.filter((outcome) => outcome === 'released').length
  t.equal(sold + released, 1, 'only the first event sells or releases the basket')
  t.equal((await metered()).length, sold)
  t.same(await counters('12:00'), { booked: 4 * sold, held: 0 })
  const [view] = (await call('GET', '/baskets?RefundDue=true')).json().data
  const due = view.Payments.filter(({ Outcome }: { Outcome: string }) => Outcome === 'refund-due')
  t.equal(due.length, 9 - sold)
})

t.test(
  'payments and the sweep of the same expired baskets at the same time leave each basket sold once',
  async (t) => {
    const { hold, sendPaymentEvent, expireBasket, metered, counters, sql } = await harbour(t)
    const baskets = await Promise.all([...Array(8)].map(() => hold([{ Participants: 1 }])))
    await Promise.all(baskets.map(expireBasket))
    const paying = baskets.map((basket, index) => sendPaymentEvent(basket, { ID: `evt_${index}` }))
    await Promise.all([...paying, sweepExpiredHolds(sql), sweepExpiredHolds(sql)])
    for (const answer of await Promise.all(paying)) t.match(outcomeOf(answer), { Outcome: 'completed' })
    t.same(await counters(), { booked: 8, held: 0 })
    t.equal((await metered()).length, 8)
    t.equal(await sweepExpiredHolds(sql), 0)
  },
)

t.test('an event that reuses the ID of a different event gets 422 payment-event-reused', async (t) => {
  const { hold, sendPaymentEvent, read } = await harbour(t)
  const [basket, other] = [await hold(), await hold()]
  await sendPaymentEvent(basket, { Type: 'failed' })
  for (const changes of [
    { Type: 'succeeded' },
    { Type: 'failed', Amount: '1.00' },
    { Type: 'failed', Reference: 'x' },
  ]) {
    const answer = await sendPaymentEvent(basket, changes)
    t.equal(answer.statusCode, 422)
    t.match(answer.json(), { type: 'http://booking.test/problems/payment-event-reused' })
  }
  t.equal((await sendPaymentEvent(other, { Type: 'failed' })).statusCode, 422)
  t.equal((await read(other)).Status, 'open')
})

t.test(
  'an event for a basket that the account does not have gets 404, and its ID can be used again',
  async (t) => {
    const { hold, sendPaymentEvent, sql } = await harbour(t)
    const basket = await hold()
    const answer = await sendPaymentEvent({ ...basket, BasketID: 999_999 })
    t.equal(answer.statusCode, 404)
    t.match(answer.json(), { type: /not-found$/ })
    t.equal((await sql`select from payment_events`).length, 0)
    t.equal((await sendPaymentEvent(basket)).statusCode, 200)
  },
)

t.test('a signed event with invalid fields gets 422 with every invalid field', async (t) => {
  const { hold, sendPaymentEvent, sendSigned, secret } = await harbour(t)
  const basket = await hold()
  const answer = await sendPaymentEvent(basket, {
    ID: '',
    Type: 'disputed',
    BasketID: '1',
    Amount: 90,
    Currency: 'eur',
  })
  t.equal(answer.statusCode, 422)
  const fields = answer.json().errors.map(({ field }: { field: string }) => field)
  t.same(fields.sort(), ['Amount', 'BasketID', 'Currency', 'ID', 'Type'])
  const little = JSON.stringify({ Account: 'harbour' })
  t.equal((await sendSigned(little, sign(secret, now(), Buffer.from(little)))).statusCode, 422)
})

t.test(
  'NUL or a lone surrogate in any field gets 422, and other control characters are stored as text',
  async (t) => {
    const { hold, sendPaymentEvent, read } = await harbour(t)
    const basket = await hold()
    for (const field of ['ID', 'Currency', 'Amount', 'Reference', 'Note', 'Type'])
      for (const text of ['a\u0000b', 'a\ud800b']) {
        const answer = await sendPaymentEvent(basket, { [field]: text })
        t.equal(answer.statusCode, 422, field)
      }
    const Reference = 'ch\r\nX-Added: 1\u001b[31m'
    const answer = await sendPaymentEvent(basket, { ID: 'evt\r\nX-Added: 1', Reference })
    t.equal(answer.statusCode, 200)
    t.notOk(answer.headers['x-added'])
    t.match(await read(basket), { Payment: { Reference }, Payments: [{ ID: 'evt\r\nX-Added: 1' }] })
  },
)
