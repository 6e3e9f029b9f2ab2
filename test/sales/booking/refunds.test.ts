/** Refunds of bookings that an operator, a partner or a closure cancels, and where they are shown. */
import t, { type Test } from 'tap'
import { exportCustomer } from '../../../src/customers/exporting.ts'
import { toCustomerIdentifier } from '../../../src/customers/model.ts'
import { textsIn } from '../../../src/languages/texts.ts'
import { findBookingFacts } from '../../../src/messaging/emails/facts.ts'
import { variablesOf } from '../../../src/messaging/emails/variables.ts'
import { clockAt } from '../../clock.ts'
import { bookingPath } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { makeBasket, openDesk } from './fixtures.ts'

const terms = [
  { Percent: '100', HoursBefore: 48 },
  { Percent: '12.5', HoursBefore: 24 },
]
const nextDay = { Date: '2030-06-16' }
const euros = (Amount: string) => ({ Amount, Currency: 'EUR' })

/**
 * Opens a desk. By default, its product has refund terms, and the clock is 37 hours before the timeslot of 15
 * June at 10:00 and 61 hours before that of the next day.
 */
async function openWithTerms(
  t: Test,
  first = terms,
  settings: Parameters<typeof openDesk>[1] = clockAt('2030-06-13T20:00:00Z'),
) {
  const desk = await openDesk(t, settings)
  const { app, sql, product, operator, partner } = desk
  const setTerms = async (RefundTerms: object[]) => {
    const url = `/api/v2/operator/products/${product.id}/refund-terms`
    const answer = await app.inject({
      method: 'PUT',
      url,
      headers: operator.headers,
      payload: { RefundTerms },
    })
    t.equal(answer.statusCode, 200)
  }
  if (first.length > 0) await setTerms(first)
  const cancelOwn = (reference: string, more: object = {}) => {
    const url = `${bookingPath}/${reference}/cancel`
    return app.inject({ method: 'POST', url, headers: { ...partner.headers, ...more } })
  }
  const readOwn = async (reference: string) =>
    (await app.inject({ url: `${bookingPath}/${reference}`, headers: partner.headers })).json().data
  const readFeed = async () => {
    await pumpEvents(sql)
    return (await app.inject({ url: bookingPath, headers: partner.headers })).json().data
  }
  return { ...desk, setTerms, cancelOwn, readOwn, readFeed }
}

t.test('an operator’s cancellation returns the refund that the terms give at this time', async (t) => {
  const { book, act, read, history, sql } = await openWithTerms(t)
  const near = await book({ Participants: 3 })
  const far = await book({ ...nextDay })
  t.equal((await read(`/${near}`)).json().data.Refund, null, 'a confirmed booking has no refund')
  t.same((await act(near, 'cancel')).json().data.Refund, euros('16.88'), '12.5 % of 135.00, halves up')
  t.same((await act(far, 'cancel')).json().data.Refund, euros('90.00'))
  t.same((await read(`/${near}`)).json().data.Refund, euros('16.88'))
  t.match(await history(near), [{}, { Action: 'cancelled', Details: { Refund: euros('16.88') } }])
  t.match(await sql`select refund_minor from bookings order by id`, [
    { refund_minor: 1688 },
    { refund_minor: 9000 },
  ])
})

t.test(
  'a partner’s cancellation returns the refund by the terms, and the change feed shows it',
  async (t) => {
    const { book, cancelOwn, readOwn, readFeed } = await openWithTerms(t)
    const reference = await book()
    t.same((await cancelOwn(reference)).json().data.Refund, euros('11.25'))
    t.same((await readOwn(reference)).Refund, euros('11.25'))
    t.match(await readFeed(), [{ BookingReference: reference, Refund: euros('11.25') }])
  },
)

t.test('a closure refunds the full price, even if the refund terms refund nothing', async (t) => {
  const { app, operator, book, read, history } = await openWithTerms(t, [{ Percent: '0', HoursBefore: 0 }])
  const reference = await book()
  const closure = { Date: '2030-06-15', Action: 'cancel' }
  const closed = await app.inject({
    method: 'POST',
    url: '/api/v2/operator/closures',
    headers: operator.headers,
    payload: closure,
  })
  t.equal(closed.statusCode, 200)
  t.match((await read(`/${reference}`)).json().data, { CancelReason: 'closure', Refund: euros('90.00') })
  t.match(await history(reference), [{}, { Details: { Reason: 'closure', Refund: euros('90.00') } }])
})

