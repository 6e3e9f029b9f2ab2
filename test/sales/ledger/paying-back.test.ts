/** Refunds that are due: their list, and marking them as paid back by hand or by the provider's event. */
import t, { type Test } from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { byUser } from '../../../src/events/actor.ts'
import { withoutRequest } from '../../../src/http/idempotent-request.ts'
import { payBack } from '../../../src/sales/ledger/paying-back.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

t.test('a refund is due until it is marked as paid back, which adds an entry to the ledger', async (t) => {
  const { sell, act, listRefunds, markDone, read, sql } = await refundDesk(t)
  const { basket, references } = await sell()
  await act(references[0]!, 'cancel')
  const [due] = await listRefunds()
  t.match(due, {
    ...{ Source: 'decision', BasketID: basket.BasketID, BookingReference: references[0], Status: 'due' },
    ...{ Reason: 'cancelled', Refund: euros('45.00'), ByTerms: euros('45.00'), Kept: euros('45.00') },
    ...{ PaidBy: ['card'], Customer: { FirstName: 'Ada' }, DoneAt: null, Method: null },
  })
  const done = await markDone(due!, { Method: 'card', Reference: 'T1-9' })
  t.match(done.json().data, { Status: 'done', DoneAt: String, Method: 'card', Reference: 'T1-9' })
  t.same(await listRefunds(), [])
  t.match(await listRefunds('?Status=done'), [{ RefundID: due!.RefundID, Method: 'card' }])
  t.match((await read(basket)).Ledger, {
    ...{ PaidBack: euros('45.00'), RefundDue: euros('0.00'), Balance: euros('0.00') },
    Entries: [{}, { Type: 'refund', Method: 'card', ...euros('45.00'), Reference: 'T1-9' }],
  })
  t.match(await sql`select type, details from events where type like 'refund.%' order by id`, [
    { type: 'refund.due', details: { Reason: 'cancelled', RefundID: due!.RefundID, ...euros('45.00') } },
    { type: 'refund.done', details: { RefundID: due!.RefundID, Method: 'card', ...euros('45.00') } },
  ])
})

t.test('a refund that concurrent requests mark as paid back is paid back once', async (t) => {
  const { sell, act, listRefunds, markDone, sql } = await refundDesk(t)
  const { references } = await sell()
  await act(references[0]!, 'cancel')
  const [due] = await listRefunds()
  const answers = await Promise.all([markDone(due!), markDone(due!), markDone(due!)])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409])
  t.match((await markDone(due!)).json(), { type: /refund-not-due$/, Status: 'done' })
  t.equal((await sql`select from payments where kind = 'refund'`).length, 1)
  const other = await sell()
  await act(other.references[0]!, 'cancel')
  const [next] = await listRefunds()
  const key = { 'idempotency-key': 'k' }
  const [one, again] = [await markDone(next!, {}, key), await markDone(next!, { Method: 'cash' }, key)]
  t.equal(one.statusCode, 422, 'the method is required')
  t.equal(again.statusCode, 200)
  const replayed = await markDone(next!, { Method: 'cash' }, key)
  t.equal(replayed.headers['idempotency-replayed'], 'true')
})

t.test('a part that is paid back is a separate refund, and the rest stays due', async (t) => {
  const { sell, act, listRefunds, markDone, read } = await refundDesk(t)
  const { basket, references } = await sell()
  await act(references[0]!, 'cancel')
  const [due] = await listRefunds()
  const impossible: [part: string, message: string][] = [
    ['0', 'must be above 0'],
    ['45.01', 'must be at most 45.00 EUR, the amount that is due'],
    ['1.005', 'must be an amount of EUR'],
  ]
  for (const [Part, message] of impossible) {
    const refused = await markDone(due!, { Method: 'card', Part })
    t.match(refused.json(), { status: 422, errors: [{ field: 'Part', message }] }, Part)
  }
  const key = { 'idempotency-key': 'part' }
  const part = { Method: 'card', Amount: '45.00', Part: '20.00' }
  const [one, again] = [await markDone(due!, part, key), await markDone(due!, part, key)]
  t.match(one.json().data, { Status: 'done', Refund: euros('20.00'), Method: 'card' })
  t.not(one.json().data.RefundID, due!.RefundID)
  t.same(again.json().data, one.json().data)
  t.match(await listRefunds(), [{ RefundID: due!.RefundID, Refund: euros('25.00') }])
  t.equal((await markDone(due!, part)).statusCode, 422, 'the request names an amount that is no longer due')
  const rest = await markDone(due!, { Method: 'transfer', Amount: '25.00', Part: '25.00' })
  t.match(rest.json().data, { RefundID: due!.RefundID, Status: 'done', Refund: euros('25.00') })
  t.match((await read(basket)).Ledger, {
    ...{ PaidBack: euros('45.00'), RefundDue: euros('0.00'), Balance: euros('0.00') },
  })
})

