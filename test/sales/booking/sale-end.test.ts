/**
 * Until when a timeslot is on sale: the start, or the last closing of an all-day timeslot, minus the booking cut-off.
 * It applies to partners, baskets, the till, moves and added people.
 */
import t, { type Test } from 'tap'
import { activityUuid } from '../../../src/catalogue/model.ts'
import { listAlternatives } from '../../../src/inventory/alternatives.ts'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { museum } from '../../catalogue/museum.ts'
import { makeProduct } from '../../helper.ts'
import { customer } from '../basket/fixtures.ts'
import { giveUnits } from './unit-fixtures.ts'

/** The last closing is in 360 minutes: places are on sale with the first cut-off, and not with the second. */
const [inTime, tooLate] = [345, 361]

/** A museum that has opened and not closed yet, fifteen minutes before it is no longer on sale. */
async function openMuseum(t: Test) {
  const operator = await museum(t)
  // Idempotency keys use the real clock, which is years behind the clock of this test.
  await operator.sql`alter table idempotency_keys alter column created_at set default app_now()`
  await operator.open()
  await operator.cutOff(inTime)
  return operator
}

type Answer = { status: number; problem: { type: string; Alternatives?: object[] } }
function assertRefused(t: Test, { status, problem }: Answer) {
  t.equal(status, 409)
  t.match(problem, { type: /timeslot-unavailable$/ })
}

t.test(
  'a partner books a timeslot while it is on sale, and gets 409 timeslot-unavailable after that',
  async (t) => {
    const { bookAsPartner, cutOff, slotAt } = await openMuseum(t)
    t.equal((await bookAsPartner()).status, 201)
    t.equal((await bookAsPartner({}, { 'idempotency-key': 'one' })).status, 201)
    await cutOff(tooLate)
    assertRefused(t, await bookAsPartner())
    assertRefused(t, await bookAsPartner({}, { 'idempotency-key': 'two' }))
    t.equal((await bookAsPartner({}, { 'idempotency-key': 'one' })).status, 201, 'a replay is no sale')
    t.match(await slotAt(), { booked: 4, held: 0 })
  },
)

t.test(
  'units can be booked while the timeslot is on sale, and are refused with 409 after that',
  async (t) => {
    const { bookAsPartner, cutOff, sql, accountId, productId } = await openMuseum(t)
    const [adult, child] = await giveUnits(sql, accountId, productId, [
      { name: 'Adult' },
      { name: 'Child', priceMinor: 2000 },
    ])
    const Units = [
      { UnitID: adult, Quantity: 1 },
      { UnitID: child, Quantity: 1 },
    ]
    t.equal((await bookAsPartner({ Units, Participants: undefined })).status, 201)
    await cutOff(tooLate)
    assertRefused(t, await bookAsPartner({ Units, Participants: undefined }))
    assertRefused(t, await bookAsPartner())
  },
)

t.test('a whole timeslot can be booked while it is on sale, and is refused after that', async (t) => {
  const { bookAsPartner, call, cutOff, product, open } = await openMuseum(t)
  await open({ Date: '2030-06-16' })
  const terms = { PricedPer: 'booking', TakesTimeslot: true, MaxPlaces: 6 }
  t.equal((await call('PATCH', product, terms)).status, 200)
  t.equal((await bookAsPartner()).status, 201)
  await cutOff(24 * 60 + tooLate)
  assertRefused(t, await bookAsPartner({ Date: '2030-06-16' }))
})

t.test('a timeslot with a start time is sold until its start minus the cut-off', async (t) => {
  const { bookAsPartner, cutOff, open } = await museum(t)
  await open({ Time: '12:00', OpeningHours: [] })
  await cutOff(45)
  t.equal((await bookAsPartner({ Time: '12:00' })).status, 201)
  await cutOff(61)
  assertRefused(t, await bookAsPartner({ Time: '12:00' }))
  await cutOff(0)
  await open({ Time: '10:30', OpeningHours: [] })
  assertRefused(t, await bookAsPartner({ Time: '10:30' }))
})

t.test('a cut-off of several days counts hours across midnight and clock changes', async (t) => {
  const { bookAsPartner, cutOff, open } = await museum(t, { now: '2030-03-29T12:00Z' })
  // From noon in winter time to noon in summer time two days later there are 47 hours.
  await open({ Date: '2030-03-31', Time: '12:00', OpeningHours: [] })
  await cutOff(47 * 60 - 15)
  t.equal((await bookAsPartner({ Date: '2030-03-31', Time: '12:00' })).status, 201)
  await cutOff(47 * 60 + 1)
  assertRefused(t, await bookAsPartner({ Date: '2030-03-31', Time: '12:00' }))
})