t.test('a closure and its preview show the refunds, one sum for each currency', async (t) => {
  const { app, operator, book, sql } = await openWithTerms(t, [{ Percent: '0', HoursBefore: 0 }], {})
  const call = async (path: string, payload: object, more: object = {}) => {
    const url = `/api/v2/operator/closures${path}`
    const headers = { ...operator.headers, ...more }
    return (await app.inject({ method: 'POST', url, headers, payload })).json().data
  }
  for (const Participants of [1, 2]) await book({ Participants })
  const dollars = await book({ Participants: 1 })
  await sql`update bookings set currency = 'USD' where reference = ${dollars}`
  await book({ Time: '14:00' })
  const day = { Date: '2030-06-15' }
  const moved = await call('/preview', {
    ...day,
    Action: 'move',
    MoveTo: { Date: '2030-06-16', Time: '10:00' },
  })
  t.match(moved, { Totals: { Moved: 4, Refunds: [] } })
  const refunds = {
    Totals: { Cancelled: 4, Refunds: [euros('225.00'), { Amount: '45.00', Currency: 'USD' }] },
    Timeslots: [
      { Time: '10:00', Refunds: [euros('135.00'), { Amount: '45.00', Currency: 'USD' }] },
      { Time: '14:00', Refunds: [euros('90.00')] },
    ],
  }
  const closing = { ...day, Action: 'cancel' }
  t.match(await call('/preview', closing), refunds)
  const key = { 'idempotency-key': 'k' }
  t.match(await call('', closing, key), refunds)
  t.match(await call('', closing, key), refunds, 'a replay')
  await sql`update idempotency_keys set response = response #- '{result,refunds}'`
  const storedBefore = await call('', closing, key)
  t.match(
    storedBefore,
    { Totals: { Cancelled: 4, Refunds: [] } },
    'a response that was stored before refunds existed',
  )
})

t.test('a closure of products without refund terms has no refunds', async (t) => {
  const { app, operator, book } = await openWithTerms(t, [])
  await book()
  const payload = { Date: '2030-06-15', Action: 'cancel' }
  for (const path of ['/preview', '']) {
    const url = `/api/v2/operator/closures${path}`
    const answer = await app.inject({ method: 'POST', url, headers: operator.headers, payload })
    t.match(answer.json().data.Totals, { Cancelled: 1, Refunds: [] })
  }
})

t.test('a basket shows the refund of each line that was cancelled after the payment', async (t) => {
  const { app, operator, act, sql, accountId, slotId } = await openWithTerms(t)
  const timeslotId = await slotId('2030-06-16', '10:00')
  const line = { timeslotId, status: 'confirmed' as const, participants: 2 }
  const [reference] = await makeBasket(sql, accountId, [line, line])
  const { BasketID } = (await act(reference!, 'cancel')).json().data
  const url = `/api/v2/operator/baskets/${BasketID}`
  t.match((await app.inject({ url, headers: operator.headers })).json().data, {
    Status: 'completed',
    Lines: [
      { BookingReference: reference, Status: 'cancelled', Refund: euros('90.00') },
      { Status: 'confirmed', Refund: null },
    ],
  })
})

t.test('a basket that is cancelled before it is paid has no refund', async (t) => {
  const { app, operator, sql, accountId, slotId } = await openWithTerms(t)
  const timeslotId = await slotId('2030-06-16', '10:00')
  await makeBasket(sql, accountId, [{ timeslotId, status: 'held', participants: 2 }])
  const [basket] = await sql<{ id: number }[]>`select id from baskets`
  const url = `/api/v2/operator/baskets/${basket!.id}/cancel`
  const { data } = (await app.inject({ method: 'POST', url, headers: operator.headers })).json()
  t.match(data, { Status: 'cancelled', Lines: [{ Status: 'cancelled', Refund: null }] })
})

t.test('the full refund of a reduced sale is its reduced price', async (t) => {
  const { act, sql, accountId, slotId } = await openWithTerms(t)
  const timeslotId = await slotId('2030-06-16', '10:00')
  const [reference] = await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed', participants: 2 }])
  await sql`update bookings set discount_minor = 1000`
  t.same((await act(reference!, 'cancel')).json().data.Refund, euros('80.00'))
})