t.test(
  'of concurrent partial refunds one succeeds, because the others name an amount that is no longer due',
  async (t) => {
    const { sell, act, listRefunds, markDone, sql } = await refundDesk(t)
    const { references } = await sell()
    await act(references[0]!, 'cancel')
    const [due] = await listRefunds()
    const answers = await Promise.all([1, 2, 3].map(() => markDone(due!, { Method: 'card', Part: '20.00' })))
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 422, 422])
    t.match(await sql`select sum(amount_minor)::int from payments where kind = 'refund'`, [{ sum: 2000 }])
  },
)

/** A refund desk whose user has an open till with `floatMinor` in it. */
async function tillDesk(t: Test, floatMinor: number) {
  const desk = await refundDesk(t)
  const { sell, act, listRefunds, sql, accountId } = desk
  const user = { email: 'till@quay.test', role: 'staff' as const, passwordHash: '' }
  const userId = (await insertUser(sql, { accountId, ...user }))!
  const [till] = await sql<{ id: number }[]>`
    insert into tills (account_id, user_id, currency, float_minor)
    values (${accountId}, ${userId}, 'EUR', ${floatMinor}) returning id`
  const by = byUser({ accountId, userId })
  /** Makes a refund of 45.00 that is due; returns its ID. */
  const makeDueRefund = async () => {
    const { references } = await sell()
    await act(references[0]!, 'cancel')
    return (await listRefunds()).at(-1)!.RefundID!
  }
  const payBackIn = (Method: 'cash' | 'transfer', refundId: number, idempotencyKey?: string) => {
    const once = { ...withoutRequest('refund.done', by), ...(idempotencyKey && { idempotencyKey }) }
    return payBack(sql, once, by, { refundId, paid: { Method } })
  }
  const listPaidBack = () => sql`select method, till_id from payments where kind = 'refund' order by id`
  return { ...desk, till: till!, makeDueRefund, payBackIn, listPaidBack }
}

const tillShort = (inTill: string) => ({
  slug: 'till-short',
  message: `The till has ${inTill} EUR in cash; this refund takes 45.00 EUR.`,
  extensions: { InTill: euros(inTill), Refund: euros('45.00') },
})

t.test('cash that a user pays back comes out of the till that the user has open', async (t) => {
  const { till, makeDueRefund, payBackIn, listPaidBack } = await tillDesk(t, 4500)
  await payBackIn('cash', await makeDueRefund())
  t.match(await listPaidBack(), [{ method: 'cash', till_id: till.id }])
})

t.test('a till pays back no more cash than is in it, and the refund can be paid another way', async (t) => {
  const { makeDueRefund, payBackIn, listPaidBack, listRefunds, sql } = await tillDesk(t, 4499)
  const refundId = await makeDueRefund()
  await t.rejects(payBackIn('cash', refundId), tillShort('44.99'))
  t.match(await listRefunds(), [{ RefundID: refundId, Status: 'due' }])
  t.same(await sql`select from events where type = 'refund.done'`, [])
  await payBackIn('transfer', refundId)
  t.match(await listPaidBack(), [{ method: 'transfer', till_id: null }])
})

t.test('of concurrent cash refunds, a till pays only those that it has cash for', async (t) => {
  const { makeDueRefund, payBackIn, listPaidBack } = await tillDesk(t, 8000)
  const refunds = [await makeDueRefund(), await makeDueRefund(), await makeDueRefund()]
  const outcomes = await Promise.allSettled(refunds.map((id) => payBackIn('cash', id)))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  t.match(refused, [tillShort('35.00'), tillShort('35.00')])
  t.equal((await listPaidBack()).length, 1)
})

t.test('a repeated request for a cash refund is replayed, and cash leaves the till once', async (t) => {
  const { makeDueRefund, payBackIn, listPaidBack } = await tillDesk(t, 4500)
  const refundId = await makeDueRefund()
  const [done, again] = [await payBackIn('cash', refundId, 'k'), await payBackIn('cash', refundId, 'k')]
  t.same(again, { ...done, replayed: true })
  t.equal((await listPaidBack()).length, 1)
})

