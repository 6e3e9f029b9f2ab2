/** The products, options and units that a reseller reads through OCTO. */
import t from 'tap'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { checkPublished } from './published.ts'
import { everyCapability, makeReseller } from './reseller.ts'

const slots = { '2030-06-15 10:00': 8, '2030-06-16 14:00': 8 }

t.test('a product has one option, with its start times, its cut-off and its units', async (t) => {
  const { ask, sql, accountId, id, activityId } = await makeReseller(t, { slots })
  await sql`update products set cancel_cutoff_minutes = 2880, max_places = 10 where id = ${id}`
  const [adult, child] = await giveUnits(sql, accountId, id, [
    { name: 'Adult', type: 'ADULT' },
    { name: 'Child', type: 'CHILD', priceMinor: 2000, maxQuantity: 4 },
  ])
  await sql`update units set min_age = 4, max_age = 11, accompanied_by = array[${adult!}::bigint] where id = ${child!}`
  const { body, status } = await ask('GET', `/products/${activityId}`)
  t.equal(status, 200)
  checkPublished(t, 'Product', body)
  t.match(body, { id: activityId, internalName: 'Kayak', availabilityType: 'START_TIME' })
  t.match(body.options, [
    {
      id: 'DEFAULT',
      availabilityLocalStartTimes: ['10:00', '14:00'],
      cancellationCutoff: '2 days',
      cancellationCutoffAmount: 2,
      cancellationCutoffUnit: 'day',
      requiredContactFields: [],
      restrictions: { minUnits: 1, maxUnits: 10 },
      units: [
        { id: String(adult), type: 'ADULT', restrictions: { minAge: 0, maxAge: 150, accompaniedBy: [] } },
        {
          id: String(child),
          restrictions: {
            ...{ minAge: 4, maxAge: 11, minQuantity: null, maxQuantity: 4 },
            ...{ paxCount: 1, accompaniedBy: [String(adult)] },
          },
        },
      ],
    },
  ])
  t.same((await ask('GET', '/products')).body, [body], 'the list has the same product')
})

t.test('a product without units has the unit 0, for a guest of any age', async (t) => {
  const { ask, activityId } = await makeReseller(t, { slots })
  const { body } = await ask('GET', `/products/${activityId}`)
  checkPublished(t, 'Product', body)
  t.match(body.options[0].units, [{ id: '0', internalName: 'Person', type: 'ADULT' }])
  t.equal(body.options[0].units.length, 1)
  t.equal(body.options[0].restrictions.maxUnits, null, 'as many as there are places')
})

t.test('an option has a maximum number of units only if each unit takes at least one place', async (t) => {
  const { ask, sql, accountId, id, activityId } = await makeReseller(t, { slots })
  await sql`update products set min_places = 4, max_places = 10 where id = ${id}`
  const restrictions = async () => (await ask('GET', `/products/${activityId}`)).body.options[0].restrictions
  t.same(await restrictions(), { minUnits: 4, maxUnits: 10 })
  await giveUnits(sql, accountId, id, [{ name: 'Adult' }, { name: 'Family', places: 4, people: 4 }])
  t.same(await restrictions(), { minUnits: 1, maxUnits: 10 })
  await giveUnits(sql, accountId, id, [{ name: 'Infant', places: 0 }])
  t.same(await restrictions(), { minUnits: 1, maxUnits: null }, 'infants take no place')
})

t.test('a product whose timeslots are all-day has opening hours', async (t) => {
  const { ask, sql, activityId } = await makeReseller(t, { slots: { '2030-06-15 09:00': 8 } })
  await sql`
    update timeslots set closes_at = starts_at + interval '8 hours',
      opening_hours = '[{"opens": "09:00", "closes": "17:00"}]'`
  const { body } = await ask('GET', `/products/${activityId}`)
  checkPublished(t, 'Product', body)
  t.equal(body.availabilityType, 'OPENING_HOURS')
  t.same(body.options[0].availabilityLocalStartTimes, ['09:00'])
})

t.test(
  'start times come from future schedules and timeslots, and there is always at least one',
  async (t) => {
    const { ask, sql, accountId, id, activityId } = await makeReseller(t, {
      slots: { '2030-06-15 16:30': 8, '2020-06-15 06:00': 8 },
    })
    const schedule = (from: string, to: string, time: string) => sql`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity)
    values (${accountId}, ${id}, ${from}, ${to}, '{1}', array[${time}]::time[], 8)`
    await schedule('2030-01-01', '2030-12-31', '09:30')
    await schedule('2020-01-01', '2020-12-31', '07:00')
    const times = async () =>
      (await ask('GET', `/products/${activityId}`)).body.options[0].availabilityLocalStartTimes
    t.same(await times(), ['09:30', '16:30'])
    await sql`delete from schedules`
    await sql`delete from timeslots`
    t.same(await times(), ['00:00'])
  },
)

