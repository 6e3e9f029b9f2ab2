/** How many of one owner are under way at once. */
import t from 'tap'
import { createTurns, type Turn } from '../../../src/platform/async/turns.ts'

/** Takes turns, and tells which of them have begun. */
function watched(mostUnderWay: number) {
  const turns = createTurns(mostUnderWay)
  const begun: string[] = []
  const take = (owner: string, name: string): Turn => {
    const turn = turns.take(owner)
    turn.began.then(() => begun.push(name))
    return turn
  }
  return { begun, take }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('so many of an owner begin, the others in their order as those end', async (t) => {
  const { begun, take } = watched(2)
  const [one, two, , four] = ['1', '2', '3', '4'].map((name) => take('a', name))
  await settled()
  t.same(begun, ['1', '2'])
  two!.end()
  await settled()
  t.same(begun, ['1', '2', '3'])
  one!.end()
  await settled()
  t.same(begun, ['1', '2', '3', '4'])
  four!.end()
})

t.test('whoever no longer waits is passed over, and takes no place', async (t) => {
  const { begun, take } = watched(1)
  const first = take('a', '1')
  take('a', '2').end()
  const third = take('a', '3')
  first.end()
  await settled()
  t.same(begun, ['1', '3'])
  third.end()
  take('a', '4')
  await settled()
  t.same(begun, ['1', '3', '4'])
})

t.test('no owner waits for another', async (t) => {
  const { begun, take } = watched(1)
  for (const name of ['1', '2', '3']) take('noisy', name)
  take('quiet', 'quiet')
  await settled()
  t.same(begun, ['1', 'quiet'])
})
