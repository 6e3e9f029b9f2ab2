/** An operator's refund decisions when a booking is cancelled, made smaller, moved or closed. */
import t from 'tap'
import { bookingBody, bookingPath, makeCaller } from '../../helper.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

const balanced = { Balance: euros('0.00') }

t.test('a cancelled sale is refunded by its terms, unless the operator chooses otherwise', async (t) => {
  const { sell, act, read, rows } = await refundDesk(t)
  const answers: unknown[] = []
  const chosen = [{}, { Choice: 'terms' }, { Choice: 'full' }, { Choice: 'none' }, { Amount: '12.3' }]
  const people = { Participants: 1 }
  for (const Refund of chosen) {
    const { basket, references } = await sell([people])
    const body = 'Choice' in Refund || 'Amount' in Refund ? { Refund } : {}
    const answer = await act(references[0]!, 'cancel', body)
    t.equal(answer.statusCode, 200, answer.body)
    answers.push(answer.json().data.Refund.Amount)
    t.match((await read(basket)).Ledger, balanced)
  }
  t.same(answers, ['22.50', '22.50', '45.00', '0.00', '12.30'])
  const cancelled = { cause: 'cancelled', by_terms_minor: 2250 }
  t.same(await rows(), [
    { ...cancelled, amount_minor: 2250, kept_minor: 2250, status: 'due' },
    { ...cancelled, amount_minor: 2250, kept_minor: 2250, status: 'due' },
    { ...cancelled, amount_minor: 4500, kept_minor: 0, status: 'due' },
    { ...cancelled, amount_minor: 0, kept_minor: 4500, status: 'none' },
    { ...cancelled, amount_minor: 1230, kept_minor: 3270, status: 'due' },
  ])
})

t.test('without refund terms, the whole paid amount is paid back', async (t) => {
  const { sell, act, rows } = await refundDesk(t, { terms: [] })
  const { references } = await sell()
  t.same((await act(references[0]!, 'cancel')).json().data.Refund, euros('90.00'))
  t.match(await rows(), [{ by_terms_minor: null, amount_minor: 9000, kept_minor: 0, status: 'due' }])
})

t.test('a smaller party is refunded a part of the difference, and the history has the amount', async (t) => {
  const { sell, act, call, read, rows } = await refundDesk(t)
  const { basket, references } = await sell([{ Participants: 3 }])
  const [reference] = references as [string]
  t.equal((await act(reference, 'amend', { Participants: 2 })).statusCode, 200)
  t.equal((await act(reference, 'amend', { Participants: 1, Refund: { Choice: 'full' } })).statusCode, 200)
  t.match(await rows(), [
    { cause: 'amended', by_terms_minor: 2250, amount_minor: 2250, kept_minor: 2250 },
    { cause: 'amended', by_terms_minor: 2250, amount_minor: 4500, kept_minor: 0 },
  ])
  const { data } = (await call('GET', `/bookings/${reference}`)).json()
  t.match(data.History.slice(-2), [
    { Action: 'amended', Details: { From: 3, To: 2, Refund: euros('22.50') } },
    { Action: 'amended', Details: { From: 2, To: 1, Refund: euros('45.00') } },
  ])
  t.equal(data.Refund, null)
  t.match((await read(basket)).Ledger, { Charged: euros('45.00'), Kept: euros('22.50'), ...balanced })
})

t.test(
  'a larger party owes more; if it becomes smaller again unpaid, it owes nothing and gets no refund',
  async (t) => {
    const { sell, act, read, rows } = await refundDesk(t)
    const { basket, references } = await sell()
    const [reference] = references as [string]
    await act(reference, 'amend', { Participants: 4 })
    t.match((await read(basket)).Ledger, { Balance: euros('90.00') })
    await act(reference, 'amend', { Participants: 2 })
    t.match((await read(basket)).Ledger, balanced)
    t.same(await rows(), [])
    t.same(
      (await act(reference, 'cancel', { Refund: { Choice: 'full' } })).json().data.Refund,
      euros('90.00'),
    )
  },
)

