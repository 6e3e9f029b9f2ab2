/** The rules of a product's units, places and pricing that need no database. */
import fc from 'fast-check'
import t from 'tap'
import { defaultRules, leastPlaces, type RuleFields, ruleErrors } from '../../../src/catalogue/model.ts'
import { unitTypes } from '../../../src/catalogue/sale-schemas.ts'
import { checkUnits, toDrafts, type UnitOwner } from '../../../src/catalogue/units/model.ts'
import type { StatedUnit } from '../../../src/catalogue/units/schemas.ts'
import { adult, child, euros, family } from './fixtures.ts'

const owner: UnitOwner = { currency: 'EUR', maxPlaces: 999, pricedPerBooking: false }

function faultsOf(units: StatedUnit[], changes: Partial<UnitOwner> = {}, existingUnitIds: number[] = []) {
  return checkUnits(units, { ...owner, ...changes }, existingUnitIds).map(({ field }) => field)
}

t.test('adults, children with an adult, and families are valid units', async (t) => {
  t.same(faultsOf([adult, child, family]), [])
  t.same(faultsOf([]), [])
  t.same(faultsOf([], { pricedPerBooking: true }), [])
})

t.test('exactly one unit is the default, with one place and one person', async (t) => {
  const { Default, ...other } = adult
  t.same(faultsOf([other]), ['Units'])
  t.same(faultsOf([adult, { ...child, Default: true }]), ['Units[1].Default'])
  t.same(faultsOf([{ ...adult, Places: 0, People: 2 }]), ['Units[0].Places', 'Units[0].People'])
})

t.test('a price has the product’s currency and its decimals', async (t) => {
  t.same(faultsOf([{ ...adult, Price: { Amount: '45.00', Currency: 'USD' } }]), ['Units[0].Price.Currency'])
  t.same(faultsOf([{ ...adult, Price: euros('45.005') }]), ['Units[0].Price.Amount'])
  const yen = { Amount: '1200', Currency: 'JPY' }
  t.same(faultsOf([{ ...adult, Price: yen }], { currency: 'JPY' }), [])
  t.same(faultsOf([{ ...adult, Price: { ...yen, Amount: '1200.5' } }], { currency: 'JPY' }), [
    'Units[0].Price.Amount',
  ])
})

t.test('a minimum must not exceed its maximum', async (t) => {
  t.same(faultsOf([{ ...adult, MinAge: 12, MaxAge: 11 }]), ['Units[0].MinAge'])
  t.same(faultsOf([{ ...adult, MinAge: 12, MaxAge: 12 }]), [])
  t.same(faultsOf([{ ...adult, MinAge: 12 }]), [])
  t.same(faultsOf([{ ...adult, MinQuantity: 3, MaxQuantity: 2 }]), ['Units[0].MinQuantity'])
  t.same(faultsOf([{ ...adult, MinQuantity: 3 }]), [])
  t.same(faultsOf([{ ...adult, MaxQuantity: 1 }]), [])
})

t.test('names differ in more than case, and are not blank', async (t) => {
  t.same(faultsOf([adult, { ...family, Name: 'ADULT' }]), ['Units[1].Name'])
  t.same(faultsOf([{ ...adult, Name: ' ' }]), ['Units[0].Name'])
})

t.test('a UnitID must be an existing unit of the product, and may occur only once', async (t) => {
  const units = [
    { ...adult, UnitID: 7 },
    { ...family, UnitID: 7 },
    { ...child, UnitID: 9 },
  ]
  t.same(faultsOf(units, {}, [7, 8]), ['Units[1].UnitID', 'Units[2].UnitID'])
})

t.test('AccompaniedBy names units by UnitID, 0 for the default unit, or by Name', async (t) => {
  const kept = { ...adult, UnitID: 7 }
  for (const named of [7, 0, 'Adult', 'aDULT'])
    t.same(toDrafts([kept, { ...child, AccompaniedBy: [named] }])[1]?.accompaniedBy, [0], String(named))
  t.same(
    faultsOf([kept, { ...child, AccompaniedBy: ['Senior', 8, 'Child', 'Adult', 7] }], {}, [7]),
    [0, 1, 2, 4].map((place) => `Units[1].AccompaniedBy[${place}]`),
  )
})

t.test('units of a product that is priced per booking are refused', async (t) => {
  t.same(faultsOf([adult], { pricedPerBooking: true }), ['Units'])
})

t.test(
  'a unit is refused if it never fits into a booking, alone or together with the units that must accompany it',
  async (t) => {
    t.same(faultsOf([adult, family], { maxPlaces: 3 }), ['Units[1].Places'])
    t.same(faultsOf([{ ...adult, MinQuantity: 4 }], { maxPlaces: 3 }), ['Units[0].MinQuantity'])
    const crew = { ...family, AccompaniedBy: ['Adult'] }
    t.same(faultsOf([adult, crew], { maxPlaces: 4 }), ['Units[1].AccompaniedBy'])
    t.same(faultsOf([adult, crew], { maxPlaces: 5 }), [])
    const infant = { ...child, Name: 'Infant', Places: 0 }
    t.same(faultsOf([adult, infant, { ...crew, AccompaniedBy: ['Adult', 'Infant'] }], { maxPlaces: 4 }), [])
  },
)