t.test('an all-day timeslot that opened yesterday is sold until it closes', async (t) => {
  const { bookAsPartner, open, available } = await museum(t, { now: '2030-06-15T00:30Z' })
  await open({ Date: '2030-06-14', Time: '22:00', OpeningHours: [{ Opens: '22:00', Closes: '02:00' }] })
  const night = { Date: '2030-06-14', Time: '22:00' }
  t.equal((await bookAsPartner(night)).status, 201)
  t.match(await available('timeslots', 'Date=2030-06-14'), [
    { Available: 6, OnSaleUntil: '2030-06-15T02:00:00+01:00' },
  ])
})

t.test(
  'a new or open basket can hold places while the timeslot is on sale, and not after that',
  async (t) => {
    const { call, cutOff, visit, slotAt } = await openMuseum(t)
    const hold = () => call('POST', '/baskets', { Channel: 'online', Lines: [visit] })
    const made = await hold()
    t.equal(made.status, 201)
    const add = () => call('POST', `/baskets/${made.data.BasketID}/lines`, { Lines: [visit] })
    t.equal((await add()).status, 200)
    await cutOff(tooLate)
    assertRefused(t, await hold())
    assertRefused(t, await add())
    t.match(await slotAt(), { booked: 0, held: 4 })
  },
)

t.test('places held while the timeslot was on sale can be paid for until their hold expires', async (t) => {
  const { call, cutOff, visit, sql, slotAt } = await openMuseum(t)
  const hold = async () => {
    const Lines = [{ ...visit, Participants: 3 }]
    return (await call('POST', '/baskets', { Channel: 'pos', Lines })).data.BasketID as number
  }
  const [one, other] = [await hold(), await hold()]
  await cutOff(tooLate)
  const pay = (id: number) =>
    call('POST', `/baskets/${id}/pay`, { Method: 'cash', Amount: '135.00', Currency: 'EUR' })
  t.equal((await pay(one)).status, 200)
  await sql`update baskets set expires_at = app_now() where id = ${other}`
  t.equal(await sweepExpiredHolds(sql), 1)
  t.equal((await pay(other)).status, 409)
  t.match(await slotAt(), { booked: 3 })
})

t.test('the till sells a timeslot while it is on sale', async (t) => {
  const { call, cutOff, visit } = await openMuseum(t)
  const sell = () => call('POST', '/bookings', { ...visit, Customer: customer, Payment: { Method: 'cash' } })
  t.equal((await sell()).status, 201)
  await cutOff(tooLate)
  assertRefused(t, await sell())
})

t.test(
  'a booking can move from a timeslot that is no longer on sale, but only to one that is on sale',
  async (t) => {
    const { bookAsPartner, call, cutOff, open } = await openMuseum(t)
    await open({ Date: '2030-06-16', Time: '10:00', OpeningHours: [] })
    const { data } = await bookAsPartner({ Date: '2030-06-16', Time: '10:00' })
    const move = (day: string, time: string) =>
      call('POST', `/bookings/${data.BookingReference}/move`, { Date: day, Time: time })
    t.equal((await move('2030-06-15', '09:00')).status, 200)
    await cutOff(tooLate)
    t.equal((await move('2030-06-16', '10:00')).status, 200)
    assertRefused(t, await move('2030-06-15', '09:00'))
  },
)

t.test(
  'people can be added while the timeslot is on sale; they can be removed, and other data changed, after that too',
  async (t) => {
    const { bookAsPartner, call, cutOff, slotAt } = await openMuseum(t)
    const { BookingReference } = (await bookAsPartner()).data
    const amend = (Participants: number) =>
      call('POST', `/bookings/${BookingReference}/amend`, { Participants })
    t.equal((await amend(3)).status, 200)
    await cutOff(tooLate)
    assertRefused(t, await amend(4))
    t.equal((await amend(3)).status, 200)
    t.equal((await amend(1)).status, 200)
    t.equal(
      (await call('PATCH', `/bookings/${BookingReference}`, { Customer: { FirstName: 'Eva' } })).status,
      200,
    )
    t.equal(
      (await call('POST', `/bookings/${BookingReference}/attendance`, { Attendance: 'checked-in' })).status,
      200,
    )
    t.match(await slotAt(), { booked: 1 })
  },
)

t.test(
  'when the timeslot is no longer on sale, people can still be added to a booking of the whole timeslot',
  async (t) => {
    const { bookAsPartner, call, cutOff, product, slotAt } = await openMuseum(t)
    await call('PATCH', product, { PricedPer: 'booking', TakesTimeslot: true, MaxPlaces: 6 })
    const { BookingReference } = (await bookAsPartner()).data
    await cutOff(tooLate)
    const answer = await call('POST', `/bookings/${BookingReference}/amend`, { Participants: 5 })
    t.equal(answer.status, 200)
    t.match(await slotAt(), { booked: 8 })
  },
)

