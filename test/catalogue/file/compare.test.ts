/** The differences shown between two catalogues. */
import t from 'tap'
import { compareProducts } from '../../../src/catalogue/file/compare.ts'
import type { ExportedProduct, FileQuestion, FileUnit } from '../../../src/catalogue/file/schemas.ts'
import { euros } from '../units/fixtures.ts'
import { fileProduct } from './fixtures.ts'

function product(changes: Partial<ExportedProduct> = {}): ExportedProduct {
  return {
    ...{ BookingCutoffMinutes: 0, CancelCutoffMinutes: 0 },
    ...{ MinPlaces: 1, MaxPlaces: 999, PricedPer: 'person', TakesTimeslot: false },
    ...{ ActivityID: 's_1', RefundTerms: [], Units: [], Translations: [] },
    ...fileProduct(),
    ...changes,
  }
}

function differences(was: Partial<ExportedProduct>, becomes: Partial<ExportedProduct>) {
  return compareProducts([product(was)], [product(becomes)]).flatMap(({ differences }) =>
    differences.map(({ path, from, to }) => `${path}: ${from} > ${to}`),
  )
}

const unit = (Name: string, changes: Partial<FileUnit> = {}): FileUnit => {
  return { Name, Type: 'ADULT', Price: euros('20.00'), ...changes }
}
const question = (Label: string, changes: Partial<FileQuestion> = {}): FileQuestion => {
  return { Label, Type: 'text', Required: true, AppliesTo: 'booking', ...changes }
}

t.test('catalogues that are the same have no differences', async (t) => {
  t.same(compareProducts([product()], [product()]), [])
  t.same(compareProducts([], []), [])
})

t.test('a product is matched by its ActivityID, and an unknown one is new', async (t) => {
  t.match(
    compareProducts([product()], [product({ Name: 'Sea' }), product({ ActivityID: 's_2', Name: 'Surf' })]),
    [
      { name: 'Sea', isNew: false, differences: [{ path: 'Name', from: '"Kayak tour"', to: '"Sea"' }] },
      { name: 'Surf', isNew: true, differences: [] },
    ],
  )
})

t.test('a changed field is shown with its old and new value, and a nested one by its path', async (t) => {
  t.same(differences({}, { Price: euros('50.00'), InShopfront: false }), [
    'Price.Amount: "45.00" > "50.00"',
    'InShopfront: true > false',
  ])
})

t.test(
  'units are matched by name, questions by label and type, and a new order of them is a difference',
  async (t) => {
    t.same(
      differences(
        { Units: [unit('Adult'), unit('Child'), unit('Senior')] },
        { Units: [unit('Child', { MinAge: 4 }), unit('ADULT'), unit('Group')] },
      ),
      [
        `Units[Senior]: ${JSON.stringify(unit('Senior'))} > null`,
        'Units[Child].MinAge: null > 4',
        'Units[ADULT].Name: "Adult" > "ADULT"',
        `Units[Group]: null > ${JSON.stringify(unit('Group'))}`,
        'Units: Adult, Child, Senior > Child, ADULT, Group',
      ],
    )
    t.same(
      differences(
        { Questions: [question('Size'), question('Size')] },
        { Questions: [question('Size'), question('Size', { Required: false })] },
      ),
      ['Questions[Size (text) #2].Required: true > false'],
    )
    t.same(
      differences(
        { Questions: [question('Size'), question('Diet')] },
        { Questions: [question('Diet'), question('Size')] },
      ),
      ['Questions: Size (text), Diet (text) > Diet (text), Size (text)'],
    )
  },
)

t.test('schedules are matched by pattern, refund terms by hours, own prices by unit', async (t) => {
  const [schedule] = fileProduct().Schedules
  const prices = (Amount: string) => [{ Name: 'Person', Amount }]
  const pattern = '2030-01-01 to 2030-12-31 Mon Sat 09:00 15:00'
  t.same(
    differences(
      {
        Schedules: [{ ...schedule!, UnitPrices: prices('1.00') }],
        RefundTerms: [
          { Percent: '50', HoursBefore: 24 },
          { Percent: '20', HoursBefore: 1 },
        ],
      },
      {
        Schedules: [{ ...schedule!, Capacity: 9, UnitPrices: prices('2.00') }],
        RefundTerms: [
          { Percent: '40', HoursBefore: 24 },
          { Percent: '10', HoursBefore: 1 },
        ],
      },
    ),
    [
      'RefundTerms[24 hours before].Percent: "50" > "40"',
      'RefundTerms[1 hour before].Percent: "20" > "10"',
      `Schedules[${pattern}].Capacity: 8 > 9`,
      `Schedules[${pattern}].UnitPrices[Person].Amount: "1.00" > "2.00"`,
    ],
  )
  const { Times, ...daily } = schedule!
  const hours = [{ Opens: '09:00', Closes: '18:00' }]
  const museum = { ...daily, AllDay: true, OpeningHours: hours }
  t.same(
    differences(
      { Schedules: [museum] },
      { Schedules: [{ ...museum, OpeningHours: [{ ...hours[0]!, Closes: '20:00' }] }] },
    ),
    [
      'Schedules[2030-01-01 to 2030-12-31 Mon Sat 09:00].OpeningHours: [{"Opens":"09:00","Closes":"18:00"}] > [{"Opens":"09:00","Closes":"20:00"}]',
    ],
  )
})