t.test(
  'a move to a smaller party refunds a part of the difference; a move at the same price refunds nothing',
  async (t) => {
    const { sell, act, rows, call } = await refundDesk(t)
    const { references } = await sell()
    const [reference] = references as [string]
    const there = { Date: '2030-06-15', Time: '12:00' }
    t.equal((await act(reference, 'move', there)).statusCode, 200)
    t.same(await rows(), [])
    const back = { Date: '2030-06-15', Time: '10:00', Participants: 1, Refund: { Amount: '40.00' } }
    t.equal((await act(reference, 'move', back)).statusCode, 200)
    t.match(await rows(), [{ cause: 'moved', by_terms_minor: 2250, amount_minor: 4000, kept_minor: 500 }])
    const { History } = (await call('GET', `/bookings/${reference}`)).json().data
    t.match(History.at(-1), { Action: 'moved', Details: { Refund: euros('40.00') } })
  },
)

t.test('an unpaid amount is not refunded: the sale only owes less', async (t) => {
  const { sell, act, read, rows } = await refundDesk(t)
  const later = { Method: 'cash', Amount: '0.00' }
  const { basket, references } = await sell([{}], later)
  const refused = await act(references[0]!, 'cancel', { Refund: { Amount: '0.01' } })
  t.match(refused.json(), { status: 422, errors: [{ field: 'Refund.Amount', message: /at most 0\.00/ }] })
  t.same((await act(references[0]!, 'cancel')).json().data.Refund, euros('0.00'))
  t.match((await read(basket)).Ledger, balanced)
  t.same(await rows(), [], 'nothing is decided')
})

t.test('from a deposit, only what exceeds the price of the other bookings can be refunded', async (t) => {
  const { sell, act, read } = await refundDesk(t)
  const deposit = { Method: 'cash', Amount: '100.00' }
  const { basket, references } = await sell([{}, { Time: '12:00' }], deposit)
  const [first, second] = references as [string, string]
  const refused = await act(first, 'cancel', { Refund: { Amount: '10.01' } })
  t.match(refused.json(), { status: 422, errors: [{ field: 'Refund.Amount', message: /at most 10\.00/ }] })
  t.same((await act(first, 'cancel', { Refund: { Choice: 'full' } })).json().data.Refund, euros('10.00'))
  t.match((await read(basket)).Ledger, balanced)
  t.same((await act(second, 'cancel')).json().data.Refund, euros('45.00'))
})

t.test(
  'a closure refunds all that was paid unless the request chooses otherwise, also for two bookings of one sale',
  async (t) => {
    const { sell, post, read, rows } = await refundDesk(t)
    const deposit = { Method: 'cash', Amount: '120.00' }
    const { basket, references } = await sell([{}, {}], deposit)
    const closure = { Date: '2030-06-15', Action: 'cancel' }
    const preview = async (more: object = {}) =>
      (await post('/closures/preview', { ...closure, ...more })).json().data.Totals.Refunds
    t.same(await preview(), [euros('120.00')])
    t.same(await preview({ Refund: { Choice: 'terms' } }), [euros('45.00')])
    t.same(await preview({ Refund: { Choice: 'none' } }), [euros('0.00')])
    t.same(await preview({ Refund: { Percent: '25' } }), [euros('30.00')])
    for (const Refund of [{}, { Choice: 'full', Percent: '25' }]) {
      const refused = await post('/closures/preview', { ...closure, Refund })
      t.match(refused.json(), { status: 422, errors: [{ field: 'Refund' }] })
    }
    const closed = await post('/closures', closure)
    t.match(closed.json().data.Totals, { Cancelled: 2, Refunds: [euros('120.00')] })
    t.match(await rows(), [
      { cause: 'closed', amount_minor: 3000, kept_minor: 0 },
      { cause: 'closed', amount_minor: 9000, kept_minor: 0 },
    ])
    const sale = await read(basket)
    t.match(sale.Ledger, { RefundDue: euros('120.00'), ...balanced })
    t.equal(references.length, 2)
    const moving = { ...closure, Action: 'move', MoveTo: { Date: '2030-06-16' }, Refund: { Choice: 'full' } }
    t.match((await post('/closures', moving)).json().errors, [{ field: 'Refund' }])
  },
)

