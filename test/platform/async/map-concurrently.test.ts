/** Running work on many items, a few at a time. */
import t from 'tap'
import { mapConcurrently } from '../../../src/platform/async/map-concurrently.ts'

t.test(
  'results come in the order of the items, and no more items run at once than there are lanes',
  async (t) => {
    let [now, most] = [0, 0]
    const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (turns) => {
      most = Math.max(most, ++now)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      now--
      return turns * 10
    })
    t.same(results, [50, 10, 40, 20, 30])
    t.equal(most, 2)
    t.same(await mapConcurrently([], 2, async () => 1), [])
  },
)

t.test('an error stops items that have not begun, and is thrown when the others have ended', async (t) => {
  const ended: number[] = []
  const work = async (item: number) => {
    if (item === 1) throw new Error('one')
    await new Promise(setImmediate)
    ended.push(item)
  }
  await t.rejects(mapConcurrently([0, 1, 2, 3], 2, work), { message: 'one' })
  t.same(ended, [0])
})