t.test('a cut-off is given in the largest unit of time that divides it', async (t) => {
  const { ask, sql, activityId } = await makeReseller(t)
  for (const [minutes, text, amount, unit] of [
    [0, '0 days', 0, 'day'],
    [1, '1 minute', 1, 'minute'],
    [90, '90 minutes', 90, 'minute'],
    [60, '1 hour', 1, 'hour'],
    [1500, '25 hours', 25, 'hour'],
    [2880, '2 days', 2, 'day'],
  ] as const) {
    await sql`update products set cancel_cutoff_minutes = ${minutes}`
    t.match((await ask('GET', `/products/${activityId}`)).body.options[0], {
      cancellationCutoff: text,
      cancellationCutoffAmount: amount,
      cancellationCutoffUnit: unit,
    })
  }
})

t.test(
  'if several refund steps refund everything, the one closest to the start sets the cut-off',
  async (t) => {
    const { ask, sql, accountId, id, activityId } = await makeReseller(t)
    const steps = [
      { basisPoints: 10_000, hoursBefore: 72 },
      { basisPoints: 10_000, hoursBefore: 24 },
      { basisPoints: 5000, hoursBefore: 2 },
    ]
    await sql`
    insert into refund_terms (account_id, product_id, since, steps)
    values (${accountId}, ${id}, now(), ${sql.json(steps)})`
    const { body } = await ask('GET', `/products/${activityId}`)
    t.match(body.options[0], { cancellationCutoff: '1 day', cancellationCutoffAmount: 1 })
  },
)

t.test(
  'a product outside the shopfront, an unknown id and an invalid id get INVALID_PRODUCT_ID',
  async (t) => {
    const { ask, sql, activityId } = await makeReseller(t)
    await sql`update products set in_shopfront = false`
    const unknown = 's_00000000-0000-4000-8000-000000000000'
    for (const productId of [activityId, unknown, activityId.toUpperCase(), 'nonsense', '1']) {
      const { status, body } = await ask('GET', `/products/${productId}`)
      t.equal(status, 400, productId)
      checkPublished(t, 'ErrorInvalidProductID', body)
      t.match(body, { error: 'INVALID_PRODUCT_ID', productId })
    }
    t.same((await ask('GET', '/products')).body, [])
  },
)

t.test('with octo/pricing, units have prices and the partner’s net prices', async (t) => {
  const { ask, sql, accountId, id, activityId } = await makeReseller(t, { slots })
  await giveUnits(sql, accountId, id, [{ name: 'Adult' }, { name: 'Child', priceMinor: 2000 }])
  await sql`
    insert into partner_terms (account_id, partner_id, product_id, commission_bp)
    select account_id, id, null, 2000 from partners where account_id = ${accountId}`
  await sql`update products set has_partner_terms = true`
  const capabilities = ['octo/pricing']
  const { body } = await ask('GET', `/products/${activityId}`, { capabilities })
  checkPublished(t, 'Product', body, { capabilities })
  t.match(body, { defaultCurrency: 'EUR', availableCurrencies: ['EUR'], pricingPer: 'UNIT' })
  const [option] = body.options
  t.same(option.pricingFrom, [], 'the option has no price of its own')
  const price = { currency: 'EUR', currencyPrecision: 2, includedTaxes: [] }
  t.same(option.units[0].pricingFrom, [{ original: 4500, retail: 4500, net: 3600, ...price }])
  t.same(option.units[1].pricingFrom, [{ original: 2000, retail: 2000, net: 1600, ...price }])
  t.same(option.units[1].pricing, option.units[1].pricingFrom)
})

t.test('without terms there is no net price', async (t) => {
  const { ask, activityId } = await makeReseller(t)
  const { body } = await ask('GET', `/products/${activityId}`, { capabilities: ['octo/pricing'] })
  t.equal(body.options[0].units[0].pricing[0].net, null)
})

t.test('a product that is priced per booking has its price on the option', async (t) => {
  const { ask, sql, activityId } = await makeReseller(t)
  await sql`update products set priced_per_booking = true, takes_timeslot = true`
  const capabilities = ['octo/pricing']
  const { body } = await ask('GET', `/products/${activityId}`, { capabilities })
  checkPublished(t, 'Product', body, { capabilities })
  t.equal(body.pricingPer, 'BOOKING')
  t.match(body.options[0].pricingFrom, [{ retail: 4500 }])
  t.same(body.options[0].units[0].pricingFrom, [])
})

t.test('the from-price is the lowest price of the schedules that have not ended', async (t) => {
  const { ask, sql, accountId, id, activityId } = await makeReseller(t)
  const schedule = (to: string, prices: string | null) => sql`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity, unit_prices)
    values (${accountId}, ${id}, '2020-01-01', ${to}, '{1}', '{10:00}', 8, ${prices}::text::jsonb)`
  await sql`update products set has_own_prices = true`
  const retail = async () =>
    (await ask('GET', `/products/${activityId}`, { capabilities: ['octo/pricing'] })).body.options[0].units[0]
      .pricingFrom[0].retail
  await schedule('2020-12-31', '{"0": 1000}')
  t.equal(await retail(), 4500, 'a past schedule does not count')
  await schedule('2030-12-31', '{"0": 6000}')
  t.equal(await retail(), 6000)
  await schedule('2030-12-31', null)
  t.equal(await retail(), 4500)
  await schedule('2030-12-31', '{"0": 3000}')
  t.equal(await retail(), 3000)
})

