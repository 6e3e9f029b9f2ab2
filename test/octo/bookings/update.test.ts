/** Changing bookings through OCTO, before and after they are confirmed. */

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { afternoon, morning, openReseller } from './fixtures.ts'

t.test('omitted fields keep their values, and an empty text removes the value', async (t) => {
  const { reserve, update } = await openReseller(t)
  const contact = { firstName: 'Ada', emailAddress: 'ada@example.com' }
  const said = { notes: 'A birthday', resellerReference: 'OTA-1', contact }
  const { uuid } = await reserve(said)
  t.match(await update(uuid, {}), said)
  t.match(await update(uuid, { notes: null, contact: null, unitItems: null }), said)
  t.match(await update(uuid, { contact: { lastName: 'Lovelace' } }), {
    ...said,
    contact: { fullName: 'Ada Lovelace' },
  })
  t.match(await update(uuid, { notes: '', resellerReference: 'OTA-2' }), {
    notes: null,
    resellerReference: 'OTA-2',
  })
})

t.test(
  'a full name replaces an earlier name, and an empty text removes a field of the contact',
  async (t) => {
    const { reserve, update, confirm } = await openReseller(t)
    const contact = { firstName: 'Ana', lastName: 'Silva', emailAddress: 'ana@example.com', country: 'PT' }
    const { uuid, unitItems } = await reserve({ contact })
    t.match(await update(uuid, { contact: { fullName: 'Zoe' } }), {
      contact: { fullName: 'Zoe', firstName: 'Zoe', lastName: null, emailAddress: 'ana@example.com' },
    })
    t.match(await update(uuid, { contact: { emailAddress: '', country: '' } }), {
      contact: { fullName: 'Zoe', emailAddress: null, country: null },
    })
    const [item] = unitItems
    await update(uuid, { unitItems: [{ ...item, contact: { fullName: 'Carl Cohn' } }, unitItems[1]] })
    const dora = { uuid: item!.uuid, unitId: '0', contact: { fullName: 'Dora' } }
    t.match(await confirm(uuid, { contact: { fullName: 'Grace Hopper' }, unitItems: [dora, unitItems[1]] }), {
      contact: { fullName: 'Grace Hopper', firstName: 'Grace', lastName: 'Hopper' },
      unitItems: [{ contact: { fullName: 'Dora', lastName: null } }, {}],
    })
  },
)

t.test(
  'a contact with another name and another address is another person, and nothing of the former person stays',
  async (t) => {
    const { reserve, update } = await openReseller(t)
    const ana = { fullName: 'Ana Silva', emailAddress: 'ana@example.com', phoneNumber: '+351912345678' }
    const more = { country: 'PT', postalCode: '1100-053', notes: 'Vegan', locales: ['pt'] }
    const gone = { phoneNumber: null, country: null, postalCode: null, notes: null, locales: [] }
    const { uuid, unitItems } = await reserve({ contact: { ...ana, ...more } })
    const change = async (contact: object) => {
      const [first, second] = unitItems
      const items = [
        { uuid: first!.uuid, unitId: '0', contact },
        { uuid: second!.uuid, unitId: '0' },
      ]
      const changed = await update(uuid, { contact, unitItems: items })
      return [changed.contact, changed.unitItems[0]!.contact]
    }
    await change({ ...ana, ...more })
    const sameAddress = { fullName: 'Ana Sousa', emailAddress: 'ANA@example.com', country: 'ES' }
    for (const contact of await change(sameAddress))
      t.match(contact, { ...ana, ...more, ...sameAddress }, 'the same address')
    const sameName = { fullName: 'Ana Sousa', emailAddress: 'sousa@example.com' }
    for (const contact of await change(sameName)) t.match(contact, { ...more, ...sameName, country: 'ES' })
    const ben = { fullName: 'Ben Costa', emailAddress: 'ben@example.com' }
    for (const contact of await change({ ...ben, postalCode: '9000' }))
      t.match(contact, { ...ben, ...gone, postalCode: '9000' })
    t.match(await update(uuid, { contact: { phoneNumber: '+351912345679' } }), {
      contact: { ...ben, phoneNumber: '+351912345679', postalCode: '9000' },
    })
  },
)

