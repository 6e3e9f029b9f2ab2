/** Payments of sales: at completion and later, in parts and in full, never more than is owed. */
import t from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { byUser } from '../../../src/events/actor.ts'
import { withoutRequest } from '../../../src/http/idempotent-request.ts'
import { payAtTill, payBalance } from '../../../src/sales/basket/paying.ts'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { bookingBody, bookingPath, makeCaller } from '../../helper.ts'
import { harbour } from '../basket/fixtures.ts'

const cash = { Method: 'cash' }
const euros = (Amount: string) => ({ Amount, Currency: 'EUR' })
const entriesOf = ({ Ledger }: BasketView) =>
  Ledger!.Entries.map(({ Method, Amount }) => `${Method} ${Amount}`)

t.test('a payment at the till is stored with its method, time and actor', async (t) => {
  const { hold, post, call, sql } = await harbour(t)
  const { BasketID } = await hold()
  const { data } = (await post(`/baskets/${BasketID}/pay`, { Method: 'card', Reference: 'T1-7' })).json()
  const [key] = await sql<{ id: number }[]>`select id from api_keys`
  const Ledger = {
    ...{ Charged: euros('90.00'), Paid: euros('90.00'), Balance: euros('0.00'), Kept: euros('0.00') },
    Entries: [
      {
        ...{ ID: Number, Type: 'payment', Method: 'card', ...euros('90.00'), Reference: 'T1-7' },
        ...{ MadeAt: /^20\d\d-/, Actor: { Kind: 'key', ID: key!.id, Name: null } },
      },
    ],
  }
  t.match(data.Ledger, Ledger)
  const booking = await call('GET', `/bookings/${data.Lines[0].BookingReference}`)
  t.match(booking.json().data.Ledger, Ledger)
  t.match(await sql`select type, details from events where type = 'payment.taken'`, [
    { type: 'payment.taken', details: { Method: 'card', ...euros('90.00') } },
  ])
})

t.test('a part is paid when the sale is completed, and the rest later, until nothing is owed', async (t) => {
  const { hold, post, read } = await harbour(t)
  const basket = await hold([{}, { Time: '12:00' }])
  const path = `/baskets/${basket.BasketID}`
  const deposit = (await post(`${path}/pay`, { ...cash, Amount: '30.00' })).json().data
  t.match(deposit, { Status: 'completed', Payment: { Method: 'cash' }, Ledger: { Balance: euros('150.00') } })
  const second = await post(`${path}/payments`, { Method: 'transfer', Amount: '100.5', Reference: 'SEPA 1' })
  t.match(second.json().data, { Ledger: { Paid: euros('130.50'), Balance: euros('49.50') } })
  await post(`${path}/payments`, { Method: 'card', Amount: '49.50' })
  const paid = await read(basket)
  t.match(paid.Ledger, { Paid: euros('180.00'), Balance: euros('0.00') })
  t.same(entriesOf(paid), ['cash 30.00', 'transfer 100.50', 'card 49.50'])
  const more = await post(`${path}/payments`, { Method: 'card', Amount: '0.01' })
  t.match(more.json(), { status: 409, type: /nothing-to-pay$/, Status: 'completed' })
})

t.test(
  'a sale that is to be paid later is completed without a payment, from a basket or in one request',
  async (t) => {
    const { hold, post, read, line } = await harbour(t)
    const { BasketID } = await hold()
    const later = { ...cash, Amount: '0.00' }
    const { data } = (await post(`/baskets/${BasketID}/pay`, later)).json()
    t.match(data, { Status: 'completed', Payment: null, Ledger: { Balance: euros('90.00'), Entries: [] } })
    const sold = await post('/bookings', { ...line(), Payment: later })
    const sale = await read(sold.json().data)
    t.match(sale, { Status: 'completed', Payment: null, Ledger: { Balance: euros('90.00'), Entries: [] } })
    const Reduction = { Amount: '20.00', Reason: 'Late' }
    const part = await post('/bookings', { ...line(), Payment: { ...cash, Amount: '70.00' }, Reduction })
    t.match((await read(part.json().data)).Ledger, { Charged: euros('70.00'), Balance: euros('0.00') })
  },
)