t.test('with octo/content, products are in the reseller’s language, but internalName is not', async (t) => {
  const { ask, sql, accountId, id, activityId } = await makeReseller(t)
  await sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Size', 'select', false, '{Small}', 'booking')`
  await sql`
    insert into product_translations (account_id, product_id, language, name, description, words)
    values (${accountId}, ${id}, 'pt', 'Caiaque', 'Duas horas.', '{"Size": "Tamanho", "Small": "Pequeno", "Person": "Pessoa"}')`
  const capabilities = ['octo/content', 'octo/questions']
  const headers = { 'accept-language': 'pt-PT, en;q=0.5' }
  const answer = await ask('GET', `/products/${activityId}`, { capabilities, headers })
  checkPublished(t, 'Product', answer.body, { capabilities })
  t.match(answer.headers, { 'content-language': 'pt', 'available-languages': 'en, pt' })
  t.match(answer.body, {
    ...{ internalName: 'Kayak', title: 'Caiaque', description: 'Duas horas.', locale: 'pt' },
    questions: [{ title: 'Tamanho', selectOptions: [{ label: 'Pequeno', value: 'Small' }] }],
    options: [{ title: 'Caiaque', units: [{ internalName: 'Person', title: 'Pessoa' }] }],
  })
  t.match((await ask('GET', '/products', { capabilities, headers })).body, [{ title: 'Caiaque' }])
  const own = await ask('GET', '/products', { capabilities })
  t.match(own.body, [{ title: 'Kayak', locale: 'en' }])
  t.match(own.headers, { 'content-language': 'en', 'available-languages': 'en, pt' })
})

t.test('with octo/content, products have titles, descriptions, durations and terms', async (t) => {
  const { ask, sql, accountId, id, activityId } = await makeReseller(t)
  await sql`update products set cancel_cutoff_minutes = 90, description = ${`${'Along the cliffs. '.repeat(20)}`}`
  await sql`
    insert into refund_terms (account_id, product_id, since, steps)
    values (${accountId}, ${id}, now(), '[{"basisPoints": 10000, "hoursBefore": 24}, {"basisPoints": 5000, "hoursBefore": 1}, {"basisPoints": 2500, "hoursBefore": 0}]')`
  const capabilities = ['octo/content']
  const { body, headers } = await ask('GET', `/products/${activityId}`, { capabilities })
  checkPublished(t, 'Product', body, { capabilities })
  t.match(headers, { 'content-language': 'en', 'available-languages': 'en' })
  t.match(body, { title: 'Kayak', durationMinutesFrom: 90, durationMinutesTo: null })
  t.equal(body.description.length, 359)
  t.ok(body.shortDescription.length <= 201 && body.shortDescription.endsWith('…'))
  t.same(body.options[0].features, [
    { shortDescription: 'Can be cancelled until 90 minutes before the start.', type: 'CANCELLATION_TERM' },
    ...[
      'If the booking is cancelled at least 24 hours before the start, 100 % is refunded.',
      'If the booking is cancelled at least 1 hour before the start, 50 % is refunded.',
      'If the booking is cancelled before the start, 25 % is refunded.',
    ].map((shortDescription) => ({ shortDescription, type: 'CANCELLATION_TERM' })),
  ])
  t.match(body.options[0].units[0], { title: 'Person', shortDescription: '' })
})

t.test(
  'with octo/questions, products have questions about the booking and about each participant',
  async (t) => {
    const { ask, sql, accountId, id, activityId } = await makeReseller(t)
    const question = (
      position: number,
      label: string,
      type: string,
      options: string[],
      appliesTo: string,
    ) => sql`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, ${position}, ${label}, ${type}, true, ${options}, ${appliesTo})`
    await question(2, 'Telephone', 'phone', [], 'booking')
    await question(1, 'Who leads?', 'text', [], 'booking')
    await question(3, 'Can you swim?', 'select', ['Yes', 'No'], 'participant')
    const capabilities = ['octo/questions']
    const { body } = await ask('GET', `/products/${activityId}`, { capabilities })
    checkPublished(t, 'Product', body, { capabilities })
    const brief = (list: { title: string; inputType: string }[]) =>
      list.map(({ title, inputType }) => `${title} ${inputType}`)
    t.same(brief(body.questions), ['Who leads? text', 'Telephone tel'])
    t.same(body.options[0].questions, body.questions)
    t.same(brief(body.options[0].units[0].questions), ['Can you swim? select'])
    t.same(body.options[0].units[0].questions[0].selectOptions, [
      { label: 'Yes', value: 'Yes' },
      { label: 'No', value: 'No' },
    ])
  },
)

t.test('with all capabilities, products match the published schemas', async (t) => {
  const { ask } = await makeReseller(t, { slots })
  const { body } = await ask('GET', '/products', { capabilities: everyCapability })
  checkPublished(t, 'Product', body, { capabilities: everyCapability })
  t.equal(body.length, 1)
})
