/** Prices, refunds and balances after a move, at the sold price or at the current price. */
import t, { type Test } from 'tap'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { bookingBody, bookingPath, makeCaller, makeProduct } from '../../helper.ts'
import { giveUnits } from '../booking/unit-fixtures.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

const there = { Date: '2030-06-15', Time: '12:00' }
const current = { ...there, Price: 'current' }

/** A refund desk. A place costs 45.00 at 10:00, and `price`, in minor units, at 12:00. */
async function pricedDesk(t: Test, price: number) {
  const desk = await refundDesk(t)
  await desk.sql`update products set has_own_prices = true`
  await desk.sql`update timeslots set unit_prices = ${desk.sql.json({ 0: price })} where time = '12:00'`
  const lastChangeOf = async (reference: string) =>
    (await desk.call('GET', `/bookings/${reference}`)).json().data.History.at(-1)
  return { ...desk, lastChangeOf }
}

t.test('a move keeps the sold price unless it asks for the current one', async (t) => {
  const { sell, act, read, rows, lastChangeOf } = await pricedDesk(t, 3500)
  for (const body of [there, { ...there, Price: 'kept' }]) {
    const { basket, references } = await sell([{ Participants: 1 }])
    const moved = await act(references[0]!, 'move', body)
    t.equal(moved.statusCode, 200, moved.body)
    t.match(moved.json().data, { Time: '12:00', Total: euros('45.00') })
    t.match((await read(basket)).Ledger, { Charged: euros('45.00'), Balance: euros('0.00') })
    t.notMatch(await lastChangeOf(references[0]!), { Details: { ToTotal: {} } })
  }
  t.same(await rows(), [])
})

t.test(
  'a move to a cheaper timeslot is refunded by the refund terms, or as the operator chooses',
  async (t) => {
    const { sell, act, read, rows, lastChangeOf, sql } = await pricedDesk(t, 3500)
    await sql`update timeslots set capacity = 50`
    const choices = [undefined, { Choice: 'full' }, { Choice: 'none' }, { Amount: '12.00' }]
    for (const Refund of choices) {
      const { basket, references } = await sell()
      const moved = await act(references[0]!, 'move', { ...current, ...(Refund && { Refund }) })
      t.equal(moved.statusCode, 200, moved.body)
      t.match(moved.json().data.Total, euros('70.00'))
      t.match((await read(basket)).Ledger, { Charged: euros('70.00'), Balance: euros('0.00') })
      t.match(await lastChangeOf(references[0]!), {
        Action: 'moved',
        Details: { FromTotal: euros('90.00'), ToTotal: euros('70.00'), Refund: {} },
      })
    }
    t.match(await rows(), [
      { cause: 'moved', by_terms_minor: 1000, amount_minor: 1000, kept_minor: 1000, status: 'due' },
      { amount_minor: 2000, kept_minor: 0 },
      { amount_minor: 0, kept_minor: 2000, status: 'none' },
      { amount_minor: 1200, kept_minor: 800 },
    ])
    const { references } = await sell()
    const tooMuch = await act(references[0]!, 'move', { ...current, Refund: { Amount: '20.01' } })
    t.match(tooMuch.json(), { status: 422, errors: [{ field: 'Refund.Amount', message: /at most 20\.00/ }] })
  },
)

t.test(
  'a move to a dearer timeslot adds the difference to the balance of the sale, which can be paid',
  async (t) => {
    const { sell, act, read, post, rows, lastChangeOf } = await pricedDesk(t, 6000)
    const { basket, references } = await sell()
    t.equal((await act(references[0]!, 'move', current)).statusCode, 200)
    t.match((await read(basket)).Ledger, { Charged: euros('120.00'), Balance: euros('30.00') })
    t.match(await lastChangeOf(references[0]!), {
      Details: { FromTotal: euros('90.00'), ToTotal: euros('120.00') },
    })
    t.same(await rows(), [])
    const payment = { Method: 'card', Amount: '30.00' }
    t.equal((await post(`/baskets/${basket.BasketID}/payments`, payment)).statusCode, 200)
    t.match((await read(basket)).Ledger, { Balance: euros('0.00') })
  },
)