t.test('an invalid refund decision gets 422 with the invalid field, and nothing is changed', async (t) => {
  const { sell, act, call, rows } = await refundDesk(t)
  const { references } = await sell()
  const [reference] = references as [string]
  const refusals: [object, string][] = [
    [{ Choice: 'half' }, 'Refund.Choice'],
    [{ Amount: 'ten' }, 'Refund.Amount'],
    [{ Amount: '10.001' }, 'Refund.Amount'],
    [{ Amount: '90.01' }, 'Refund.Amount'],
    [{ Choice: 'full', Amount: '1.00' }, 'Refund'],
    [{}, 'Refund'],
  ]
  for (const [Refund, field] of refusals) {
    const answer = await act(reference, 'cancel', { Refund })
    t.equal(answer.statusCode, 422, answer.body)
    t.match(answer.json().errors, [{ field }])
  }
  t.equal((await call('GET', `/bookings/${reference}`)).json().data.Status, 'confirmed')
  t.same(await rows(), [])
})

t.test('no refund is decided for a partner’s booking: the partner refunds its customer', async (t) => {
  const { app, sql, activityId, act, rows } = await refundDesk(t)
  const { headers } = await makeCaller(sql, { slug: 'harbour', partner: 'Atlas', scopes: ['ota'] })
  const payload = bookingBody(activityId, { Participants: 1 })
  const booked = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
  const reference: string = booked.json().data.BookingReference
  const refused = await act(reference, 'cancel', { Refund: { Choice: 'full' } })
  t.match(refused.json(), { status: 422, errors: [{ field: 'Refund', message: /partner/ }] })
  t.same((await act(reference, 'cancel')).json().data.Refund, euros('22.50'))
  t.same(await rows(), [])
})

t.test('concurrent requests with one Idempotency-Key decide a refund once', async (t) => {
  const { sell, act, rows } = await refundDesk(t)
  const { references } = await sell([{ Participants: 3 }])
  const [reference] = references as [string]
  const amend = () => act(reference, 'amend', { Participants: 1 }, { 'idempotency-key': 'k' })
  const answers = await Promise.all([amend(), amend(), amend()])
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  t.match(await rows(), [{ amount_minor: 4500, kept_minor: 4500 }])
  t.equal((await rows()).length, 1)
})

t.test('concurrent cancellations of bookings of one sale never pay back more than was paid', async (t) => {
  const { sell, act, read, sql } = await refundDesk(t)
  const deposit = { Method: 'cash', Amount: '70.00' }
  const { basket, references } = await sell([{}, {}, { Time: '12:00' }], deposit)
  const full = { Refund: { Choice: 'full' } }
  const answers = await Promise.all([
    ...references.map((reference) => act(reference, 'cancel', full)),
    act(references[2]!, 'amend', { Participants: 1, ...full }),
  ])
  t.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409))
  const [sum] = await sql<{ due: number }[]>`select sum(amount_minor)::bigint as due from refunds`
  t.equal(sum!.due, 7000)
  t.match((await read(basket)).Ledger, { RefundDue: euros('70.00'), ...balanced })
})

t.test(
  'after a cancellation and a payment at the same time, all paid money is due as a refund',
  async (t) => {
    const { sell, act, read, post } = await refundDesk(t)
    for (let round = 0; round < 5; round++) {
      const { basket, references } = await sell([{ Participants: 1 }], { Method: 'cash', Amount: '20.00' })
      const payment = { Method: 'card', Amount: '25.00' }
      const [cancelled, paid] = await Promise.all([
        act(references[0]!, 'cancel', { Refund: { Choice: 'full' } }),
        post(`/baskets/${basket.BasketID}/payments`, payment),
      ])
      t.equal(cancelled.statusCode, 200)
      const isPaid = paid.statusCode === 200
      t.match((await read(basket)).Ledger, { RefundDue: euros(isPaid ? '45.00' : '20.00'), ...balanced })
    }
  },
)

t.test('the price of a sale that the previous version completed counts as paid', async (t) => {
  const { sell, act, sql, rows, read } = await refundDesk(t)
  const { basket, references } = await sell([{}, { Time: '12:00' }])
  await sql`delete from payments`
  t.same((await act(references[0]!, 'cancel')).json().data.Refund, euros('45.00'))
  t.match(await rows(), [{ amount_minor: 4500, kept_minor: 4500 }])
  t.match((await read(basket)).Ledger, { Paid: euros('180.00'), RefundDue: euros('45.00'), ...balanced })
})