t.test('a refund follows the terms that were in force when the booking was made', async (t) => {
  const { book, act, setTerms } = await openWithTerms(t, [])
  const before = await book(nextDay)
  await setTerms(terms)
  const under = await book(nextDay)
  await setTerms([{ Percent: '10', HoursBefore: 0 }])
  const later = await book(nextDay)
  await setTerms([])
  const after = await book(nextDay)
  const refunds = []
  for (const reference of [before, under, later, after])
    refunds.push((await act(reference, 'cancel')).json().data.Refund)
  t.same(refunds, [null, euros('90.00'), euros('9.00'), null])
})

t.test('the refund of a moved booking counts the hours until its new start', async (t) => {
  const { book, act } = await openWithTerms(t)
  const reference = await book(nextDay)
  t.equal((await act(reference, 'move', { Date: '2030-06-15', Time: '10:00' })).statusCode, 200)
  t.same((await act(reference, 'cancel')).json().data.Refund, euros('11.25'))
})

t.test('a booking that was not confirmed, or has no refund terms, has no refund', async (t) => {
  const { book, act, setTerms, sql, accountId, slotId, history } = await openWithTerms(t)
  const timeslotId = await slotId('2030-06-15', '10:00')
  const [held] = await makeBasket(sql, accountId, [{ timeslotId, status: 'held' }])
  t.match((await act(held!, 'cancel')).json().data, { Status: 'cancelled', Refund: null })
  await setTerms([])
  const reference = await book()
  t.match((await act(reference, 'cancel')).json().data, { Status: 'cancelled', Refund: null })
  t.match(await history(reference), [{}, { Details: {} }])
  t.notMatch(JSON.stringify(await history(reference)), 'Refund')
})

t.test('a cancellation later than all steps of the terms has a refund of 0.00, not null', async (t) => {
  const { book, act } = await openWithTerms(t, [{ Percent: '100', HoursBefore: 48 }])
  t.same((await act(await book(), 'cancel')).json().data.Refund, euros('0.00'))
})

t.test('a repeated or replayed cancellation returns the first refund', async (t) => {
  const { book, act, cancelOwn, setTerms, sql } = await openWithTerms(t, terms, {})
  const [one, other] = [await book(nextDay), await book(nextDay)]
  const key = { 'idempotency-key': 'k' }
  const first = (await act(one, 'cancel', {}, key)).json().data
  const own = (await cancelOwn(other, key)).json().data
  await setTerms([{ Percent: '1', HoursBefore: 0 }])
  await sql`update timeslots set starts_at = app_now() + interval '1 hour'`
  const replayed = await act(one, 'cancel', {}, key)
  t.equal(replayed.headers['idempotency-replayed'], 'true')
  t.same(replayed.json().data.Refund, first.Refund)
  t.same((await act(one, 'cancel')).json().data.Refund, euros('90.00'))
  t.same((await cancelOwn(other, key)).json().data.Refund, own.Refund)
  t.same((await cancelOwn(other)).json().data.Refund, euros('90.00'))
})

t.test('a response that was stored before refunds existed is replayed without a refund', async (t) => {
  const { book, act, cancelOwn, sql } = await openWithTerms(t, terms, {})
  const [one, other] = [await book(), await book()]
  const key = { 'idempotency-key': 'k' }
  await act(one, 'cancel', {}, key)
  await cancelOwn(other, key)
  await sql`update idempotency_keys set response = response - 'Refund' - 'Owed' - 'PartnerTerms'`
  for (const answer of [await act(one, 'cancel', {}, key), await cancelOwn(other, key)]) {
    t.equal(answer.statusCode, 200)
    t.notOk('Refund' in answer.json().data)
  }
})

t.test(
  'the customer’s export has the refund; e-mails do not mention a refund that the partner pays',
  async (t) => {
    const { book, act, sql, accountId } = await openWithTerms(t)
    const reference = await book()
    const refundInEmail = async () => {
      const facts = await findBookingFacts(sql, accountId, { reference })
      return String(
        variablesOf({ t: textsIn('en-GB'), accountName: 'Quay', booking: facts!, ticketsLink: '' }).booking
          .refund,
      )
    }
    t.equal(await refundInEmail(), '')
    await act(reference, 'cancel')
    t.equal(await refundInEmail(), '')
    const exported = await exportCustomer(
      sql,
      { id: accountId, slug: 'quay' },
      toCustomerIdentifier({ email: 'ada@example.com' }),
    )
    t.match(exported.Bookings, [
      { Refund: euros('11.25'), History: [{}, { Details: { Refund: euros('11.25') } }] },
    ])
  },
)