t.test(
  'a sale that is not paid owes less after a move to a cheaper timeslot, and has no refund',
  async (t) => {
    const { sell, act, read, rows } = await pricedDesk(t, 3500)
    const { basket, references } = await sell([{}], { Method: 'cash', Amount: '0.00' })
    t.equal((await act(references[0]!, 'move', current)).statusCode, 200)
    t.match((await read(basket)).Ledger, { Charged: euros('70.00'), Balance: euros('70.00') })
    t.same(await rows(), [])
  },
)

t.test(
  'a move whose ExpectedTotal differs from the new total is refused with that total, and nothing moves',
  async (t) => {
    const { sell, act, call, read, sql } = await pricedDesk(t, 6000)
    const { basket, references } = await sell()
    const there = { ...current, ExpectedTotal: '120.00' }
    await sql`update timeslots set unit_prices = ${sql.json({ 0: 7000 })} where time = '12:00'`
    const changed = await act(references[0]!, 'move', there)
    t.match(changed.json(), { status: 409, type: /total-differs$/, Total: euros('140.00') })
    t.equal((await call('GET', `/bookings/${references[0]}`)).json().data.Time, '10:00')
    t.match((await read(basket)).Ledger, { Balance: euros('0.00') })
    const odd = await act(references[0]!, 'move', { ...there, ExpectedTotal: '140.001' })
    t.match(odd.json(), { status: 422, errors: [{ field: 'ExpectedTotal', message: /an amount of EUR/ }] })
    for (let time = 0; time < 2; time++) {
      const moved = await act(references[0]!, 'move', { ...there, ExpectedTotal: '140' })
      t.match(moved.json().data, { Time: '12:00', Total: euros('140.00') })
    }
  },
)

t.test('a move at the sold price compares ExpectedTotal too', async (t) => {
  const { sell, act } = await pricedDesk(t, 6000)
  const { references } = await sell()
  const refused = await act(references[0]!, 'move', { ...there, ExpectedTotal: '120.00' })
  t.match(refused.json(), { status: 409, Total: euros('90.00') })
  t.equal((await act(references[0]!, 'move', { ...there, ExpectedTotal: '90.00' })).statusCode, 200)
})

t.test(
  'if a move at the current price also changes the party size, the whole party has the current price',
  async (t) => {
    const { sell, act } = await pricedDesk(t, 3500)
    const { references } = await sell()
    const moved = await act(references[0]!, 'move', { ...current, Participants: 3 })
    t.match(moved.json().data, { Participants: 3, Total: euros('105.00') })
  },
)

t.test('a move at the current price to the same timeslot changes the price once', async (t) => {
  const { sell, act, sql } = await pricedDesk(t, 3500)
  const { references } = await sell()
  await sql`update products set price_minor = 5000`
  const here = { Date: '2030-06-15', Time: '10:00', Price: 'current' }
  for (let time = 0; time < 2; time++)
    t.match((await act(references[0]!, 'move', here)).json().data.Total, euros('100.00'))
  t.equal((await sql`select from events where type = 'booking.moved'`).length, 1)
})

t.test('a booking that moves at the current price keeps the reduction made at the till', async (t) => {
  const { sell, act } = await pricedDesk(t, 3500)
  const Reduction = { Amount: '10.00', Reason: 'rain' }
  const { references } = await sell([{}], { Method: 'card', Reduction })
  const moved = await act(references[0]!, 'move', current)
  t.match(moved.json().data, { Total: euros('60.00'), Discount: euros('10.00') })
})

/** A booking of two adults and a child for 120.00, and another product whose units differ in case and spaces only. */
async function unitDesk(t: Test, prices: { adult: number; child: number; minChildren?: number }) {
  const desk = await refundDesk(t, { terms: [] })
  const { sql, accountId, id, sell } = desk
  const units = [
    { name: 'Adult', priceMinor: 4500 },
    { name: 'Child 4–11', priceMinor: 3000 },
  ]
  const [adult, child] = await giveUnits(sql, accountId, id, units)
  const other = await makeProduct(sql, accountId, { name: 'Surf', slots: { '2030-06-15 12:00': 8 } })
  // The first unit is the default unit. Its price is the price of the product.
  await sql`update products set price_minor = ${prices.adult} where id = ${other.id}`
  const [adultThere, childThere] = await giveUnits(sql, accountId, other.id, [
    { name: ' ADULT' },
    { name: 'child  4–11', priceMinor: prices.child, minQuantity: prices.minChildren ?? null },
  ])
  const there = { adult: adultThere!, child: childThere! }
  const Units = [
    { UnitID: adult!, Quantity: 2 },
    { UnitID: child!, Quantity: 1 },
  ]
  const { basket, references } = await sell([{ Participants: undefined, Units }])
  const move = { ...current, ActivityID: other.activityId }
  return { ...desk, basket, reference: references[0]!, other, there, move }
}

