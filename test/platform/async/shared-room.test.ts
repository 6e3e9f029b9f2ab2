/** Members that take much room leave some to those that take little. */
import fc from 'fast-check'
import t from 'tap'
import { createSharedRoom, type Holding, type SharedRoom } from '../../../src/platform/async/shared-room.ts'

/** Takes room repeatedly until it is refused. */
function fill(room: SharedRoom, group: string, memberOf: (taken: number) => string, amount = 1) {
  for (let taken = 0; ; taken += amount) {
    const refusal = room.take(group, memberOf(taken), amount)
    if (typeof refusal === 'string') return { taken, refusal }
  }
}

t.test(
  'a single member gets at most a third of the room, a group of many members at most half',
  async (t) => {
    t.same(
      fill(createSharedRoom(60), 'a', () => 'a1'),
      { taken: 20, refusal: 'over-share' },
    )
    t.same(fill(createSharedRoom(60), 'a', String), { taken: 30, refusal: 'over-share' })
  },
)

t.test('beside a member that takes all it can, other members and other groups still get room', async (t) => {
  const room = createSharedRoom(60)
  fill(room, 'a', () => 'a1')
  t.equal(fill(room, 'a', () => 'a2').taken, 7)
  t.ok(fill(room, 'b', () => 'b1').taken > 7)
  t.ok(fill(room, 'c', () => 'c1').taken > 1)
})

t.test('a group that uses no room may take all the free room with one request', async (t) => {
  const room = createSharedRoom(60)
  fill(room, 'a', String)
  t.equal(room.take('b', 'b1', 31), 'full')
  t.type(room.take('b', 'b1', 30), 'object')
  t.equal(room.take('c', 'c1', 1), 'full')
})

t.test('a member can only give room back, and giving back the same room again changes nothing', async (t) => {
  const room = createSharedRoom(60)
  const holding = room.take('a', 'a1', 60) as Holding
  t.equal(room.take('b', 'b1', 1), 'full')
  holding.lessenTo(10)
  holding.lessenTo(20)
  t.equal(room.held(), 10)
  holding.lessenTo(0)
  holding.lessenTo(0)
  t.equal(room.held(), 0)
})

t.test('the room in use never exceeds the capacity, and is 0 when all of it was given back', async () => {
  const step = fc.record({
    group: fc.constantFrom('a', 'b', 'c'),
    member: fc.constantFrom('1', '2', '3'),
    amount: fc.integer({ min: 1, max: 40 }),
    back: fc.nat(100),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const room = createSharedRoom(60)
      const held: Holding[] = []
      for (const { group, member, amount, back } of steps) {
        const holding = room.take(group, `${group}${member}`, amount)
        if (typeof holding === 'object') held.push(holding)
        else if (held.length > 0) held[back % held.length]!.lessenTo(back)
        if (room.held() > 60) return false
      }
      for (const holding of held) holding.lessenTo(0)
      return room.held() === 0
    }),
  )
})