t.test('a till whose cash is negative pays no refund', async (t) => {
  const { makeDueRefund, payBackIn, till, sql, accountId } = await tillDesk(t, 1000)
  const refundId = await makeDueRefund()
  await sql`
    with done as (
      insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor, done_at)
      values (${accountId}, 1, 'overpaid', 3500, 0, 'EUR', 'done', 'user', now()) returning id
    )
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id, refund_id)
    select ${accountId}, 1, 'refund', 'cash', 3500, 'EUR', 'user', ${till.id}::bigint, id from done`
  await t.rejects(payBackIn('cash', refundId), tillShort('0.00'))
})

t.test(
  'a provider’s refund events settle due refunds, whole or in parts, and each event counts once',
  async (t) => {
    const { sell, act, sendPaymentEvent, listRefunds, sql } = await refundDesk(t)
    const { basket, references } = await sell([{ Participants: 1 }, { Participants: 1 }])
    for (const reference of references) await act(reference, 'cancel', { Refund: { Choice: 'full' } })
    t.equal((await listRefunds()).length, 2)
    const sendRefund = (ID: string, Amount = '45.00') =>
      sendPaymentEvent(basket, { ID, Type: 'refunded', Amount, Reference: 're_1' })
    t.match((await sendRefund('evt_1')).json().data, { Outcome: 'refunded', BasketStatus: 'completed' })
    t.match((await sendRefund('evt_1')).json().data, { Outcome: 'refunded' })
    t.equal((await listRefunds()).length, 1)
    t.match((await sendRefund('evt_2', '44.99')).json().data, { Outcome: 'refunded' })
    t.match(await listRefunds(), [{ Refund: { Amount: '0.01' } }])
    t.match((await sendRefund('evt_3', '0.01')).json().data, { Outcome: 'refunded' })
    t.match((await sendRefund('evt_4')).json().data, { Outcome: 'ignored' })
    t.same(await listRefunds(), [])
    t.match(await listRefunds('?Status=done'), [
      { Method: 'online', Reference: 're_1' },
      { Method: 'online', Reference: 're_1' },
    ])
    const rows = await sql`select event_id, method from payments where kind = 'refund' order by id`
    t.match(rows, [
      { event_id: 'evt_1', method: 'online' },
      { event_id: 'evt_2', method: 'online' },
      { event_id: 'evt_3', method: 'online' },
    ])
  },
)

t.test(
  'payments that bought nothing are listed as due refunds, and are paid back by hand or by an event',
  async (t) => {
    const { hold, sendPaymentEvent, post, read, listRefunds } = await refundDesk(t)
    const basket = await hold()
    await sendPaymentEvent(basket, { ID: 'evt_1', Amount: '80.00', Reference: 'ch_1' })
    await sendPaymentEvent(basket, { ID: 'evt_2', Amount: '80', Reference: 'ch_2' })
    t.match(await listRefunds(), [
      {
        ...{ Source: 'payment', RefundID: null, PaymentID: 'evt_1', Reason: 'amount-differs', Status: 'due' },
        ...{ Refund: euros('80.00'), PaidBy: ['online'], BookingReference: null },
      },
      { PaymentID: 'evt_2' },
    ])
    const event = { ID: 'evt_3', Type: 'refunded', Amount: '80.00', Reference: 'ch_2' }
    t.match((await sendPaymentEvent(basket, event)).json().data, {
      Outcome: 'refunded',
      BasketStatus: 'refund-due',
    })
    t.match(await listRefunds(), [{ PaymentID: 'evt_1' }])
    await post(`/baskets/${basket.BasketID}/refunded`, { Payments: ['evt_1'] })
    t.same(await listRefunds(), [])
    t.equal((await read(basket)).Status, 'refunded')
    t.match(await listRefunds('?Status=done'), [{ PaymentID: 'evt_1' }, { PaymentID: 'evt_2' }])
  },
)

