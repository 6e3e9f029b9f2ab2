import t from 'tap'
import { type Fault, faults } from './faults.ts'
import { planSteps } from './plan.ts'

const long = { isShort: false }

function take(seed: number, count: number, { isShort }: { isShort: boolean }) {
  const steps = planSteps(seed, faults, { isShort })
  return Array.from({ length: count }, () => {
    const { fault, calm, lasts, random } = steps.next().value!
    return { name: fault.name, calm, lasts, drawn: random.next() }
  })
}

t.test(
  'the same seed gives the same order, times and random choices of faults; another seed does not',
  async (t) => {
    t.same(take(7, 60, long), take(7, 60, long))
    t.strictNotSame(take(7, 60, long), take(8, 60, long))
  },
)

t.test('every fault comes once before any comes again', async (t) => {
  const names = take(7, 2 * faults.length, { isShort: true }).map(({ name }) => name)
  const all = faults.map(({ name }) => name).sort()
  t.same(names.slice(0, faults.length).sort(), all)
  t.same(names.slice(faults.length).sort(), all)
})

t.test('a long run gives a fault the time that it needs, a short one about a second', async (t) => {
  const [fault] = faults.filter(({ name }) => name === 'worker frozen') as [Fault]
  const steps = planSteps(7, [fault], long)
  const [least, most] = fault.lasts!
  for (let round = 0; round < 20; round++) {
    const { lasts } = steps.next().value!
    t.ok(lasts >= 1000 * least && lasts <= 1000 * most, `${lasts}`)
  }
  t.ok(planSteps(7, [fault], { isShort: true }).next().value!.lasts < 1500)
})