t.test('an invalid amount, an amount above the balance, and a later payment of zero get 422', async (t) => {
  const { hold, post, read, line } = await harbour(t)
  const basket = await hold()
  const path = `/baskets/${basket.BasketID}`
  const refusals = async (url: string, payload: object) => (await post(url, { ...payload })).json().errors
  t.same(await refusals(`${path}/pay`, { ...cash, Amount: '90.01' }), [
    { field: 'Amount', message: 'must be at most the total, 90.00 EUR' },
  ])
  t.match(await refusals(`${path}/pay`, { ...cash, Amount: '1.001' }), [{ field: 'Amount' }])
  t.match(await refusals('/bookings', { ...line(), Payment: { ...cash, Amount: '91.00' } }), [
    { field: 'Payment.Amount' },
  ])
  t.equal((await read(basket)).Status, 'open')
  await post(`${path}/pay`, { ...cash, Amount: '50.00' })
  t.same(await refusals(`${path}/payments`, { ...cash, Amount: '0.00' }), [
    { field: 'Amount', message: 'must be above 0' },
  ])
  t.same(await refusals(`${path}/payments`, { ...cash, Amount: '40.01' }), [
    { field: 'Amount', message: 'must be at most the balance, 40.00 EUR' },
  ])
  t.match(await refusals(`${path}/payments`, { Method: 'cheque' }), [
    { field: 'Amount' },
    { field: 'Method' },
  ])
  t.match((await read(basket)).Ledger, { Balance: euros('40.00') })
})

t.test('a payment of an open basket or of a partner’s booking gets 409 nothing-to-pay', async (t) => {
  const { hold, post, app, sql, activityId, read } = await harbour(t)
  const { BasketID } = await hold()
  const pay = async (id: number) =>
    (await post(`/baskets/${id}/payments`, { ...cash, Amount: '1.00' })).json()
  t.match(await pay(BasketID), { status: 409, type: /nothing-to-pay$/, Status: 'open' })
  const { headers } = await makeCaller(sql, { slug: 'harbour' })
  const body = { ...bookingBody(activityId), Date: '2030-06-15', Time: '10:00' }
  const made = await app.inject({ method: 'POST', url: bookingPath, headers, payload: body })
  t.equal(made.statusCode, 201, made.body)
  const [booking] = await sql<
    { id: number }[]
  >`select basket_id as id from bookings where channel = 'partner'`
  t.equal((await read({ BasketID: booking!.id })).Ledger, null)
  t.match(await pay(booking!.id), { status: 409, type: /nothing-to-pay$/ })
  t.match(await pay(999_999), { status: 404 })
})

t.test('concurrent payments of the same balance never take more than is owed', async (t) => {
  const { hold, post, read } = await harbour(t)
  const basket = await hold()
  await post(`/baskets/${basket.BasketID}/pay`, { ...cash, Amount: '10.00' })
  const pay = () => post(`/baskets/${basket.BasketID}/payments`, { ...cash, Amount: '30.00' })
  const codes = (await Promise.all([pay(), pay(), pay(), pay(), pay()])).map(({ statusCode }) => statusCode)
  t.same(codes.filter((code) => code === 200).length, 2)
  t.same(codes.filter((code) => code === 422).length, 3, 'a payment of 30.00 exceeds the remaining 20.00')
  t.match((await read(basket)).Ledger, { Paid: euros('70.00'), Balance: euros('20.00') })
})

t.test('a payment that is sent again with its idempotency key is taken once', async (t) => {
  const { hold, post, read } = await harbour(t)
  const basket = await hold()
  await post(`/baskets/${basket.BasketID}/pay`, { ...cash, Amount: '0.00' })
  const path = `/baskets/${basket.BasketID}/payments`
  const send = () => post(path, { ...cash, Amount: '40.00' }, { 'idempotency-key': 'payment-1' })
  const answers = await Promise.all([send(), send(), send()])
  for (const { statusCode } of answers) t.ok([200, 409].includes(statusCode))
  t.equal((await send()).headers['idempotency-replayed'], 'true')
  t.match((await read(basket)).Ledger, { Paid: euros('40.00') })
})

t.test('a sale whose payment cannot be stored is not completed', async (t) => {
  const { hold, post, read, counters, sql } = await harbour(t)
  const basket = await hold()
  await sql`alter table payments add constraint broken check (amount_minor <> 9000)`
  t.equal((await post(`/baskets/${basket.BasketID}/pay`, cash)).statusCode, 500)
  t.match(await read(basket), { Status: 'open', Ledger: { Balance: euros('90.00') } })
  t.same(await counters(), { booked: 0, held: 2 })
  t.same(await sql`select from events where type in ('payment.taken', 'basket.completed')`, [])
})

t.test('online payments up to the balance are taken, and all others are refund-due', async (t) => {
  const { hold, post, sendPaymentEvent, read } = await harbour(t)
  const basket = await hold()
  await post(`/baskets/${basket.BasketID}/pay`, { ...cash, Amount: '50.00' })
  const outcomes: string[] = []
  for (const [ID, Amount] of Object.entries({
    evt_1: '40.01',
    evt_2: '25.00',
    evt_3: '15.00',
    evt_4: '15.00',
  }))
    outcomes.push((await sendPaymentEvent(basket, { ID, Amount, Reference: `ch_${ID}` })).json().data.Outcome)
  t.same(outcomes, ['refund-due', 'completed', 'completed', 'refund-due'])
  t.equal(
    (await sendPaymentEvent(basket, { ID: 'evt_2', Amount: '25.00', Reference: 'ch_evt_2' })).statusCode,
    200,
  )
  const sale = await read(basket)
  t.same(entriesOf(sale), ['cash 50.00', 'online 25.00', 'online 15.00'])
  t.match(sale, { Status: 'completed', Ledger: { Balance: euros('0.00') } })
  const reasons = sale.Payments.map(({ RefundReason }) => RefundReason)
  t.same(reasons, ['paid-twice', null, null, 'paid-twice'])
})