/** Reads a list page by page: starts at `first` and follows the links to the next pages. Returns all entries. */
async function readPages({ call }: Awaited<ReturnType<typeof refundDesk>>, first: string) {
  const seen: unknown[] = []
  for (let path = first; path !== ''; ) {
    const page = await call('GET', path)
    seen.push(...page.json().data)
    path = /operator([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
  }
  return seen
}

t.test('refunds are listed page by page: due refunds oldest first, done refunds newest first', async (t) => {
  const desk = await refundDesk(t)
  const { sell, act, hold, sendPaymentEvent, call, listRefunds, markDone } = desk
  for (const Participants of [1, 1, 1]) {
    const { references } = await sell([{ Participants }])
    await act(references[0]!, 'cancel')
  }
  const unsold = await hold([{ Participants: 1 }])
  await sendPaymentEvent(unsold, { ID: 'evt_1', Amount: '1.00' })
  const all = await listRefunds()
  t.equal(all.length, 4)
  t.same(await readPages(desk, '/refunds?Limit=1'), all)
  for (const refund of all.filter(({ RefundID }) => RefundID !== null)) await markDone(refund)
  const done = await listRefunds('?Status=done')
  t.same(
    done.map(({ RefundID }) => RefundID),
    all.flatMap(({ RefundID }) => RefundID ?? []).reverse(),
  )
  t.same(await readPages(desk, '/refunds?Status=done&Limit=1'), done)
  t.match((await call('GET', '/refunds?Cursor=x')).json(), { status: 422, errors: [{ field: 'Cursor' }] })
})

t.test('refunds that were done at the same time are all on the pages of done refunds', async (t) => {
  const desk = await refundDesk(t)
  const { sell, sendPaymentEvent, hold, post, listRefunds, sql, accountId } = desk
  const { basket } = await sell()
  const unsold = await hold([{ Participants: 1 }])
  await sendPaymentEvent(unsold, { ID: 'evt_1', Amount: '1.00' })
  await post(`/baskets/${unsold.BasketID}/refunded`, { Payments: ['evt_1'] })
  await sql`
    insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor, done_at)
    select ${accountId}, ${basket.BasketID}, 'overpaid', 1 + place % 7, 0, 'EUR', 'done', 'key', paid.refunded_at
    from generate_series(1, 260) as place, payment_events as paid where paid.event_id = 'evt_1'`
  const all = await listRefunds('?Status=done&Limit=500')
  t.equal(all.length, 261)
  t.equal(all[0]!.PaymentID, 'evt_1')
  t.same(await readPages(desk, '/refunds?Status=done&Limit=40'), all)
})

t.test('the refund of an overpayment is decided once, for all of it or a part', async (t) => {
  const { sell, post, sql, accountId, read, listRefunds } = await refundDesk(t)
  const { basket } = await sell()
  const overpay = () => sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${basket.BasketID}, 'payment', 'card', 500, 'EUR', 'key')`
  const decide = (payload: object = {}) => post(`/baskets/${basket.BasketID}/refunds`, { ...payload })
  t.match((await decide()).json(), { status: 409, type: /nothing-overpaid$/ })
  await overpay()
  t.match((await read(basket)).Ledger, { Balance: euros('-5.00') })
  t.match((await decide({ Refund: { Amount: '5.01' } })).json().errors, [{ field: 'Refund.Amount' }])
  const answers = await Promise.all([decide(), decide()])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 409])
  t.match(await listRefunds(), [{ Reason: 'overpaid', Refund: euros('5.00'), BookingReference: null }])
  await overpay()
  t.match((await decide({ Refund: { Amount: '2.00' } })).json().data, { Status: 'due', Kept: euros('3.00') })
  t.match((await read(basket)).Ledger, { Balance: euros('0.00'), RefundDue: euros('7.00') })
  t.equal((await post('/baskets/999/refunds')).statusCode, 404)
})

t.test(
  'a refund event with an impossibly large amount is ignored, before and after a decision',
  async (t) => {
    const { sell, act, sendPaymentEvent, read } = await refundDesk(t, { terms: [] })
    const { basket, references } = await sell()
    const Amount = '999999999999999999.99'
    const sendHugeRefund = async (ID: string) => {
      const answer = await sendPaymentEvent(basket, { ID, Type: 'refunded', Amount })
      t.match(answer.json().data, { Outcome: 'ignored' }, answer.body)
    }
    await sendHugeRefund('re_1')
    t.equal((await act(references[0]!, 'amend', { Participants: 1 })).statusCode, 200)
    await sendHugeRefund('re_2')
    t.equal((await act(references[0]!, 'cancel')).statusCode, 200)
    t.match((await read(basket)).Ledger, { PaidBack: euros('0.00'), RefundDue: euros('90.00') })
  },
)