t.test('a person who replaces another in a booking gets a ticket of their own', async (t) => {
  const { reserve, update, confirm } = await openReseller(t)
  const { uuid } = await reserve()
  const { unitItems } = await confirm(uuid, {
    unitItems: ['Ana', 'Ben'].map((fullName) => ({
      unitId: '0',
      resellerReference: fullName,
      contact: { fullName },
    })),
  })
  const codes = unitItems.map(({ ticket }) => ticket.deliveryOptions[0]!.deliveryValue)
  const changed = await update(uuid, { unitItems: [{ uuid: unitItems[0]!.uuid }, { unitId: '0' }] })
  t.match(changed.unitItems, [
    { contact: { fullName: 'Ana' }, resellerReference: 'Ana' },
    { contact: { fullName: null }, resellerReference: null },
  ])
  const [first, second] = changed.unitItems.map(({ ticket }) => ticket.deliveryOptions[0]!.deliveryValue)
  t.equal(first, codes[0])
  t.notOk(codes.includes(second!))
})

t.test('a guest whom a reseller adds to a confirmed booking is found by name', async (t) => {
  const { sql, app, operator, reserve, update, confirm } = await openReseller(t)
  const { uuid } = await reserve()
  const { supplierReference, unitItems } = await confirm(uuid)
  await pumpEvents(sql)
  const items = unitItems.map((item) => ({ uuid: item.uuid, unitId: '0' }))
  await update(uuid, { unitItems: [...items, { unitId: '0', contact: { fullName: 'Zoe Quist' } }] })
  await pumpEvents(sql)
  const url = '/api/v2/operator/bookings?Search=quist'
  const { data } = (await app.inject({ url, headers: operator.headers })).json()
  t.match(data, [{ BookingReference: supplierReference }])
})

for (const isConfirmed of [false, true]) {
  const name = isConfirmed ? 'a confirmed booking' : 'a reservation'
  const open = async (t: Parameters<typeof openReseller>[0]) => {
    const reseller = await openReseller(t, { units: true })
    const { uuid } = await reseller.reserve()
    if (isConfirmed) await reseller.confirm(uuid)
    const taken = async (time: string) => (await reseller.taken())[`2030-06-15 ${time}`]
    const count = (places: number) => (isConfirmed ? `${places}+0` : `0+${places}`)
    return { ...reseller, uuid, booking: await reseller.read(uuid), taken, count }
  }

  t.test(`${name} is moved to another timeslot, with its items`, async (t) => {
    const { update, uuid, booking, taken, count } = await open(t)
    const moved = await update(uuid, { availabilityId: afternoon })
    t.match(moved, { status: booking.status, availabilityId: afternoon, availability: { id: afternoon } })
    const known = ({ uuid, unitId }: { uuid: string; unitId: string }) => ({ uuid, unitId })
    t.same(moved.unitItems.map(known), booking.unitItems.map(known))
    t.equal(await taken('10:00'), '0+0')
    t.equal(await taken('14:00'), count(2))
    t.match(
      await update(uuid, { availabilityId: afternoon }),
      moved,
      'and stays there when the request is repeated',
    )
  })

  t.test(
    `${name} gets the items of the request: known items stay, others are removed, new ones are added`,
    async (t) => {
      const { update, uuid, booking, adult, child, taken, count } = await open(t)
      const [first] = booking.unitItems
      const added = randomUUID()
      const items = [
        { uuid: first!.uuid, unitId: adult, resellerReference: 'T-1', contact: { fullName: 'Grace Hopper' } },
        { uuid: added, unitId: adult },
        { unitId: adult },
      ]
      const changed = await update(uuid, { unitItems: items })
      t.equal(changed.unitItems.length, 3)
      t.match(changed.unitItems[0], {
        uuid: first!.uuid,
        resellerReference: 'T-1',
        contact: { fullName: 'Grace Hopper' },
      })
      t.ok(changed.unitItems.some((item) => item.uuid === added))
      t.notOk(changed.unitItems.some(({ unitId }) => unitId === child))
      t.equal(await taken('10:00'), count(3))
      const named = changed.unitItems.map((item) => ({ uuid: item.uuid }))
      t.same(
        await update(uuid, { unitItems: named }),
        changed,
        'items that are named by their uuid only are not changed',
      )
      const fewer = await update(uuid, { unitItems: [{ uuid: added, unitId: adult }] })
      t.match(fewer.unitItems, [{ uuid: added }])
      t.equal(await taken('10:00'), count(1))
    },
  )

  t.test(`${name} is not changed by a request that is refused`, async (t) => {
    const { update, refused, uuid, booking, adult, read } = await open(t)
    const items = (count: number) => Array.from({ length: count }, () => ({ unitId: adult }))
    const cases: [object, object][] = [
      [{ notes: 'x', unitItems: items(9) }, { error: 'UNPROCESSABLE_ENTITY' }],
      [{ notes: 'x', availabilityId: afternoon, unitItems: items(5) }, { error: 'UNPROCESSABLE_ENTITY' }],
      [{ notes: 'x', unitItems: [] }, { error: 'UNPROCESSABLE_ENTITY' }],
      [
        { notes: 'x', unitItems: [{ unitId: '0' }] },
        { error: 'INVALID_UNIT_ID', unitId: '0' },
      ],
      [{ notes: 'x', availabilityId: 'nonsense' }, { error: 'INVALID_AVAILABILITY_ID' }],
      [{ notes: 'x', optionId: 'nonsense' }, { error: 'INVALID_OPTION_ID' }],
      [{ notes: 'x', productId: 'nonsense' }, { error: 'INVALID_PRODUCT_ID' }],
      [{ notes: 'x', contact: { emailAddress: 'nobody' } }, { error: 'BAD_REQUEST' }],
    ]
    for (const [body, error] of cases)
      t.match(await refused('PATCH', `/bookings/${uuid}`, body), error, JSON.stringify(body).slice(0, 80))
    t.same(await read(uuid), booking)
    t.match(await update(uuid, { availabilityId: morning, optionId: 'DEFAULT' }), { status: booking.status })
  })
}

