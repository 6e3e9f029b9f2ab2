/** The availability that a reseller checks through OCTO: by dates, by ids, and for a party. */
import t from 'tap'
import { clockAt } from '../clock.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { checkPublished } from './published.ts'
import { checking, everyCapability, june } from './reseller.ts'

t.test(
  'the id of a timeslot is its local start with offset, and the timeslot matches the published schema',
  async (t) => {
    const { check } = await checking(t, { slots: { '2030-06-15 10:00': 8 } })
    const { body, status } = await check()
    t.equal(status, 200)
    checkPublished(t, 'Availability', body)
    t.same(body, [
      {
        id: '2030-06-15T10:00:00+01:00',
        localDateTimeStart: '2030-06-15T10:00:00+01:00',
        localDateTimeEnd: '2030-06-15T11:30:00+01:00',
        utcCutoffAt: '2030-06-15T09:00:00Z',
        allDay: false,
        available: true,
        status: 'AVAILABLE',
        vacancies: 8,
        capacity: 8,
        maxUnits: null,
        openingHours: [],
      },
    ])
  },
)

t.test('the id of an all-day timeslot is its first opening, and it has opening hours', async (t) => {
  const { check, sql } = await checking(t, { slots: { '2030-06-15 09:00': 8 } })
  await sql`
    update timeslots set closes_at = starts_at + interval '8 hours',
      opening_hours = '[{"opens": "09:00", "closes": "12:00"}, {"opens": "14:00", "closes": "17:00"}]'`
  const { body } = await check()
  checkPublished(t, 'Availability', body)
  t.match(body, [
    {
      id: '2030-06-15T09:00:00+01:00',
      localDateTimeEnd: '2030-06-15T17:00:00+01:00',
      utcCutoffAt: '2030-06-15T16:00:00Z',
      allDay: true,
      openingHours: [
        { from: '09:00', to: '12:00' },
        { from: '14:00', to: '17:00' },
      ],
    },
  ])
})

t.test('the status shows whether at least half, less than half or nothing is free', async (t) => {
  const slots = {
    '2030-06-15 10:00': 4,
    '2030-06-15 11:00': 6,
    '2030-06-15 12:00': 8,
    '2030-06-15 13:00': 10,
  }
  const { brief, take } = await checking(t, { slots })
  await take(6, 3)
  await take(8, 5)
  await take(10, 10)
  t.same(await brief(), ['AVAILABLE 4', 'AVAILABLE 3', 'LIMITED 3', 'SOLD_OUT 0!'])
})

t.test('a timeslot that is closed, over or past its cut-off is CLOSED', async (t) => {
  const { brief, sql } = await checking(t, {
    ...clockAt('2030-06-15T10:00Z'),
    slots: { '2030-06-14 10:00': 4, '2030-06-15 11:30': 6, '2030-06-15 14:00': 8, '2030-06-16 10:00': 10 },
  })
  await sql`update products set booking_cutoff_minutes = 60`
  await sql`update timeslots set status = 'closed' where capacity = 10`
  t.same(await brief(), ['CLOSED 0!', 'CLOSED 0!', 'AVAILABLE 8', 'CLOSED 0!'])
})

t.test('one booking sells out the timeslot of a product that takes whole timeslots', async (t) => {
  const { brief, take, sql } = await checking(t, { slots: { '2030-06-15 10:00': 4, '2030-06-15 12:00': 6 } })
  await sql`update products set priced_per_booking = true, takes_timeslot = true`
  await take(6, 6)
  t.same(await brief(), ['AVAILABLE 4', 'SOLD_OUT 0!'])
  await sql`update timeslots set capacity = 8 where capacity = 6`
  t.same(await brief(), ['AVAILABLE 4', 'SOLD_OUT 0!'], 'even after places were added')
})

