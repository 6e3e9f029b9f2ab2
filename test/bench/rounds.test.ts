import t from 'tap'
import {
  alternate,
  medianBy,
  medianOf,
  type Rounds,
  type RoundsOptions,
  spreadBy,
} from '../../bench/harness/rounds.ts'

/**
 * Measures A and B. A result is the number of the measurement; `disturbed` lists the measurements that are
 * not quiet.
 */
async function measure(options: Partial<RoundsOptions> & { disturbed?: string[] } = {}) {
  const order: string[] = []
  const entrant = (name: string) => ({
    name,
    async measure() {
      order.push(`${name}${order.filter((done) => done.startsWith(name)).length + 1}`)
      return Number(order.at(-1)!.slice(1))
    },
  })
  const rounds: Rounds<number> = await alternate([entrant('A'), entrant('B')], {
    rounds: 3,
    maxRounds: 6,
    before: async () => null,
    async during(work) {
      const result = await work()
      return { result, disturbance: options.disturbed?.includes(order.at(-1)!) ? 'somebody compiles' : null }
    },
    ...options,
  })
  return { ...rounds, order }
}

t.test('entrants are measured in turn, A B A B', async (t) => {
  const { order, results, quiet, of } = await measure()
  t.same(order, ['A1', 'B1', 'A2', 'B2', 'A3', 'B3'])
  t.same(Object.fromEntries(results), { A: [1, 2, 3], B: [1, 2, 3] })
  t.same([quiet, of], [3, 3])
})

t.test('a round that was not quiet is repeated, and none of its figures count', async (t) => {
  const { results, quiet, of, disturbances } = await measure({ disturbed: ['B2'] })
  t.same(Object.fromEntries(results), { A: [1, 3, 4], B: [1, 3, 4] })
  t.same([quiet, of], [3, 4])
  t.same(disturbances, ['B, round 2: somebody compiles'])
})

t.test('a round does not count when the machine was not quiet before it', async (t) => {
  let looks = 0
  const { quiet, of, disturbances } = await measure({
    before: async () => (++looks === 1 ? 'somebody compiles' : null),
  })
  t.same([quiet, of], [3, 4])
  t.same(disturbances, ['before round 1: somebody compiles'])
})

t.test('on a machine that is never quiet, the benchmark still ends, and shows all rounds', async (t) => {
  const { results, quiet, of } = await measure({ before: async () => 'somebody compiles' })
  t.same([quiet, of], [0, 6])
  t.same(results.get('A'), [1, 2, 3, 4, 5, 6])
})

t.test('the median is the middle one, or the mean of the middle two', async (t) => {
  t.equal(medianOf([9, 1, 5]), 5)
  t.equal(medianOf([9, 1, 5, 6]), 5.5)
  t.equal(medianOf([7]), 7)
  t.ok(Number.isNaN(medianOf([])))
  t.equal(
    medianBy([{ rate: 3 }, { rate: 8 }, { rate: 4 }], ({ rate }) => rate),
    4,
  )
  t.ok(Number.isNaN(medianBy(undefined, () => 1)))
})

t.test('a spread shows the median with the lowest and the highest', async (t) => {
  const self = (value: number) => value
  t.equal(spreadBy([4210.3, 4100, 4390], self), '4,210 (4,100–4,390)')
  t.equal(spreadBy([4210.3], self), '4,210')
  t.equal(spreadBy([2, Number.NaN, 3], self), '–')
})