t.test(
  'a reservation is moved to another product if the request has that product’s availability and units',
  async (t) => {
    const { sql, accountId, reserve, update, refused, taken } = await openReseller(t, { units: true })
    const other = await makeProduct(sql, accountId, { name: 'Sauna', slots: { '2030-07-01 18:00': 6 } })
    const { uuid } = await reserve()
    const there = { productId: other.activityId, availabilityId: '2030-07-01T18:00:00+01:00' }
    t.match(await refused('PATCH', `/bookings/${uuid}`, { productId: other.activityId }), {
      error: 'INVALID_AVAILABILITY_ID',
    })
    t.match(await refused('PATCH', `/bookings/${uuid}`, there), {
      error: 'UNPROCESSABLE_ENTITY',
      errorMessage: /unitItems/,
    })
    const moved = await update(uuid, {
      ...there,
      optionId: 'DEFAULT',
      unitItems: [{ unitId: '0' }, { unitId: '0' }],
    })
    t.match(moved, {
      productId: other.activityId,
      availabilityId: there.availabilityId,
      unitItems: [{ unitId: '0' }, {}],
    })
    t.match(await taken(), { '2030-06-15 10:00': '0+0', '2030-07-01 18:00': '0+2' })
  },
)

t.test('a booking that is redeemed, cancelled or past its cut-off is not moved', async (t) => {
  const { reserve, confirm, cancel, refused, operate, sql } = await openReseller(t)
  const move = { availabilityId: afternoon }
  const redeemed = await reserve()
  const { unitItems } = await confirm(redeemed.uuid)
  await operate(`/tickets/${unitItems[0]!.ticket.deliveryOptions[0]!.deliveryValue}/redeem`)
  const cancelled = await reserve()
  await cancel(cancelled.uuid)
  const late = await reserve()
  await confirm(late.uuid)
  await sql`update products set cancel_cutoff_minutes = 525600`
  await sql`update timeslots set starts_at = app_now() + interval '1 day' where time = '10:00'`
  for (const { uuid } of [redeemed, cancelled, late])
    t.match(await refused('PATCH', `/bookings/${uuid}`, move), { error: 'UNPROCESSABLE_ENTITY' })
})

