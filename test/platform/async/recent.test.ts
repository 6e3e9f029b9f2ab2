/** Callers share the result of a recent read. */
import t from 'tap'
import { shareRecent } from '../../../src/platform/async/recent.ts'

t.test('all callers within a few seconds share one read', async (t) => {
  let reads = 0
  const ask = shareRecent(async () => ++reads)
  t.same(await Promise.all([ask(), ask()]), [1, 1])
  t.equal(await ask(), 1)
})

t.test('a failed read returns null to all callers that share it', async (t) => {
  let reads = 0
  const ask = shareRecent(async () => {
    reads++
    throw new Error('away')
  })
  t.same(await Promise.all([ask(), ask()]), [null, null])
  t.equal(await ask(), null)
  t.equal(reads, 1)
})

t.test('a read that does not end returns null, and no second one begins meanwhile', async (t) => {
  let reads = 0
  const ask = shareRecent(() => {
    reads++
    return new Promise(() => {})
  })
  t.same(await Promise.all([ask(), ask()]), [null, null])
  t.equal(reads, 1)
})