t.test('alternatives are timeslots that are on sale', async (t) => {
  const { bookAsPartner, cutOff, open } = await museum(t)
  for (const day of ['15', '16', '17', '18', '19', '20'])
    await open({ Date: `2030-06-${day}`, Time: '10:00', OpeningHours: [] })
  await cutOff(3 * 1440)
  const { problem } = await bookAsPartner({ Time: '10:00' })
  t.match(problem, { Alternatives: [{ Date: '2030-06-19' }, { Date: '2030-06-20' }] })
  t.equal(problem.Alternatives.length, 2)
})

t.test('an alternative may be an all-day timeslot that has opened, even the day before', async (t) => {
  const { bookAsPartner, open } = await museum(t, { now: '2030-06-15T00:30Z' })
  await open({ Date: '2030-06-14', Time: '22:00', OpeningHours: [{ Opens: '22:00', Closes: '04:00' }] })
  await open()
  const night = { Date: '2030-06-14', Time: '22:00' }
  const day = { Date: '2030-06-15', Time: '09:00' }
  t.match((await bookAsPartner({ Date: '2030-06-14', Time: '10:00' })).problem, {
    Alternatives: [night, day],
  })
  t.match((await bookAsPartner({ Date: '2029-01-01', Time: '10:00' })).problem, {
    Alternatives: [night, day],
  })
  t.match((await bookAsPartner({ Date: '2030-06-14', Time: '23:00' })).problem, { Alternatives: [day] })
})

t.test('an alternative is found after 792 earlier timeslots that are not on sale any more', async (t) => {
  const { cutOff, open, sql, accountId, productId, activityId } = await museum(t)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${productId}, start::date, start::time, start at time zone 'Europe/Lisbon', 4
    from generate_series('2030-06-15 12:00'::timestamp, '2030-06-20 23:50', '10 minutes') as start`
  await open({ Date: '2030-06-25', Time: '10:00', OpeningHours: [] })
  await cutOff(7 * 1440)
  const asked = { accountId, activity: activityUuid(activityId), date: '2030-06-15', time: '12:00' }
  const [found] = await listAlternatives(sql, [{ ...asked, places: 2, whole: false }], true)
  t.match(found!.alternatives, [{ Date: '2030-06-25', Time: '10:00' }])
})

t.test(
  'the cancellation cut-off counts from the first opening, and the booking cut-off does not affect it',
  async (t) => {
    const { bookAsPartner, call, open, cutOff, product } = await museum(t)
    await open({ Date: '2030-06-16', Time: '10:00', OpeningHours: [{ Opens: '10:00', Closes: '18:00' }] })
    const { BookingReference } = (await bookAsPartner({ Date: '2030-06-16', Time: '10:00' })).data
    await cutOff(525_600)
    const cancel = () => call('POST', `/bookings/${BookingReference}/cancel`)
    await call('PATCH', product, { CancelCutoffMinutes: 23 * 60 + 1 })
    const answer = await cancel()
    t.equal(answer.status, 409)
    t.match(answer.problem, { type: /cutoff-passed$/, CancelBy: '2030-06-15T09:59:00.000Z' })
    await call('PATCH', product, { CancelCutoffMinutes: 22 * 60 })
    t.equal((await cancel()).status, 200)
  },
)

t.test('refund terms count from the first opening', async (t) => {
  const { bookAsPartner, call, open, sql, accountId, productId } = await museum(t)
  await sql`
    insert into refund_terms (account_id, product_id, since, steps)
    values (${accountId}, ${productId}, '2030-01-01', '[{"hoursBefore": 12, "basisPoints": 10000}, {"hoursBefore": 0, "basisPoints": 5000}]')`
  // From 11:00 today it is eleven hours to the opening, and seventeen to the closing.
  await open({ Time: '22:00', OpeningHours: [{ Opens: '22:00', Closes: '04:00' }] })
  const { BookingReference } = (await bookAsPartner({ Time: '22:00' })).data
  const { data } = await call('POST', `/bookings/${BookingReference}/cancel`)
  t.match(data.Refund, { Amount: '45.00' })
})

t.test('the booking cut-off of one product does not affect another product', async (t) => {
  const { bookAsPartner, cutOff, sql, accountId } = await openMuseum(t)
  const other = await makeProduct(sql, accountId, { slots: { '2030-06-15 12:00': 4 } })
  await cutOff(tooLate)
  t.equal((await bookAsPartner({ ActivityID: other.activityId, Time: '12:00' })).status, 201)
})