t.test('a party fits on a timeslot with enough places for its units', async (t) => {
  const { brief, sql, accountId, id } = await checking(t, {
    slots: { '2030-06-15 10:00': 4, '2030-06-15 12:00': 8 },
  })
  const [adult, family] = (
    await giveUnits(sql, accountId, id, [{ name: 'Adult' }, { name: 'Family', places: 4, people: 4 }])
  ).map(String)
  const party = (...units: object[]) => brief({ ...june, units })
  const fits = ['AVAILABLE 4', 'AVAILABLE 8']
  t.same(await party({ id: family, quantity: 1 }), fits)
  t.same(await party({ id: family, quantity: 1 }, { id: adult, quantity: 1 }), ['SOLD_OUT 4!', 'AVAILABLE 8'])
  t.same(await party({ id: adult, quantity: 3 }, { id: adult, quantity: 3 }), ['SOLD_OUT 4!', 'AVAILABLE 8'])
  t.same(await party({ id: family, quantity: 0 }), fits, 'a quantity of 0 needs no places')
  t.same(await party(), fits)
})

t.test('a party that breaks a rule of the product cannot book, even if places are free', async (t) => {
  const { brief, sql, accountId, id } = await checking(t, { slots: { '2030-06-15 10:00': 20 } })
  const [adult, child] = await giveUnits(sql, accountId, id, [
    { name: 'Adult', maxQuantity: 4 },
    { name: 'Child' },
  ])
  await sql`update products set min_places = 2, max_places = 10 where id = ${id}`
  await sql`update units set accompanied_by = array[${adult!}::bigint] where id = ${child!}`
  const party = async (adults: number, children: number) => {
    const units = [
      { id: String(adult), quantity: adults },
      { id: String(child), quantity: children },
    ]
    return (await brief({ ...june, units }))[0]
  }
  t.equal(await party(2, 1), 'AVAILABLE 20')
  t.equal(await party(1, 0), 'AVAILABLE 20!', 'too few places')
  t.equal(await party(4, 7), 'AVAILABLE 20!', 'too many places')
  t.equal(await party(5, 0), 'AVAILABLE 20!', 'too many adults')
  t.equal(await party(0, 3), 'AVAILABLE 20!', 'children alone')
})

t.test('timeslots are found by their ids, and unknown ids are left out', async (t) => {
  const { check } = await checking(t, {
    slots: { '2030-06-15 10:00': 4, '2030-06-15 12:00': 8, '2030-12-15 10:00': 4 },
  })
  const [first, , last] = (await check({ localDateStart: '2030-06-01', localDateEnd: '2030-12-31' })).body
  const found = async (...availabilityIds: string[]) =>
    (await check({ availabilityIds })).body.map(({ id }: { id: string }) => id)
  t.same(await found(last.id, first.id, first.id), [first.id, last.id])
  t.same(await found('2030-06-15T10:00:00+00:00'), [], 'the right time with another offset')
  t.same(await found('2030-06-15T11:00:00+01:00', last.id), [last.id])
  for (const id of ['nonsense', '', '2030-06-15', '2030-02-30T10:00:00+00:00', '2030-06-15T10:00:00Z']) {
    const { status, body } = await check({ availabilityIds: [last.id, id] })
    t.equal(status, 400, id)
    checkPublished(t, 'ErrorInvalidAvailabilityID', body)
    t.match(body, { error: 'INVALID_AVAILABILITY_ID', availabilityId: id })
  }
})

t.test('each timeslot of a night on which clocks are set back has its own id', async (t) => {
  const slots = { '2030-10-26 23:30': 4, '2030-10-27 00:30': 4, '2030-10-27 01:30': 4, '2030-10-27 02:30': 4 }
  const { check } = await checking(t, { slots })
  const { body } = await check({ localDateStart: '2030-10-26', localDateEnd: '2030-10-27' })
  const ids = body.map(({ id }: { id: string }) => id)
  t.equal(new Set(ids).size, 4)
  t.same((await check({ availabilityIds: ids })).body, body)
})