t.test(
  'a move to another product finds the units by name, and prices them as in a new sale of that product',
  async (t) => {
    const { act, read, rows, reference, basket, there, move, other, call, line } = await unitDesk(t, {
      adult: 3500,
      child: 2000,
    })
    const moved = await act(reference, 'move', { ...move, ExpectedTotal: '90.00' })
    t.equal(moved.statusCode, 200, moved.body)
    t.match(moved.json().data, {
      ...{ ProductID: other.id, Participants: 3, Total: euros('90.00') },
      Units: [
        { UnitID: there.adult, Quantity: 2, UnitPrice: euros('35.00') },
        { UnitID: there.child, Quantity: 1, UnitPrice: euros('20.00') },
      ],
    })
    t.match((await read(basket)).Ledger, { Charged: euros('90.00'), RefundDue: euros('30.00') })
    t.match(await rows(), [{ cause: 'moved', amount_minor: 3000 }])
    const sale = {
      ...line({ ActivityID: other.activityId, Time: '12:00', Participants: undefined }),
      Units: [
        { UnitID: there.adult, Quantity: 2 },
        { UnitID: there.child, Quantity: 1 },
      ],
      Payment: { Method: 'card' },
    }
    const sold = (await call('POST', '/bookings', sale)).json().data
    t.same(sold.Total, moved.json().data.Total)
  },
)

t.test('a move to another product whose units are dearer adds the difference to the balance', async (t) => {
  const { act, read, reference, basket, move } = await unitDesk(t, { adult: 6000, child: 3000 })
  t.equal((await act(reference, 'move', move)).statusCode, 200)
  t.match((await read(basket)).Ledger, { Charged: euros('150.00'), Balance: euros('30.00') })
})

t.test('a move to another product is refused if the party breaks a unit rule of that product', async (t) => {
  const { act, reference, move } = await unitDesk(t, { adult: 3500, child: 2000, minChildren: 2 })
  const refused = (await act(reference, 'move', move)).json()
  t.match(refused, { status: 422, errors: [{ field: 'Price', message: /at least 2 for child/ }] })
})

t.test(
  'a move to a product that lacks a booked unit is refused, and the message names that unit and the units on sale',
  async (t) => {
    const { act, call, reference, move, sql, there } = await unitDesk(t, { adult: 3500, child: 2000 })
    await sql`update units set name = 'Senior' where id = ${there.child}`
    const refused = (await act(reference, 'move', move)).json()
    const message = 'must be given: this timeslot does not sell Child 4–11, only  ADULT, Senior'
    t.match(refused, { status: 422, errors: [{ field: 'Units', message }] })
    t.equal((await call('GET', `/bookings/${reference}`)).json().data.Time, '10:00')
    const Units = [{ UnitID: there.adult, Quantity: 3 }]
    t.match((await act(reference, 'move', { ...move, Units })).json().data.Total, euros('105.00'))
  },
)

t.test('a refund above the limit is refused with a message that explains the limit', async (t) => {
  const { sell, act, post } = await pricedDesk(t, 3500)
  const expectLimit = async (answer: ReturnType<typeof act>, amount: string, why: string) =>
    t.same((await answer).json().errors, [
      { field: 'Refund.Amount', message: `must be at most ${amount} EUR${why}` },
    ])
  const Refund = { Amount: '500.00' }
  const { references } = await sell()
  const cheaper = ', by which the booking becomes cheaper'
  await expectLimit(act(references[0]!, 'move', { ...current, Refund }), '20.00', cheaper)
  await expectLimit(act(references[0]!, 'amend', { Participants: 1, Refund }), '45.00', cheaper)
  await expectLimit(act(references[0]!, 'cancel', { Refund }), '90.00', ', the amount that was paid for it')
  const kept = ': the booking does not become cheaper'
  await expectLimit(act(references[0]!, 'move', { ...there, Refund: { Amount: '5.00' } }), '0.00', kept)
  const deposit = await sell([{}], { Method: 'cash', Amount: '60.00' })
  const beyond = ', the amount that was paid above the remaining price'
  await expectLimit(act(deposit.references[0]!, 'amend', { Participants: 1, Refund }), '15.00', beyond)
  await expectLimit(
    act(deposit.references[0]!, 'cancel', { Refund }),
    '60.00',
    ', the amount that was paid for it',
  )
  const overpaid = await post(`/baskets/${deposit.basket.BasketID}/refunds`, { Refund })
  t.equal(overpaid.statusCode, 409, 'the sale is not overpaid')
})