t.test('a sale that the previous version completed counts as paid in full', async (t) => {
  const { hold, post, read, sql } = await harbour(t)
  const basket = await hold()
  const path = `/baskets/${basket.BasketID}`
  const { data } = (await post(`${path}/pay`, { Method: 'card', Reference: 'T1-9' })).json()
  await sql`delete from payments`
  const before = await read(basket)
  t.match(before.Ledger, {
    Paid: euros('90.00'),
    Balance: euros('0.00'),
    Entries: [
      { ID: null, Method: 'card', Reference: 'T1-9', MadeAt: data.CompletedAt, Actor: { Kind: 'service' } },
    ],
  })
  t.match((await post(`${path}/payments`, { ...cash, Amount: '1.00' })).json(), { type: /nothing-to-pay$/ })
  t.match(await sql`select from payments`, [], 'the refused payment stores nothing')
  const reference = data.Lines[0].BookingReference
  await post(`/bookings/${reference}/amend`, { Participants: 3 })
  const after = await read(basket)
  t.match(after.Ledger, { Charged: euros('135.00'), Paid: euros('90.00'), Balance: euros('45.00') })
  t.match(after.Ledger, { Entries: [{ ID: Number, MadeAt: data.CompletedAt, Reference: 'T1-9' }] })
})

t.test('a sale owes the price of the people that an amendment or a move adds', async (t) => {
  const { hold, post, read, call } = await harbour(t)
  const basket = await hold()
  const { data } = (await post(`/baskets/${basket.BasketID}/pay`, cash)).json()
  const path = `/bookings/${data.Lines[0].BookingReference}`
  await post(`${path}/amend`, { Participants: 3 })
  t.match((await read(basket)).Ledger, { Balance: euros('45.00') })
  const moved = { Date: '2030-06-15', Time: '12:00', Participants: 4 }
  t.equal((await post(`${path}/move`, moved)).statusCode, 200)
  t.match((await call('GET', path)).json().data.Ledger, { Charged: euros('180.00'), Balance: euros('90.00') })
  await post(`/baskets/${basket.BasketID}/payments`, { ...cash, Amount: '90.00' })
  t.match((await read(basket)).Ledger, { Balance: euros('0.00') })
})

t.test('a free booking owes the price of the people that are added to it', async (t) => {
  const { hold, post, read, sql } = await harbour(t)
  await sql`update products set price_minor = 0`
  const basket = await hold()
  const { data } = (await post(`/baskets/${basket.BasketID}/pay`, cash)).json()
  await sql`update products set price_minor = 4500`
  await post(`/bookings/${data.Lines[0].BookingReference}/amend`, { Participants: 3 })
  t.match((await read(basket)).Ledger, { Charged: euros('45.00'), Balance: euros('45.00'), Entries: [] })
})

t.test('cash that a user takes goes into that user’s open till; other payments do not', async (t) => {
  const { hold, sql, accountId } = await harbour(t)
  const addUser = async (email: string) => {
    const id = await insertUser(sql, { accountId, email, role: 'staff', passwordHash: 'none' })
    return byUser({ accountId, userId: id! })
  }
  const ada = await addUser('ada@example.com')
  const bob = await addUser('bob@example.com')
  const [till] = await sql<{ id: number }[]>`
    insert into tills (account_id, user_id, currency, float_minor)
    values (${accountId}, ${ada.actor.id!}, 'EUR', 10000) returning id`
  const { BasketID: basketId } = await hold()
  const once = () => withoutRequest('test', { accountId })
  await payAtTill(sql, once(), ada, { basketId, payment: { Method: 'cash', Amount: '10.00' } })
  await payBalance(sql, once(), ada, { basketId, payment: { Method: 'card', Amount: '10.00' } })
  await payBalance(sql, once(), bob, { basketId, payment: { Method: 'cash', Amount: '10.00' } })
  const { answer } = await payBalance(sql, once(), ada, {
    basketId,
    payment: { Method: 'cash', Amount: '60.00' },
  })
  const rows = await sql<{ till: number | null }[]>`select till_id as till from payments order by id`
  t.same(
    rows.map((row) => row.till),
    [till!.id, null, null, till!.id],
  )
  t.match(answer.Ledger!.Entries[2]!.Actor, { Kind: 'user', Name: 'bob@example.com' })
})
