/** Confirming reservations through OCTO. */
import t from 'tap'
import { openReseller } from './fixtures.ts'

const contact = {
  fullName: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  emailAddress: 'ada@example.com',
  phoneNumber: '+351 912 345 678',
  locales: ['en-GB', 'en'],
  postalCode: '1100-053',
  country: 'PT',
  notes: 'Vegetarian',
}

t.test(
  'a confirmed booking has its contact, its references, a voucher, and a ticket for each item',
  async (t) => {
    const { reserve, confirm, taken, operate } = await openReseller(t)
    const held = await reserve()
    t.match(held, { voucher: { deliveryOptions: [] }, unitItems: [{ ticket: { deliveryOptions: [] } }] })
    const booking = await confirm(held.uuid, { contact, resellerReference: 'OTA-7', notes: 'A birthday' })
    t.match(booking, {
      uuid: held.uuid,
      status: 'CONFIRMED',
      resellerReference: 'OTA-7',
      supplierReference: held.supplierReference,
      utcConfirmedAt: /Z$/,
      utcExpiresAt: null,
      utcRedeemedAt: null,
      cancellable: true,
      notes: 'A birthday',
      voucher: {
        redemptionMethod: 'DIGITAL',
        utcRedeemedAt: null,
        deliveryOptions: [{ deliveryFormat: 'QRCODE', deliveryValue: held.supplierReference }],
      },
    })
    t.same(booking.contact, { ...contact, phoneNumber: '+351912345678' })
    const codes = booking.unitItems.map(({ ticket }) => ticket.deliveryOptions[0]!.deliveryValue)
    t.equal(new Set(codes).size, 2)
    t.equal((await operate(`/tickets/${codes[0]}/redeem`)).statusCode, 200, 'a ticket admits at the gate')
    t.match(await taken(), { '2030-06-15 10:00': '2+0' })
  },
)

t.test('a confirmation without fields keeps everything that the reservation had', async (t) => {
  const { reserve, confirm, get } = await openReseller(t)
  const said = { contact, notes: 'A birthday', resellerReference: 'OTA-7' }
  const { uuid } = await reserve(said)
  const booking = await confirm(uuid, { contact: {} })
  t.match(booking, { ...said, contact: { ...contact, phoneNumber: '+351912345678' }, status: 'CONFIRMED' })
  const second = await reserve()
  t.match(await get('POST', `/bookings/${second.uuid}/confirm`), { status: 'CONFIRMED' })
})

t.test('the contact of a confirmation adds its fields to the contact of the reservation', async (t) => {
  const { reserve, confirm } = await openReseller(t)
  const { uuid } = await reserve({ contact: { fullName: 'Ada Lovelace', country: 'PT' } })
  const booking = await confirm(uuid, { contact: { emailAddress: 'ada@example.com', notes: 'Vegetarian' } })
  t.match(booking.contact, {
    ...{ fullName: 'Ada Lovelace', emailAddress: 'ada@example.com' },
    ...{ country: 'PT', notes: 'Vegetarian' },
  })
})

t.test('a repeated confirmation gets the first response again', async (t) => {
  const { reserve, confirm, taken } = await openReseller(t)
  const { uuid } = await reserve()
  const first = await confirm(uuid, { contact })
  t.same(await confirm(uuid, { contact }), first)
  t.same(await confirm(uuid, { notes: 'Other' }), first, 'even if the request differs')
  t.match(await taken(), { '2030-06-15 10:00': '2+0' })
})

t.test(
  'a repeated confirmation with answers gets its booking, although the question was deleted',
  async (t) => {
    const { reserve, confirm, sql, accountId, id } = await openReseller(t)
    const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Your hotel?', 'text', false, '{}', 'booking') returning id`
    const options = { capabilities: ['octo/questions'] }
    const { uuid } = await reserve()
    const answered = { questionAnswers: [{ questionId: String(question!.id), value: 'Ritz' }] }
    t.match(await confirm(uuid, answered, options), { status: 'CONFIRMED', ...answered })
    await sql`delete from questions`
    t.match(await confirm(uuid, answered, options), { uuid, status: 'CONFIRMED' })
  },
)

t.test('the items of a confirmation replace the items of the booking', async (t) => {
  const { reserve, confirm, refused, taken, adult, child } = await openReseller(t, { units: true })
  const { uuid, unitItems } = await reserve()
  const [first] = unitItems
  const items = [{ uuid: first!.uuid, unitId: adult }, { unitId: adult }, { unitId: child, contact }]
  const wrong = [{ unitId: 'nonsense' }]
  t.match(await refused('POST', `/bookings/${uuid}/confirm`, { unitItems: wrong }), {
    error: 'INVALID_UNIT_ID',
    unitId: 'nonsense',
  })
  const booking = await confirm(uuid, { contact, unitItems: items })
  t.match(booking, { status: 'CONFIRMED' })
  t.equal(booking.unitItems.length, 3)
  t.match(booking.unitItems[0], { uuid: first!.uuid, unitId: adult, ticket: { deliveryOptions: [{}] } })
  t.match(await taken(), { '2030-06-15 10:00': '3+0' })
})

t.test('an expired or cancelled reservation cannot be confirmed', async (t) => {
  const { reserve, refused, runOut, cancel, taken } = await openReseller(t)
  const { uuid } = await reserve()
  await runOut()
  t.match(await refused('POST', `/bookings/${uuid}/confirm`, { contact }), {
    error: 'INVALID_BOOKING_UUID',
    uuid,
  })
  const second = await reserve()
  await cancel(second.uuid)
  t.match(await refused('POST', `/bookings/${second.uuid}/confirm`, { contact }), {
    error: 'UNPROCESSABLE_ENTITY',
  })
  t.match(await taken(), { '2030-06-15 10:00': /^0\+/ })
})
