/**
 * The id up to which all events are decided (committed or rolled back), with transactions that begin and end in any
 * order.
 */
import t from 'tap'
import { createDecidedId } from '../../src/events/pump/decided-id.ts'
import type { Queryable } from '../../src/platform/postgres/database.ts'

type Seen = { id: number; writers: string[]; server?: string }

/**
 * A simulated database for successive checks: a real one cannot be made to fail over, or to respond late, at
 * will.
 */
function simulateChecks(...seen: Seen[]) {
  let looks = 0
  let underWay = 0
  let maxUnderWay = 0
  const query = async (text: string) => {
    await new Promise((resolve) => setImmediate(resolve))
    const { id, writers, server = 'a/1' } = seen[Math.min(looks, seen.length - 1)]!
    if (text.includes('events_id_seq')) {
      maxUnderWay = Math.max(maxUnderWay, ++underWay)
      return [{ id, server }]
    }
    underWay--
    looks++
    return writers.map((writer) => ({ writer }))
  }
  const sql = (strings: TemplateStringsArray) => {
    const text = strings.join('')
    // Fragments are queries that are never sent.
    return text.includes('events_id_seq') || text.includes('pg_locks') ? query(text) : {}
  }
  return { look: createDecidedId(sql as unknown as Queryable), most: () => maxUnderWay }
}

t.test('every id is decided while no transaction writes events', async (t) => {
  const { look } = simulateChecks({ id: 7, writers: [] })
  t.equal((await look()).id, 7)
})

t.test('an id is decided when the transactions that wrote while it was the last id have ended', async (t) => {
  const { look } = simulateChecks(
    { id: 10, writers: ['x'] },
    { id: 12, writers: ['x', 'y'] },
    { id: 15, writers: ['y', 'z'] },
    { id: 16, writers: ['z'] },
    { id: 16, writers: [] },
  )
  const ids: number[] = []
  for (let number = 0; number < 5; number++) ids.push((await look()).id)
  t.same(ids, [0, 0, 10, 10, 16])
})

t.test(
  'concurrent checks run one after the other, so each compares its writers with those of an earlier check',
  async (t) => {
    const { look, most } = simulateChecks(
      { id: 10, writers: ['x'] },
      { id: 11, writers: ['y'] },
      { id: 12, writers: ['y'] },
    )
    const found = await Promise.all([look(), look(), look()])
    t.same(
      found.map(({ id }) => id),
      [0, 10, 10],
      'ids that y has drawn are open while y writes',
    )
    t.equal(most(), 1)
  },
)

t.test('a failover sets the decided id back to 0, as the new server’s ids may be lower', async (t) => {
  const { look } = simulateChecks(
    { id: 100, writers: [] },
    { id: 94, writers: ['x'], server: 'a/2' },
    { id: 95, writers: ['y'], server: 'a/2' },
  )
  t.same(await look(), { id: 100, server: 'a/1' })
  t.same(await look(), { id: 0, server: 'a/2' })
  t.same(await look(), { id: 94, server: 'a/2' })
})
