import t from 'tap'
import { familyOf, type ProcessTicks, parseMachine, parseProcess } from '../../bench/harness/processor.ts'
import { findDisturbance, type Look, useBetween, watchWhile } from '../../bench/harness/quiet.ts'

t.test('the time of the machine is read from the first line of /proc/stat', async (t) => {
  const text = 'cpu  100 5 50 800 45 3 7 90 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 12\n'
  t.same(parseMachine(text), { busy: 155, idle: 845, stolen: 90, total: 1100 })
})

t.test('times of a process are read although its name has spaces and parentheses', async (t) => {
  const fields = 'S 7 1 1 0 -1 4194304 101 0 0 0 40 2 300 10 20 0 1 0 4858843'
  t.same(parseProcess(`42 (a) (b c) ${fields}\n`), { parent: 7, own: 42, endedChildren: 310 })
})

t.test('a process family is a process with all its descendants, and no other process', async (t) => {
  const child = (parent: number): ProcessTicks => ({ parent, own: 0, endedChildren: 0 })
  const processes = new Map([
    [1, child(0)],
    [10, child(1)],
    [11, child(12)],
    [12, child(10)],
    [20, child(1)],
    [21, child(20)],
    [30, child(1)],
  ])
  t.same(familyOf([10, 30], processes).sort(), [10, 11, 12, 30])
})

const start: Look = { busy: 1000, idle: 9000, stolen: 10, total: 10_100, own: 500 }
/** The state of a machine with two processors, one second later. */
const later = (more: Partial<Look>): Look => ({
  busy: start.busy + (more.busy ?? 0),
  idle: start.idle + (more.idle ?? 0),
  stolen: start.stolen + (more.stolen ?? 0),
  total: start.total + 200,
  own: start.own + (more.own ?? 0),
})

t.test('processor time of the benchmark and its children does not count as used by others', async (t) => {
  const use = useBetween(start, later({ busy: 180, own: 176, idle: 20 }))
  t.same(use, { others: 0.02, stolen: 0, idle: 0.1 })
  t.equal(findDisturbance(use), null)
})

t.test(
  'when the benchmark’s own time exceeds the measured time of the machine, others used none',
  async (t) => {
    t.equal(useBetween(start, later({ busy: 180, own: 184 })).others, 0)
  },
)

t.test(
  'a round is not quiet while other processes use more than a twentieth of the processors',
  async (t) => {
    const quiet = useBetween(start, later({ busy: 110, own: 100 }))
    t.equal(findDisturbance(quiet), null)
    const busy = useBetween(start, later({ busy: 112, own: 100 }))
    t.equal(findDisturbance(busy), 'other processes used 6 % of the processors')
  },
)

t.test(
  'a round is not quiet while the host gives more than a twentieth of the processors to others',
  async (t) => {
    t.equal(findDisturbance(useBetween(start, later({ stolen: 10 }))), null)
    t.equal(findDisturbance(useBetween(start, later({ stolen: 20 }))), 'the host took 10 %')
  },
)

t.test('a machine that does not report its use is not called quiet', async (t) => {
  const { result, disturbance } = await watchWhile({ look: () => null }, async () => 7)
  t.equal(result, 7)
  t.match(disturbance, /no \/proc/)
})