const name = fc.string({ minLength: 1, maxLength: 3 })
const unit = fc.record(
  {
    Name: name,
    Type: fc.constantFrom(...unitTypes),
    Price: fc.record({
      Amount: fc.constantFrom('0', '1.5', '20.00', '0.001'),
      Currency: fc.constantFrom('EUR', 'JPY', 'XXQ'),
    }),
    UnitID: fc.integer({ min: 1, max: 4 }),
    Places: fc.integer({ min: 0, max: 99 }),
    People: fc.integer({ min: 1, max: 99 }),
    MinAge: fc.integer({ min: 0, max: 150 }),
    MaxAge: fc.integer({ min: 0, max: 150 }),
    MinQuantity: fc.integer({ min: 1, max: 999 }),
    MaxQuantity: fc.integer({ min: 1, max: 999 }),
    AccompaniedBy: fc.array(fc.oneof(name, fc.integer({ min: 0, max: 5 })), { maxLength: 3 }),
    Default: fc.boolean(),
  },
  { requiredKeys: ['Name', 'Type', 'Price'] },
) as fc.Arbitrary<StatedUnit>

t.test('any list of units either gets errors that name its fields, or obeys all rules', async (t) => {
  const sold = fc.record({
    units: fc.array(unit, { maxLength: 5 }),
    maxPlaces: fc.constantFrom(1, 5, 999),
    pricedPerBooking: fc.boolean(),
  })
  let good = 0
  fc.assert(
    fc.property(sold, ({ units, ...limits }) => {
      const errors = checkUnits(units, { currency: 'EUR', ...limits }, [1, 2, 3])
      for (const { field, message } of errors) {
        t.match(field, /^Units(\[\d\]\.[A-Z]\w+(\.\w+|\[\d\])?)?$/)
        t.ok(message)
      }
      if (errors.length > 0) return
      good += 1
      const drafts = toDrafts(units)
      t.ok(drafts.every((draft) => leastPlaces(draft) <= limits.maxPlaces))
      t.equal(drafts.filter(({ isDefault }) => isDefault).length, Math.min(units.length, 1))
      for (const [index, { accompaniedBy }] of drafts.entries())
        t.ok(accompaniedBy.every((place) => place !== index && drafts[place]))
    }),
    { numRuns: 2000 },
  )
  t.ok(good > 100, `${good} lists were valid`)
})

t.test('a valid list is valid in any order', async (t) => {
  const names = ['Adult', 'Child', 'Family', 'Senior']
  const others = fc.array(
    fc.record({
      Name: fc.constantFrom(...names.slice(1)),
      Type: fc.constant('OTHER' as const),
      Price: fc.constant(euros('5')),
      Places: fc.integer({ min: 0, max: 4 }),
      AccompaniedBy: fc.subarray(names),
    }),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(others, (units) => {
      const list = [adult, ...units]
      const isGood = (units: StatedUnit[]) => faultsOf(units, { maxPlaces: 6 }).length === 0
      t.equal(isGood(list), isGood(list.toReversed()))
    }),
  )
})

t.test('the rules of a product', async (t) => {
  const fields = (
    given: Partial<RuleFields>,
    existing: Partial<RuleFields> = {},
    units = [] as StatedUnit[],
  ) =>
    ruleErrors(
      given,
      { ...defaultRules, ...existing },
      toDrafts(units).map((draft) => ({ name: draft.name, leastPlaces: leastPlaces(draft) })),
    ).map(({ field }) => field)

  t.test('MinPlaces must not exceed MaxPlaces', async (t) => {
    t.same(fields({ MinPlaces: 5, MaxPlaces: 4 }), ['MinPlaces'])
    t.same(fields({ MinPlaces: 5 }, { MaxPlaces: 4 }), ['MinPlaces'])
    t.same(fields({ MaxPlaces: 4 }, { MinPlaces: 5 }), ['MaxPlaces'])
    t.same(fields({ MaxPlaces: 4, MinPlaces: 4 }), [])
  })

  t.test('only a booking that is priced as a whole can take the whole timeslot', async (t) => {
    t.same(fields({ TakesTimeslot: true }), ['TakesTimeslot'])
    t.same(fields({ PricedPer: 'person' }, { PricedPer: 'booking', TakesTimeslot: true }), ['PricedPer'])
    t.same(fields({ PricedPer: 'booking', TakesTimeslot: true }), [])
  })

  t.test('a product with units is priced per person, and MaxPlaces has room for each unit', async (t) => {
    t.same(fields({ PricedPer: 'booking' }, {}, [adult]), ['PricedPer'])
    t.same(fields({ MaxPlaces: 3 }, {}, [adult, family]), ['MaxPlaces'])
    t.same(fields({ MaxPlaces: 4 }, {}, [adult, family]), [])
  })
})