t.test('a reservation keeps its price when a request repeats its timeslot and its units', async (t) => {
  const { reserve, update, confirm, adult, child, sql } = await openReseller(t, { units: true })
  const options = { capabilities: ['octo/pricing'] }
  const { uuid, unitItems } = await reserve()
  await sql`update products set price_minor = 6000`
  const kept = { pricing: { retail: 6500 } }
  const contact = { fullName: 'Ada Lovelace' }
  const repeated = unitItems.map(({ uuid, unitId }) => ({ uuid, unitId, contact }))
  t.match(await update(uuid, { unitItems: repeated, availabilityId: morning }, options), kept)
  const others = [{ unitId: child }, { uuid: randomUUID(), unitId: adult }]
  t.match(await update(uuid, { unitItems: others }, options), kept, 'also for another guest')
  const confirmed = await confirm(uuid, { unitItems: others }, options)
  t.match(confirmed, { ...kept, status: 'CONFIRMED' })
})

t.test('a changed reservation has the current price', async (t) => {
  const { reserve, update, adult, sql } = await openReseller(t, { units: true })
  const { uuid } = await reserve()
  await sql`update products set price_minor = 6000`
  const capabilities = ['octo/pricing']
  const unitItems = [{ unitId: adult }, { unitId: adult }]
  t.match(await update(uuid, { unitItems }, { capabilities }), {
    pricing: { retail: 12_000 },
    unitItems: [{ pricing: { retail: 6000 } }, { pricing: { retail: 6000 } }],
  })
})

for (const isConfirmed of [false, true]) {
  const name = isConfirmed ? 'a confirmed booking' : 'a reservation'
  t.test(
    `each change of ${name} is in its history, and the operator finds the booking by the new words`,
    async (t) => {
      const { app, sql, accountId, id, operator, ...reseller } = await openReseller(t)
      const [question] = await sql<{ id: number }[]>`
        insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
        values (${accountId}, ${id}, 1, 'Your hotel?', 'text', false, '{}', 'booking') returning id`
      const options = { capabilities: ['octo/questions'] }
      const { uuid, supplierReference, unitItems } = await reseller.reserve({ resellerReference: 'OLD-1' })
      if (isConfirmed) await reseller.confirm(uuid)
      const read = async (path: string) =>
        (await app.inject({ url: `/api/v2/operator/bookings${path}`, headers: operator.headers })).json().data
      /** Sends a change; returns the new entries of the history. */
      const entriesOf = async (body: object) => {
        const before = (await read(`/${supplierReference}`)).History.length
        await reseller.update(uuid, body, options)
        return (await read(`/${supplierReference}`)).History.slice(before)
      }
      const finds = async (words: string) => {
        await pumpEvents(sql)
        return (await read(`?Search=${words}`)).length === 1
      }
      const entry = (...Fields: string[]) => [{ Action: 'customer-changed', Details: { Fields } }]
      t.match(await entriesOf({ resellerReference: 'NEW-2' }), entry('PaymentReference'))
      t.ok(await finds('NEW-2'))
      const questionAnswers = [{ questionId: String(question!.id), value: 'Ritz' }]
      t.match(await entriesOf({ questionAnswers, notes: 'Late' }), entry('Answers', 'Notes'))
      t.match(await entriesOf({ emailReceipt: true }), entry('EmailReceipt'))
      const contact = { firstName: 'Grace', country: 'US' }
      t.match(await entriesOf({ contact }), entry('Customer.FirstName', 'Contact'))
      const [first, second] = unitItems.map((item) => ({ uuid: item.uuid }))
      const named = [
        { ...first, resellerReference: 'TICKET-3', contact: { fullName: 'Joan Clarke' } },
        second,
      ]
      t.match(await entriesOf({ unitItems: named }), entry('Tickets'))
      t.ok(await finds('TICKET-3'))
      t.ok(await finds('Clarke'))
      const everything = { resellerReference: 'NEW-2', questionAnswers, contact, unitItems: named }
      t.same(await entriesOf(everything), [], 'a repeated change adds no entry')
      const more = [...named, { unitId: '0', uuid: randomUUID(), contact: { fullName: 'Alan Turing' } }]
      t.match(await entriesOf({ unitItems: more }), [{ Action: 'amended' }])
      t.ok(await finds('Turing'))
      const replaced = [...more.slice(0, 2), { unitId: '0', uuid: randomUUID() }]
      t.match(await entriesOf({ unitItems: replaced }), entry('Tickets'))
      t.notMatch(JSON.stringify(await sql`select details from events`), /Grace|Ritz|NEW-2|Turing/)
    },
  )
}
