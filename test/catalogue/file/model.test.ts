/** The rules of a catalogue file that need no database. */
import fc from 'fast-check'
import t from 'tap'
import { checkRules, placeFaults } from '../../../src/catalogue/file/model.ts'
import { checkShape, type Fault, parseJson, sketch } from '../../../src/catalogue/file/parse.ts'
import type { FileSchedule } from '../../../src/catalogue/file/schemas.ts'
import { fromRow, toRow } from '../../../src/catalogue/model.ts'
import { fromPattern, toPattern, weekdays } from '../../../src/catalogue/schedules/model.ts'
import { catalogue, everyDay, fileProduct } from './fixtures.ts'

function faultsOf(document: unknown): Fault[] {
  const faults = checkShape(document)
  return [...faults, ...checkRules(sketch(document, faults))]
}

t.test('a valid file has no error', async (t) => {
  t.same(faultsOf(catalogue({}, { Name: 'Surf', Questions: [], Timeslots: [], Schedules: [] })), [])
  t.same(faultsOf({ Products: [] }), [])
})

t.test(
  'the check of arbitrary JSON never throws: it lists errors, and only of the part that is wrong',
  async (t) => {
    fc.assert(fc.property(fc.jsonValue(), (document) => faultsOf(document).length > 0))
    const part = fc.constantFrom(...Object.keys(fileProduct()))
    fc.assert(
      fc.property(part, fc.jsonValue(), (field, value) => {
        const faults = faultsOf({ Products: [fileProduct(), { ...fileProduct(), [field]: value }] })
        t.ok(
          faults.every(({ pointer }) => pointer.startsWith(`/Products/1/${field}`)),
          'only the replaced field has errors',
        )
      }),
      { numRuns: 300 },
    )
  },
)

t.test('an error in one part hides no error in another', async (t) => {
  const product = fileProduct({
    Price: { Amount: '1.001', Currency: 'EUR' },
    Timeslots: [
      { Date: '2030-02-30', Time: '10:00', Capacity: 1 },
      { Date: '2030-06-15', Time: '10:00', Capacity: 1 },
      { Date: '2030-06-15', Time: '10:00', Capacity: 2 },
    ],
  })
  t.same(
    faultsOf({ Products: [{ ...product, Nmae: 'Typo' }] }).map(({ pointer }) => pointer),
    [
      '/Products/0/Nmae',
      '/Products/0/Timeslots/0/Date',
      '/Products/0/Price/Amount',
      '/Products/0/Timeslots/2',
    ],
  )
})

t.test('a pointer escapes / and ~, as RFC 6901 says', async (t) => {
  t.same(faultsOf({ Products: [], 'a/b~c': 1 }), [
    { pointer: '/a~1b~0c', message: 'is not a field of this object' },
  ])
})

t.test('errors are reported in the order of the text, each at its field or item', async (t) => {
  const text = '{\n  "Products": [\n    {},\n    { "Name": "a", "Times": [1,\n 2] }\n  ]\n}'
  const pointers = ['/Products/1/Times/1', '/Products/1/Name', '', '/Products/0/Name', '/Products/1/Times']
  t.same(
    placeFaults(
      text,
      pointers.map((pointer) => ({ pointer, message: 'x' })),
    ).map(({ line, column, pointer }) => [line, column, pointer]),
    [
      [1, 1, ''],
      [3, 5, '/Products/0/Name'],
      [4, 7, '/Products/1/Name'],
      [4, 20, '/Products/1/Times'],
      [5, 2, '/Products/1/Times/1'],
    ],
  )
})

t.test('text that is not JSON is an error of the whole file, with its place', async (t) => {
  for (const text of ['', '{', '{"Products": [}', '{"Products": []} x', 'Products', '\u0000']) {
    t.match(parseJson(text), { faults: [{ pointer: '', message: /^must be JSON: / }] }, JSON.stringify(text))
  }
  t.match(parseJson('{\n  "Products": [],\n  nonsense\n}'), { faults: [{ place: { line: 3, column: 3 } }] })
})

t.test('too deep nesting is an error like any other', async (t) => {
  for (const deep of ['['.repeat(200_000), `{"Products": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`]) {
    t.match(parseJson(deep), { faults: [{ message: 'is nested more than 100 deep', place: { line: 1 } }] })
  }
})

t.test('a repeated field is an error where it occurs again', async (t) => {
  const text = '{"Products": [{"Name": "a", "Price": {"Amount": "1"},\n"Name": "b"}],\n "Products": []}'
  t.match(parseJson(text), {
    repeated: [
      {
        pointer: '/Products/0/Name',
        message: 'is given twice in this object',
        place: { line: 2, column: 1 },
      },
      { pointer: '/Products', place: { line: 3, column: 2 } },
    ],
  })
})

t.test('the pattern of a schedule does not depend on the order of its weekdays and times', async (t) => {
  const schedule = fc.record({
    From: fc.constant('2030-01-01'),
    To: fc.constant('2030-12-31'),
    Weekdays: fc.shuffledSubarray([...weekdays], { minLength: 1 }),
    Times: fc.shuffledSubarray(['09:00', '10:30', '23:59', '00:00'], { minLength: 1 }),
    Capacity: fc.nat(1000),
  })
  fc.assert(
    fc.property(schedule, (given) => {
      const shuffled = { ...given, Weekdays: given.Weekdays.toReversed(), Times: given.Times.toReversed() }
      t.same(toPattern(shuffled), toPattern(given))
      const back: FileSchedule = {
        ...fromPattern({ ...toPattern(given), openingHours: null }),
        Capacity: given.Capacity,
      }
      t.same(toPattern(back), toPattern(given))
    }),
    { numRuns: 100 },
  )
  t.same(toPattern({ From: '2030-01-01', To: '2030-12-31', Weekdays: everyDay, Times: ['10:00'] }), {
    from: '2030-01-01',
    to: '2030-12-31',
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    times: ['10:00'],
  })
})

t.test('a price keeps its value when it is converted to a row and back', async (t) => {
  for (const [Amount, Currency, kept] of [
    ['45', 'EUR', '45.00'],
    ['0.5', 'EUR', '0.50'],
    ['0', 'JPY', '0'],
    ['1200', 'JPY', '1200'],
    ['1.234', 'KWD', '1.234'],
    ['999999999999.99', 'EUR', '999999999999.99'],
  ] as const) {
    t.equal(fromRow(toRow(fileProduct({ Price: { Amount, Currency } }))).Price.Amount, kept)
  }
})
