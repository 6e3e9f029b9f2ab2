/** Entries as the text of a job and of a response. */
import fc from 'fast-check'
import t from 'tap'
import { encodeEntries } from '../../../src/metering/ingest/encoding.ts'
import { fromTuple } from '../../../src/metering/model.ts'
import { toDecimal } from '../../../src/platform/text/decimal.ts'

const text = (maxLength: number) => fc.string({ unit: 'grapheme', minLength: 1, maxLength })
const submission = fc.record(
  {
    Meter: fc.oneof(text(20), fc.constantFrom(' spaces ', '"', '\\', '\n', 'é', '💡')),
    Usage: fc.double({ min: 1e-20, max: 1e15, maxExcluded: true, noNaN: true }),
    ExtraInfo: fc.oneof(
      text(40),
      fc.constantFrom('', '{"a":"b"}', 'x'.repeat(5000), `"${'x'.repeat(5000)}"`),
    ),
    OccurredAt: fc.integer({ min: 0, max: 4_102_444_800 }),
  },
  { requiredKeys: ['Meter', 'Usage'] },
)

t.test('the job has all values of each entry, and the response its ID, meter and usage', (t) => {
  fc.assert(
    fc.property(fc.array(submission, { minLength: 1, maxLength: 5 }), (submissions) => {
      const ids = submissions.map((_, index) => index + 7)
      const acceptance = { ids, acceptedAt: 1_800_000_000_123, occurredAt: 1_800_000_000 }
      const { accountId, count, tuples, accepted } = encodeEntries(5, submissions, acceptance)
      t.equal(accountId, 5)
      t.equal(count, submissions.length)
      t.same(
        JSON.parse(`[${tuples}]`).map(fromTuple),
        submissions.map(({ Meter, Usage, ExtraInfo, OccurredAt }, index) => ({
          accountId: 5,
          id: ids[index],
          acceptedAt: 1_800_000_000_123,
          meter: Meter.trim(),
          usage: toDecimal(Usage),
          occurredAt: OccurredAt ?? 1_800_000_000,
          extraInfo: ExtraInfo ?? null,
        })),
      )
      t.same(
        JSON.parse(`[${accepted}]`),
        submissions.map(({ Meter, Usage }, index) => ({ ID: ids[index], Meter: Meter.trim(), Usage })),
      )
    }),
  )
  t.end()
})
