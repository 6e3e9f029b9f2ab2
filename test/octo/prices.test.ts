/** The prices that a reseller reads with the availability of a timeslot. */
import t from 'tap'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'
import { checkPublished } from './published.ts'
import { checking, june } from './reseller.ts'

t.test('prices of units are those of the timeslot, with the total of the party', async (t) => {
  const { check, sql, accountId, id } = await checking(t, {
    slots: { '2030-06-15 10:00': 4, '2030-06-15 12:00': 8 },
  })
  const [adult, child] = await giveUnits(sql, accountId, id, [
    { name: 'Adult' },
    { name: 'Child', priceMinor: 2000 },
  ])
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${`{"0": 5000, "${child}": 2500}`}::text::jsonb where capacity = 8`
  await sql`
    insert into partner_terms (account_id, partner_id, product_id, commission_bp)
    select account_id, id, null, 1000 from partners where account_id = ${accountId}`
  await sql`update products set has_partner_terms = true`
  const capabilities = ['octo/pricing']
  const units = [
    { id: String(adult), quantity: 2 },
    { id: String(child), quantity: 1 },
  ]
  const { body } = await check({ ...june, units, currency: 'EUR' }, capabilities)
  checkPublished(t, 'Availability', body, { capabilities })
  t.match(body[0].unitPricing, [
    { unitId: String(adult), retail: 4500, net: 4050, currency: 'EUR', currencyPrecision: 2 },
    { unitId: String(child), retail: 2000, net: 1800 },
  ])
  t.match(body[0].pricing, { original: 11_000, retail: 11_000, net: 9900 })
  t.match(body[1].unitPricing, [{ retail: 5000 }, { retail: 2500 }])
  t.match(body[1].pricing, { retail: 12_500, net: 11_250 })
  const plain = await check(june, capabilities)
  t.match(plain.body[1].pricing, { retail: 5000 }, 'without a party, the price of one default unit')
})

t.test('net prices of units are those agreed with the partner', async (t) => {
  const { check, sql, accountId, id } = await checking(t, { slots: { '2030-06-15 10:00': 4 } })
  const [adult, child] = await giveUnits(sql, accountId, id, [
    { name: 'Adult' },
    { name: 'Child', priceMinor: 2000 },
  ])
  await sql`
    insert into partner_terms (account_id, partner_id, product_id, net_prices)
    select account_id, id, ${id}, ${`{"0": 3000}`}::text::jsonb from partners where account_id = ${accountId}`
  await sql`update products set has_partner_terms = true`
  const units = [
    { id: String(adult), quantity: 2 },
    { id: String(child), quantity: 1 },
  ]
  const { body } = await check({ ...june, units }, ['octo/pricing'])
  t.match(body[0].unitPricing, [{ net: 3000 }, { net: 2000 }])
  t.match(body[0].pricing, { retail: 11_000, net: 8000 })
})

t.test('for a product that is priced per booking, units have no price', async (t) => {
  const { check, sql } = await checking(t, { slots: { '2030-06-15 10:00': 4 } })
  await sql`update products set priced_per_booking = true, takes_timeslot = true`
  const capabilities = ['octo/pricing']
  const { body } = await check({ ...june, units: [{ id: '0', quantity: 3 }] }, capabilities)
  checkPublished(t, 'Availability', body, { capabilities })
  t.same(body[0].unitPricing, [])
  t.match(body[0].pricing, { retail: 4500, net: null })
})
