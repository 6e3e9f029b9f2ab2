/** The pure rules of metering. */
import fc from 'fast-check'
import t from 'tap'
import { splitRange } from '../../src/metering/model.ts'
import { countDecimals, toDecimal } from '../../src/platform/text/decimal.ts'

t.test('a number is written as its shortest decimal, without an exponent', async (t) => {
  for (const [value, text] of [
    [1, '1'],
    [0.1, '0.1'],
    [1.5e-7, '0.00000015'],
    [1e-20, '0.00000000000000000001'],
    [123456789012345.67, '123456789012345.67'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
  ] as const) {
    t.equal(toDecimal(value), text)
  }
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = toDecimal(value)
      return (
        /^\d+(\.\d+)?$/.test(text) &&
        Number(text) === value &&
        (text.split('.')[1]?.length ?? 0) === countDecimals(value)
      )
    }),
  )
})

const day = fc
  .integer({ min: Date.UTC(1, 0, 1) / 86_400_000 - 693_595, max: Date.UTC(9999, 11, 31) / 86_400_000 })
  .map((days) => new Date(Math.max(days, -719_162) * 86_400_000).toISOString().slice(0, 10))

t.test(
  'a range is split into whole months and other days, and each of its days is in one part',
  async (t) => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 900 }), (from, length) => {
        const end = Math.min(Date.parse(from) + length * 86_400_000, Date.UTC(9999, 11, 31))
        const to = new Date(end).toISOString().slice(0, 10)
        const { months, days } = splitRange({ from, to })
        const parts = [...days, ...(months ? [months] : [])].sort((one, other) =>
          one.from < other.from ? -1 : 1,
        )
        const next = (text: string) => Date.parse(text) + 86_400_000
        return (
          parts[0]!.from === from &&
          parts.at(-1)!.to === to &&
          parts.every((part, index) => index === 0 || next(parts[index - 1]!.to) === Date.parse(part.from)) &&
          (!months ||
            (months.from.endsWith('-01') &&
              (months.to === '9999-12-31' || new Date(next(months.to)).getUTCDate() === 1)))
        )
      }),
    )
    t.same(splitRange({ from: '2027-01-31', to: '2027-03-01' }), {
      months: { from: '2027-02-01', to: '2027-02-28' },
      days: [
        { from: '2027-01-31', to: '2027-01-31' },
        { from: '2027-03-01', to: '2027-03-01' },
      ],
    })
  },
)
