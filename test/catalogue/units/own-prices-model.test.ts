/** Pure rules of own prices. */
import fc from 'fast-check'
import t from 'tap'
import { checkOwnPrices, ownPricesView, toOwnPrices } from '../../../src/catalogue/units/own-prices.ts'
import { toAmount } from '../../../src/platform/text/money.ts'

const units = [
  { id: 7, isDefault: false },
  { id: 8, isDefault: true },
  { id: 12, isDefault: false },
]

const priced = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  prices: fc.uniqueArray(
    fc.record({ UnitID: fc.constantFrom(0, 7, 12), minor: fc.nat({ max: Number.MAX_SAFE_INTEGER }) }),
    { selector: ({ UnitID }) => UnitID },
  ),
})

t.test('own prices keep their exact amounts, in currencies with 0, 2 and 3 decimals', async (t) => {
  fc.assert(
    fc.property(priced, ({ currency, prices }) => {
      const given = prices.map(({ UnitID, minor }) => ({ UnitID, Amount: toAmount(minor, currency) }))
      const product = { currency, units }
      t.same(checkOwnPrices(given, product), [])
      const kept = toOwnPrices(given, product)
      t.same(kept, Object.fromEntries(prices.map(({ UnitID, minor }) => [UnitID, minor])))
      const existing = prices.map(({ UnitID, minor }) => ({ unitId: UnitID, priceMinor: minor, currency }))
      t.same(ownPricesView(existing), given)
    }),
  )
})

t.test('UnitPrices name the default unit by its id or by 0, and not by both', async (t) => {
  const product = { currency: 'EUR', units }
  t.same(toOwnPrices([{ UnitID: 8, Amount: '5' }], product), { 0: 500 })
  const twice = [
    { UnitID: 8, Amount: '5' },
    { UnitID: 0, Amount: '6' },
  ]
  t.match(checkOwnPrices(twice, product), [{ field: 'UnitPrices[1].UnitID' }])
})

t.test('for a product without units, UnitPrices takes only the price of a place, UnitID 0', async (t) => {
  const product = { currency: 'JPY', units: null }
  t.same(checkOwnPrices([{ UnitID: 0, Amount: '500' }], product), [])
  t.match(checkOwnPrices([{ UnitID: 7, Amount: '5.5' }], product), [
    { field: 'UnitPrices[0].UnitID' },
    { field: 'UnitPrices[0].Amount' },
  ])
})