t.test(
  'money that was kept at a move stays kept, and a later move to a dearer timeslot adds the whole difference',
  async (t) => {
    const { sell, act, read } = await pricedDesk(t, 3500)
    const { basket, references } = await sell()
    await act(references[0]!, 'move', { ...current, Refund: { Choice: 'none' } })
    const back = { Date: '2030-06-15', Time: '10:00' }
    await act(references[0]!, 'move', { ...back, Price: 'current' })
    t.match((await read(basket)).Ledger, {
      Charged: euros('90.00'),
      Kept: euros('20.00'),
      Balance: euros('20.00'),
    })
    const other = await sell()
    await act(other.references[0]!, 'move', { ...current, Refund: { Choice: 'none' } })
    await act(other.references[0]!, 'move', { ...back, Price: 'kept' })
    t.match((await read(other.basket)).Ledger, { Charged: euros('70.00'), Balance: euros('0.00') })
  },
)

t.test(
  'a move at the current price is refused with the field if that price cannot apply, and nothing moves',
  async (t) => {
    const { sell, act, call, app, sql, accountId, activityId } = await pricedDesk(t, 3500)
    const slots = { '2030-06-15 12:00': 8 }
    const yen = await makeProduct(sql, accountId, { name: 'Yen', slots })
    await sql`update products set currency = 'JPY' where id = ${yen.id}`
    const small = await makeProduct(sql, accountId, { name: 'Small', slots })
    await sql`update products set max_places = 1 where id = ${small.id}`
    const { references } = await sell()
    const refused: [object, string, RegExp][] = [
      [{ Price: 'half' }, 'Price', /./],
      [{ Price: 'current', ActivityID: yen.activityId }, 'Price', /sells in JPY/],
      [{ Price: 'current', ActivityID: small.activityId }, 'Price', /at most 1 place in all/],
    ]
    for (const [body, field, message] of refused) {
      const answer = await act(references[0]!, 'move', { ...there, ...body })
      t.match(answer.json(), { status: 422, errors: [{ field, message }] })
    }
    t.equal((await call('GET', `/bookings/${references[0]}`)).json().data.Time, '10:00')
    const kept = await act(references[0]!, 'move', { ...there, ActivityID: yen.activityId })
    t.match(kept.json().data, { ProductID: yen.id, Total: euros('90.00') })

    const { headers } = await makeCaller(sql, { slug: 'harbour', partner: 'Atlas', scopes: ['ota'] })
    const payload = bookingBody(activityId, { Participants: 1 })
    const booked = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
    const reference: string = booked.json().data.BookingReference
    t.match((await act(reference, 'move', current)).json(), {
      status: 422,
      errors: [{ field: 'Price', message: /the partner sold it at this price/ }],
    })
    t.equal((await act(reference, 'move', there)).statusCode, 200)
  },
)

t.test('concurrent moves and cancellations of one sale never pay back more than was paid', async (t) => {
  const { sell, act, read, sql } = await pricedDesk(t, 3500)
  await sql`update timeslots set capacity = 500`
  for (let round = 0; round < 4; round++) {
    const { basket, references } = await sell([{}, {}], { Method: 'cash', Amount: '100.00' })
    const answers = await Promise.all(
      references.flatMap((reference) => [
        act(reference, 'move', { ...current, Refund: { Choice: 'full' } }),
        act(reference, 'move', { Date: '2030-06-15', Time: '10:00', Price: 'current' }),
        act(reference, 'cancel', { Refund: { Choice: 'full' } }),
      ]),
    )
    t.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409))
    const { Ledger } = (await read(basket)) as BasketView
    const minor = (of: 'Paid' | 'RefundDue' | 'Charged' | 'Kept' | 'Balance') => Number(Ledger![of].Amount)
    t.ok(minor('RefundDue') <= minor('Paid'))
    t.equal(minor('Paid') - minor('RefundDue'), minor('Charged') + minor('Kept') - minor('Balance'))
  }
})
