/** The calendar of availability that a reseller reads through OCTO: one entry for each day. */
import t, { type Test } from 'tap'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { checkPublished } from './published.ts'
import { makeReseller } from './reseller.ts'

const weekend = { localDateStart: '2030-06-14', localDateEnd: '2030-06-16' }

async function prepare(t: Test, slots: Record<string, number>) {
  const reseller = await makeReseller(t, { slots })
  const { ask, activityId } = reseller
  const calendar = (changes: object = weekend, capabilities: readonly string[] = []) =>
    ask('POST', '/availability/calendar', {
      body: { productId: activityId, optionId: 'DEFAULT', ...changes },
      capabilities,
    })
  return { ...reseller, calendar }
}

t.test('the calendar has every day of the range, with the best status of its timeslots', async (t) => {
  const { calendar, sql } = await prepare(t, {
    ...{ '2030-06-15 10:00': 4, '2030-06-15 12:00': 8, '2030-06-16 10:00': 5 },
  })
  await sql`update timeslots set booked = 4 where capacity = 4`
  await sql`update timeslots set booked = 6 where capacity = 8`
  await sql`update timeslots set booked = 5 where capacity = 5`
  const { body, status } = await calendar()
  t.equal(status, 200)
  checkPublished(t, 'AvailabilityCalendar', body)
  t.same(body, [
    day('2030-06-14', false, 'CLOSED', 0, 0),
    day('2030-06-15', true, 'LIMITED', 2, 12),
    day('2030-06-16', false, 'SOLD_OUT', 0, 5),
  ])
})

function day(localDate: string, available: boolean, status: string, vacancies: number, capacity: number) {
  return { localDate, available, status, openingHours: [], vacancies, capacity }
}

t.test('a day is available to a party that fits on one of its timeslots', async (t) => {
  const { calendar } = await prepare(t, { '2030-06-15 10:00': 4, '2030-06-15 12:00': 8 })
  const party = async (quantity: number) => {
    const { body } = await calendar({ ...weekend, units: [{ id: '0', quantity }] })
    return `${body[1].status} ${body[1].available}`
  }
  t.equal(await party(8), 'AVAILABLE true')
  t.equal(await party(9), 'SOLD_OUT false')
})

t.test('a day has the lowest prices of the timeslots that can be booked', async (t) => {
  const { calendar, sql, accountId, id } = await prepare(t, {
    ...{ '2030-06-15 10:00': 4, '2030-06-15 12:00': 8, '2030-06-15 14:00': 6 },
  })
  const [adult, child] = await giveUnits(sql, accountId, id, [
    { name: 'Adult' },
    { name: 'Child', priceMinor: 2000 },
  ])
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${`{"0": 3000}`}::text::jsonb where capacity = 4`
  await sql`update timeslots set unit_prices = ${`{"0": 1000}`}::text::jsonb, booked = 6 where capacity = 6`
  await sql`update timeslots set unit_prices = ${`{"${child}": 1500}`}::text::jsonb where capacity = 8`
  const capabilities = ['octo/pricing']
  const units = [
    { id: String(adult), quantity: 1 },
    { id: String(child), quantity: 2 },
  ]
  const { body } = await calendar({ ...weekend, units }, capabilities)
  checkPublished(t, 'AvailabilityCalendar', body, { capabilities })
  t.match(body[1].unitPricingFrom, [
    { unitId: String(adult), retail: 3000 },
    { unitId: String(child), retail: 1500 },
  ])
  t.match(body[1].pricingFrom, { retail: 7000 })
  t.match(body[0].pricingFrom, { retail: 8500 }, 'a day without timeslots has the prices of the product')
})

t.test('the calendar shows the opening hours of a museum, and 00:00 to 00:00 on closed days', async (t) => {
  const { calendar, sql } = await prepare(t, { '2030-06-15 09:00': 8 })
  await sql`
    update timeslots set closes_at = starts_at + interval '8 hours',
      opening_hours = '[{"opens": "09:00", "closes": "17:00"}]'`
  const { body } = await calendar()
  checkPublished(t, 'AvailabilityCalendar', body)
  t.same(
    body.map(({ status, openingHours }: { status: string; openingHours: { from: string; to: string }[] }) =>
      [status, ...openingHours.map(({ from, to }) => `${from}-${to}`)].join(' '),
    ),
    ['CLOSED 00:00-00:00', 'AVAILABLE 09:00-17:00', 'CLOSED 00:00-00:00'],
  )
})

t.test('a range needs a first and a last day, in this order, and covers at most a year', async (t) => {
  const { calendar } = await prepare(t, {})
  for (const wrong of [
    {},
    { localDateEnd: '2030-06-16' },
    { localDateStart: '2030-06-16', localDateEnd: '2030-06-15' },
    { localDateStart: '2030-01-01', localDateEnd: '2031-01-02' },
    { ...weekend, currency: 'USD' },
  ]) {
    const { status, body } = await calendar(wrong)
    t.equal(status, 400)
    checkPublished(t, 'ErrorBadRequest', body)
    t.equal(body.error, 'BAD_REQUEST')
  }
  const { body } = await calendar({ localDateStart: '2030-01-01', localDateEnd: '2031-01-01' })
  t.equal(body.length, 366)
})
