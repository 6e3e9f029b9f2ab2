import t from 'tap'
import { bucketOf, type RequestOutcome, score, type Tally } from '../../../src/reports/scorecards/model.ts'

const tally = (outcome: RequestOutcome, milliseconds: number, calls: number): Tally => ({
  operation: 'book',
  outcome,
  withinMs: bucketOf(milliseconds),
  calls,
})

t.test(
  'a time counts in the first bucket whose bound it does not exceed, and the last bucket has all longer times',
  async (t) => {
    for (const [milliseconds, bucket] of [
      [0, 1],
      [1, 1],
      [1.01, 2],
      [1000, 1000],
      [1000.1, 1500],
      [2000, 2000],
      [10_001, 3_600_000],
      [1e12, 3_600_000],
    ] as const)
      t.equal(bucketOf(milliseconds), bucket, `${milliseconds} ms`)
  },
)

t.test(
  'a percentile is the upper bound of its bucket, and the shares within one and two seconds are exact',
  async (t) => {
    const { times } = score('book', [tally('done', 8, 90), tally('done', 900, 5), tally('done', 1900, 5)])
    t.same(times, { p90: 10, p95: 1000, withinOneSecond: 0.95, withinTwoSeconds: 1 })
  },
)

t.test('requests are counted by outcome, and the times leave out client errors except 409', async (t) => {
  const { done, replayed, refusals, times } = score('book', [
    tally('done', 8, 2),
    tally('done', 40, 1),
    tally('replayed', 8, 4),
    tally('insufficient-capacity', 8, 5),
    tally('validation', 1, 7),
    { ...tally('done', 5000, 100), operation: 'cancel' },
  ])
  t.same({ done, replayed }, { done: 3, replayed: 4 })
  t.same(refusals, [
    { slug: 'validation', calls: 7 },
    { slug: 'insufficient-capacity', calls: 5 },
  ])
  t.match(times, { p90: 10, p95: 50 })
})

t.test('if all requests are client errors other than 409, there are no times', async (t) => {
  t.equal(score('book', [tally('validation', 1, 7)]).times, null)
})