t.test('a request gives one date, a first and a last date, or ids', async (t) => {
  const { check, brief } = await checking(t, { slots: { '2030-06-15 10:00': 4, '2030-06-16 10:00': 8 } })
  t.same(await brief({ localDate: '2030-06-16' }), ['AVAILABLE 8'])
  t.same(await brief({ ...june, localDate: null, availabilityIds: null, units: null, currency: null }), [
    'AVAILABLE 4',
    'AVAILABLE 8',
  ])
  for (const wrong of [
    {},
    { localDateStart: '2030-06-01' },
    { localDateEnd: '2030-06-01' },
    { ...june, localDate: '2030-06-16' },
    { ...june, availabilityIds: ['2030-06-15T10:00:00+01:00'] },
    { localDateStart: '2030-06-30', localDateEnd: '2030-06-01' },
    { localDateStart: '2030-01-01', localDateEnd: '2031-01-02' },
    { localDate: '2030-02-30' },
    { localDate: 'tomorrow' },
    { availabilityIds: [] },
    { availabilityIds: Array.from({ length: 101 }, () => '2030-06-15T10:00:00+01:00') },
    { ...june, units: [{ id: '0', quantity: -1 }] },
    { ...june, units: [{ id: '0' }] },
    { ...june, currency: 'USD' },
  ]) {
    const { status, body } = await check(wrong)
    t.equal(status, 400, JSON.stringify(wrong).slice(0, 80))
    checkPublished(t, 'ErrorBadRequest', body)
    t.equal(body.error, 'BAD_REQUEST', JSON.stringify(wrong).slice(0, 80))
  }
  t.equal((await check({ localDateStart: '2030-01-01', localDateEnd: '2031-01-01' })).status, 200, 'a year')
  t.match((await check({ ...june, currency: 'USD' })).body.errorMessage, 'EUR')
})

t.test('an unknown id of a product, option or unit is refused with an error that names it', async (t) => {
  const { ask, activityId } = await checking(t)
  for (const [changes, error, named] of [
    [{ productId: 'nonsense' }, 'INVALID_PRODUCT_ID', { productId: 'nonsense' }],
    [{ productId: 's_00000000-0000-4000-8000-000000000000' }, 'INVALID_PRODUCT_ID', {}],
    [{ productId: 12 }, 'INVALID_PRODUCT_ID', { productId: '' }],
    [{ optionId: 'default' }, 'INVALID_OPTION_ID', { optionId: 'default' }],
    [{ optionId: '' }, 'INVALID_OPTION_ID', { optionId: '' }],
    [{ units: [{ id: '7', quantity: 1 }] }, 'INVALID_UNIT_ID', { unitId: '7' }],
    [{ units: [{ id: '00', quantity: 1 }] }, 'INVALID_UNIT_ID', { unitId: '00' }],
  ] as const) {
    for (const path of ['/availability', '/availability/calendar']) {
      const body = { productId: activityId, optionId: 'DEFAULT', ...june, ...changes }
      const answer = await ask('POST', path, { body })
      t.equal(answer.status, 400, path)
      t.match(answer.body, { error, ...named })
    }
  }
  t.match((await ask('POST', '/availability', { body: june })).body, { error: 'INVALID_PRODUCT_ID' })
})

t.test('with all capabilities, the response matches the published schema', async (t) => {
  const { check } = await checking(t, { slots: { '2030-06-15 10:00': 4 } })
  const { body } = await check(june, everyCapability)
  checkPublished(t, 'Availability', body, { capabilities: everyCapability })
  t.equal(body.length, 1)
})

t.test('a request for more than 10,000 timeslots is refused, and the error names this limit', async (t) => {
  const { check, sql, accountId, id } = await checking(t)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${id}, day::date, '00:00'::time + minutes * interval '1 minute', day, 4
    from generate_series('2030-01-01'::timestamp, '2030-12-31', '1 day') as day, generate_series(1, 28) as minutes`
  const { status, body } = await check({ localDateStart: '2030-01-01', localDateEnd: '2030-12-31' })
  t.match({ status, body }, { status: 400, body: { error: 'BAD_REQUEST', errorMessage: /more than 10000/ } })
  t.equal((await check(june)).body.length, 30 * 28)
})
