/** How many shared units one owner may use. */
import t from 'tap'
import { createShares, type Turn } from '../../../src/platform/async/shares.ts'

/** Returns `take`, which takes a turn, and the names of the turns that have begun. */
function watchShares(capacity: number, limit?: number) {
  const shares = createShares(capacity, limit)
  const begun: string[] = []
  const take = (owner: string, name: string): Turn => {
    const turn = shares.take(owner)
    turn.began.then(() => begun.push(name))
    return turn
  }
  return { begun, take }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('a single owner has at most half, and its further turns begin in order as others end', async (t) => {
  const { begun, take } = watchShares(4)
  const [one, two] = ['1', '2', '3', '4'].map((name) => take('a', name))
  await settled()
  t.same(begun, ['1', '2'])
  two!.end()
  await settled()
  t.same(begun, ['1', '2', '3'])
  one!.end()
  await settled()
  t.same(begun, ['1', '2', '3', '4'])
})

t.test('some units are left for the next owners, who get fewer', async (t) => {
  const { begun, take } = watchShares(8)
  for (const owner of ['a', 'b', 'c', 'd']) for (const number of [1, 2, 3, 4, 5]) take(owner, owner + number)
  await settled()
  t.same(begun, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'd1'])
})

t.test('freed units go to the owners in turn', async (t) => {
  const { begun, take } = watchShares(1)
  const first = take('a', 'a1')
  const turns = [take('a', 'a2'), take('a', 'a3'), take('b', 'b1'), take('b', 'b2')]
  first.end()
  for (const _ of turns) {
    await settled()
    const last = ['a2', 'a3', 'b1', 'b2'].indexOf(begun.at(-1)!)
    turns[last]!.end()
  }
  t.same(begun, ['a1', 'a2', 'b1', 'a3', 'b2'])
})

t.test('up to the limit, an owner that uses no unit may begin even when none is free', async (t) => {
  const { begun, take } = watchShares(2, 4)
  for (const owner of ['a', 'b', 'c', 'd', 'e']) for (const number of [1, 2]) take(owner, owner + number)
  await settled()
  t.same(begun, ['a1', 'b1', 'c1', 'd1'])
})

t.test('a turn that is no longer needed is skipped, and takes no share', async (t) => {
  const { begun, take } = watchShares(1)
  const first = take('a', '1')
  take('a', '2').end()
  const third = take('a', '3')
  first.end()
  first.end()
  await settled()
  t.same(begun, ['1', '3'])
  third.end()
  take('a', '4')
  await settled()
  t.same(begun, ['1', '3', '4'])
})
