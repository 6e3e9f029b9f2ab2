/** Reserving places through OCTO: the response to a reseller, and refusals. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { everyCapability } from '../reseller.ts'
import { morning, openReseller } from './fixtures.ts'

t.test('a reservation is ON_HOLD and has all its fields', async (t) => {
  const { reserve, activityId, taken } = await openReseller(t)
  const booking = await reserve({ notes: 'A birthday', resellerReference: 'OTA-1' })
  t.match(booking, {
    id: booking.uuid,
    testMode: false,
    resellerReference: 'OTA-1',
    supplierReference: /^[2-9A-Z]{10}$/,
    status: 'ON_HOLD',
    utcExpiresAt: /Z$/,
    utcConfirmedAt: null,
    utcRedeemedAt: null,
    productId: activityId,
    product: { id: activityId },
    optionId: 'DEFAULT',
    option: { id: 'DEFAULT' },
    cancellable: true,
    cancellation: null,
    freesale: false,
    availabilityId: morning,
    availability: { id: morning, vacancies: 6 },
    contact: { fullName: null, emailAddress: null, locales: [] },
    notes: 'A birthday',
    deliveryMethods: ['TICKET', 'VOUCHER'],
  })
  t.match(booking.unitItems, [
    {
      supplierReference: `${booking.supplierReference}-1`,
      unitId: '0',
      unit: { id: '0', type: 'ADULT' },
      status: 'ON_HOLD',
    },
    { supplierReference: `${booking.supplierReference}-2` },
  ])
  t.match(await taken(), { '2030-06-15 10:00': '0+2' })
})

t.test('each capability adds its fields, which are absent without it', async (t) => {
  const { reserve, read, sql, accountId, id } = await openReseller(t, { units: true })
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Can you swim?', 'text', false, '{}', 'booking')`
  const { uuid } = await reserve()
  for (const capabilities of [[], ...everyCapability.map((one) => [one]), everyCapability])
    await read(uuid, { capabilities })
  const { pricing, unitItems } = await read(uuid, { capabilities: ['octo/pricing'] })
  t.match(pricing, { original: 6500, retail: 6500, net: null, currency: 'EUR', currencyPrecision: 2 })
  t.match(unitItems, [{ pricing: { retail: 4500 } }, { pricing: { retail: 2000 } }])
})

t.test('an unknown id gets the error that names it', async (t) => {
  const { refused, order, activityId, adult } = await openReseller(t, { units: true })
  const cases: [object, object][] = [
    [{ uuid: 'nonsense' }, { error: 'INVALID_BOOKING_UUID', uuid: 'nonsense' }],
    [{ productId: 'nonsense' }, { error: 'INVALID_PRODUCT_ID', productId: 'nonsense' }],
    [{ productId: `s_${randomUUID()}` }, { error: 'INVALID_PRODUCT_ID' }],
    [{ productId: activityId.toUpperCase() }, { error: 'INVALID_PRODUCT_ID' }],
    [{ productId: undefined }, { error: 'INVALID_PRODUCT_ID', productId: '' }],
    [{ productId: 12 }, { error: 'INVALID_PRODUCT_ID' }],
    [{ optionId: 'nonsense' }, { error: 'INVALID_OPTION_ID', optionId: 'nonsense' }],
    [{ optionId: undefined }, { error: 'INVALID_OPTION_ID', optionId: '' }],
    [{ availabilityId: 'nonsense' }, { error: 'INVALID_AVAILABILITY_ID', availabilityId: 'nonsense' }],
    [{ availabilityId: undefined }, { error: 'INVALID_AVAILABILITY_ID', availabilityId: '' }],
    [{ availabilityId: '2030-06-15T10:00:00+00:00' }, { error: 'INVALID_AVAILABILITY_ID' }],
    [{ availabilityId: '2030-06-15T11:00:00+01:00' }, { error: 'INVALID_AVAILABILITY_ID' }],
    [{ availabilityId: '2030-06-31T10:00:00+01:00' }, { error: 'INVALID_AVAILABILITY_ID' }],
    [
      { unitItems: [{ unitId: adult }, { unitId: 'nonsense' }] },
      { error: 'INVALID_UNIT_ID', unitId: 'nonsense' },
    ],
    [{ unitItems: [{ unitId: '0' }] }, { error: 'INVALID_UNIT_ID', unitId: '0' }],
    [{ unitItems: [{}] }, { error: 'INVALID_UNIT_ID', unitId: '' }],
  ]
  for (const [changes, error] of cases)
    t.match(await refused('POST', '/bookings', order(changes)), error, JSON.stringify(changes))
})

t.test('a reservation without items is refused', async (t) => {
  const { refused, order } = await openReseller(t)
  for (const unitItems of [undefined, null, []])
    t.match(await refused('POST', '/bookings', order({ unitItems })), { error: 'UNPROCESSABLE_ENTITY' })
})

t.test('one error names every failing field', async (t) => {
  const { refused, order } = await openReseller(t)
  const uuid = randomUUID()
  const { error, errorMessage } = await refused(
    'POST',
    '/bookings',
    order({
      contact: { emailAddress: 'nobody', firstName: 'x'.repeat(256) },
      expirationMinutes: 0,
      notes: 7,
    }),
  )
  t.equal(error, 'BAD_REQUEST')
  for (const field of ['contact.emailAddress', 'contact.firstName', 'expirationMinutes', 'notes'])
    t.ok(errorMessage!.includes(field), field)
  const items = await refused(
    'POST',
    '/bookings',
    order({
      unitItems: [
        { unitId: '0', uuid },
        { unitId: '0', uuid: uuid.toUpperCase() },
        { unitId: '0', uuid: '7' },
      ],
    }),
  )
  t.match(items, {
    error: 'BAD_REQUEST',
    errorMessage: 'unitItems[1].uuid is the uuid of unitItems[0]; unitItems[2].uuid must be a UUID',
  })
  const many = await refused('POST', '/bookings', order({ unitItems: Array(1000).fill({ unitId: '0' }) }))
  t.match(many, { error: 'BAD_REQUEST', errorMessage: /unitItems must have at most 999 items/ })
})

t.test('null and unknown fields are ignored', async (t) => {
  const { reserve } = await openReseller(t)
  const nothing = {
    fullName: null,
    firstName: '',
    emailAddress: '',
    phoneNumber: '',
    locales: null,
    notes: null,
  }
  const booking = await reserve({
    ...{ notes: null, resellerReference: null, expirationMinutes: null, emailReceipt: true, currency: null },
    ...{ contact: { ...nothing, allowMarketing: true }, pickupPointId: 'x' },
    unitItems: [{ unitId: '0', uuid: null, resellerReference: null, contact: nothing }],
  })
  t.match(booking, { notes: null, resellerReference: null, contact: { fullName: null, locales: [] } })
})

t.test('a reservation that breaks a rule of the product, or does not fit, is refused', async (t) => {
  const { refused, order, sql, adult, child } = await openReseller(t, { units: true })
  await sql`update units set max_quantity = 3 where name = 'Child'`
  const items = (unitId: string, count: number) => Array.from({ length: count }, () => ({ unitId }))
  const cases: [object, RegExp][] = [
    [{ unitItems: items(child, 4) }, /^unitItems must be at most 3 for Child$/],
    [{ unitItems: items(adult, 9) }, /8 places left/],
  ]
  for (const [changes, message] of cases)
    t.match(await refused('POST', '/bookings', order(changes)), {
      error: 'UNPROCESSABLE_ENTITY',
      errorMessage: message,
    })
  await sql`update timeslots set status = 'closed'`
  t.match(await refused('POST', '/bookings', order()), { error: 'UNPROCESSABLE_ENTITY' })
  await sql`update products set in_shopfront = false`
  t.match(await refused('POST', '/bookings', order()), { error: 'INVALID_PRODUCT_ID' })
})

t.test('the same request with the same uuid gets the same booking in its current state', async (t) => {
  const { send, order, confirm, taken, sql } = await openReseller(t)
  const wanted = order()
  const first = await send('POST', '/bookings', wanted)
  const again = await send('POST', '/bookings', { ...wanted, uuid: wanted.uuid.toUpperCase() })
  t.same(again.body.id, first.body.id)
  t.equal(first.headers['idempotency-replayed'], undefined)
  await confirm(wanted.uuid)
  await sql`update timeslots set status = 'closed'`
  await sql`update products set in_shopfront = false`
  const later = await send('POST', '/bookings', wanted)
  t.match(later, { status: 200, body: { id: wanted.uuid, status: 'CONFIRMED' } })
  t.equal(later.headers['idempotency-replayed'], 'true')
  t.match(await taken(), { '2030-06-15 10:00': '2+0' })
})

t.test(
  'the same request gets its booking, although the question was deleted and the currency of the product has changed',
  async (t) => {
    const { send, order, sql, accountId, id } = await openReseller(t)
    const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${id}, 1, 'Your hotel?', 'text', false, '{}', 'booking') returning id`
    const options = { capabilities: ['octo/pricing', 'octo/questions'] }
    const questionAnswers = [{ questionId: String(question!.id), value: 'Ritz' }]
    const wanted = order({ currency: 'EUR', questionAnswers })
    t.equal((await send('POST', '/bookings', wanted, options)).status, 200)
    await sql`delete from questions`
    await sql`update products set currency = 'USD', in_shopfront = false`
    await sql`update timeslots set status = 'closed'`
    const again = await send('POST', '/bookings', wanted, options)
    t.match(again, { status: 200, body: { id: wanted.uuid, status: 'ON_HOLD' } }, JSON.stringify(again.body))
    t.equal(again.headers['idempotency-replayed'], 'true')
    const other = await send('POST', '/bookings', { ...wanted, productId: 'nonsense' }, options)
    t.match(
      other.body,
      { error: 'INVALID_BOOKING_UUID' },
      'a used uuid is refused before the body is checked',
    )
  },
)

t.test('a uuid that was used for another reservation is refused', async (t) => {
  const { refused, order, reserve, taken } = await openReseller(t)
  const wanted = order()
  await reserve(wanted)
  t.match(await refused('POST', '/bookings', { ...wanted, notes: 'Other' }), {
    error: 'INVALID_BOOKING_UUID',
    uuid: wanted.uuid,
  })
  t.match(await taken(), { '2030-06-15 10:00': '0+2' })
})

t.test('a reservation without a uuid gets one', async (t) => {
  const { reserve, read } = await openReseller(t)
  const { uuid } = await reserve({ uuid: undefined })
  t.match(await read(uuid), { uuid, status: 'ON_HOLD' })
})

t.test(
  'items keep the uuids and references that the reseller gave them, in the order of the request',
  async (t) => {
    const { reserve, adult, child } = await openReseller(t, { units: true })
    const uuids = [randomUUID(), randomUUID(), randomUUID()]
    const contact = { fullName: 'Grace Brewster Hopper', locales: ['en'] }
    const { unitItems } = await reserve({
      unitItems: [
        { uuid: uuids[0], unitId: child, resellerReference: 'T-1' },
        { uuid: uuids[1], unitId: adult, contact },
        { uuid: uuids[2], unitId: child },
      ],
    })
    t.match(unitItems, [
      { uuid: uuids[0], unitId: child, resellerReference: 'T-1' },
      {
        uuid: uuids[1],
        unitId: adult,
        contact: {
          fullName: 'Grace Brewster Hopper',
          firstName: 'Grace Brewster',
          lastName: 'Hopper',
          locales: ['en'],
        },
      },
      { uuid: uuids[2], unitId: child },
    ])
  },
)

t.test('with octo/pricing, a currency that is not the product’s is refused', async (t) => {
  const { refused, reserve, order } = await openReseller(t)
  const capabilities = ['octo/pricing']
  t.match(await refused('POST', '/bookings', order({ currency: 'USD' }), { capabilities }), {
    error: 'BAD_REQUEST',
    errorMessage: /EUR/,
  })
  await reserve({ currency: 'EUR' }, { capabilities })
  await reserve({ currency: 'USD' })
})
