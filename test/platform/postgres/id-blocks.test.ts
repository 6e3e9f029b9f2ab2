/** Ids drawn in blocks are unique, in any order of requests. */
import t from 'tap'
import { createIdSource } from '../../../src/platform/postgres/id-blocks.ts'

t.test('ids are unique among concurrent callers, and blocks are drawn as needed', async (t) => {
  let drawn = 0
  const take = createIdSource(async (blocks) => {
    const first = drawn
    drawn += blocks
    return Array.from({ length: blocks }, (_, block) => (first + block) * 10)
  }, 10)
  const taken = (await Promise.all([take(3), take(1), take(25), take(4), take(0)])).flat()
  t.equal(taken.length, 33)
  t.equal(new Set(taken).size, 33)
  t.ok(drawn >= 4)
})

t.test(
  'a failed draw is an error for all callers that waited for it, and the next caller draws again',
  async (t) => {
    let down = true
    const take = createIdSource(async () => {
      if (down) throw new Error('down')
      return [100]
    }, 10)
    await t.rejects(Promise.all([take(1), take(1)]), { message: 'down' })
    down = false
    t.same(await take(2), [100, 101])
  },
)

t.test('ids drawn ahead can be used while no more can be drawn', async (t) => {
  let drawn = 0
  let down = false
  const take = createIdSource(
    async (blocks) => {
      if (down) throw new Error('down')
      const first = drawn
      drawn += blocks
      return Array.from({ length: blocks }, (_, block) => (first + block) * 10)
    },
    10,
    30,
  )
  await take(1)
  t.ok(drawn * 10 >= 31)
  down = true
  const taken = await take(30)
  t.equal(new Set(taken).size, 30)
  await t.rejects(take(100), { message: 'down' })
  down = false
  t.equal((await take(100)).length, 100)
})
