/**
 * Lanes of items that need the same resource, batches with items of several lanes, and what happens while a resource is
 * locked.
 */
import t from 'tap'
import { createLanes, type LanesOptions, SetAside } from '../../../src/platform/async/lanes.ts'
import { until } from '../../until.ts'

type Item = { thing: string; name: string; owner?: string }
type Outcomes = (string | Error | SetAside)[]
type Run = { lane: string | null; names: string[]; end: (outcomes?: Outcomes) => void }

const defaults: LanesOptions<Item, string> = {
  laneOf: ({ thing }) => thing,
  ownerOf: ({ owner }) => owner,
  maxSize: 10,
  maxBatches: 1,
  maxAlone: 2,
  maxWaiting: 100,
  maxAsideMs: 60_000,
  refusal: () => new Error('full'),
  tooLate: () => new Error('too late'),
  run: async () => [],
  runAlone: async () => [],
}

/** Lanes whose runs end only when the test ends them. */
function createControlledLanes(settings: Partial<LanesOptions<Item, string>> = {}) {
  const runs: Run[] = []
  const begin = (items: Item[], lane: string | null) =>
    new Promise<Outcomes>((resolve) => {
      const names = items.map(({ name }) => name)
      runs.push({ lane, names, end: (outcomes = names) => resolve(outcomes) })
    })
  const lanes = createLanes<Item, string>({
    ...defaults,
    ...settings,
    run: (items) => begin(items, null),
    runAlone: begin,
  })
  const add = (thing: string, name: string, owner?: string) => lanes.add({ thing, name, owner })
  const fails = (thing: string, name: string, owner?: string) =>
    add(thing, name, owner).catch((error: Error) => error.message)
  return { lanes, runs, add, fails, namesOf: () => runs.map(({ names }) => names) }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

t.test('items of different lanes form a batch, and later items the next one', async (t) => {
  const { runs, add, namesOf } = createControlledLanes()
  const answers = [add('x', 'x1'), add('y', 'y1')]
  await turn()
  answers.push(add('z', 'z1'))
  await turn()
  t.same(namesOf(), [['x1', 'y1']])
  runs[0]!.end()
  await until(() => runs.length === 2)
  runs[1]!.end()
  t.same(await Promise.all(answers), ['x1', 'y1', 'z1'])
})

t.test('items of one lane are never in two runs at once, and run in the order they came in', async (t) => {
  const { runs, add, namesOf } = createControlledLanes({ maxBatches: 2, maxSize: 2 })
  const answers = ['x1', 'x2', 'x3'].map((name) => add('x', name))
  await turn()
  answers.push(add('x', 'x4'), add('y', 'y1'))
  await turn()
  t.same(namesOf(), [['x1', 'x2'], ['y1']])
  runs[0]!.end()
  await until(() => runs.length === 3)
  t.same(runs[2]!.names, ['x3', 'x4'])
  for (const run of runs) run.end()
  t.same(await Promise.all(answers), ['x1', 'x2', 'x3', 'x4', 'y1'])
})

t.test('owners are served in turn', async (t) => {
  const { runs, add, namesOf } = createControlledLanes({ maxSize: 4 })
  const answers = [1, 2, 3, 4, 5].map((number) => add(`noisy ${number}`, `n${number}`, 'noisy'))
  answers.push(add('quiet 1', 'q1', 'quiet'), add('quiet 1', 'q2', 'quiet'))
  await turn()
  t.same(namesOf(), [['n1', 'q1', 'n2', 'q2']])
  runs[0]!.end()
  await until(() => runs.length === 2)
  runs[1]!.end()
  await Promise.all(answers)
})

t.test('a locked lane is set aside, and later items join it; other lanes go on', async (t) => {
  const { runs, add } = createControlledLanes()
  const locked = [add('x', 'x1')]
  const other = add('y', 'y1')
  await turn()
  locked.push(add('x', 'x2'))
  runs[0]!.end([new SetAside('x'), 'y1'])
  t.equal(await other, 'y1')
  await turn()
  t.match(runs[1], { lane: 'x', names: ['x1', 'x2'] }, 'the items of the locked lane have their own run')
  locked.push(add('x', 'x3'))
  const more = add('y', 'y2')
  await until(() => runs.length === 3)
  t.match(runs[2], { lane: null, names: ['y2'] })
  runs[2]!.end()
  t.equal(await more, 'y2')
  runs[1]!.end([new SetAside('x'), new SetAside('x')])
  await until(() => runs.length === 4)
  t.match(
    runs[3],
    { lane: 'x', names: ['x1', 'x2', 'x3'] },
    'items keep their order while their lane is still locked',
  )
  runs[3]!.end()
  t.same(await Promise.all(locked), ['x1', 'x2', 'x3'])
  const after = add('x', 'x4')
  await until(() => runs.length === 5)
  t.match(runs[4], { lane: null, names: ['x4'] }, 'once its lane is unlocked, an item is in a batch again')
  runs[4]!.end()
  await after
})

t.test('an item can move to another lane, and delays no other item', async (t) => {
  const { runs, add } = createControlledLanes()
  const [one, two] = [add('x', 'x1'), add('x', 'x2')]
  await turn()
  runs[0]!.end([new SetAside('key 1'), 'x2'])
  t.equal(await two, 'x2')
  await until(() => runs.length === 2)
  t.match(runs[1], { lane: 'key 1', names: ['x1'] })
  const three = add('x', 'x3')
  await until(() => runs.length === 3)
  runs[2]!.end()
  t.equal(await three, 'x3')
  runs[1]!.end()
  t.equal(await one, 'x1')
})

t.test('an item that waits too long in a set-aside lane is refused, and is in no later run', async (t) => {
  const { runs, fails } = createControlledLanes({ maxAsideMs: 1, maxAlone: 1 })
  const held = fails('x', 'x1')
  await turn()
  runs[0]!.end([new SetAside('x')])
  await until(() => runs.length === 2)
  const behind = [fails('x', 'x2'), fails('y', 'y1')]
  await until(() => runs.length === 3)
  runs[2]!.end([new SetAside('y')])
  t.equal(
    await behind[1],
    'too late',
    'although its lane had no run of its own: another lane has the only one',
  )
  runs[1]!.end([new SetAside('x')])
  t.same(await Promise.all([held, behind[0]]), ['too late', 'too late'])
  t.same(
    runs.map(({ names }) => names),
    [['x1'], ['x1'], ['y1']],
  )
})

t.test('an owner with many locked lanes leaves a run for the locked lane of another owner', async (t) => {
  const { runs, add } = createControlledLanes({ maxAlone: 3 })
  const noisy = [1, 2, 3, 4].map((number) => add(`noisy ${number}`, `n${number}`, 'noisy'))
  await turn()
  runs[0]!.end(noisy.map((_, index) => new SetAside(`noisy ${index + 1}`)))
  await until(() => runs.length === 3)
  const quiet = add('quiet', 'q', 'quiet')
  await until(() => runs.length === 4)
  runs[3]!.end([new SetAside('quiet')])
  await until(() => runs.length === 5)
  t.match(runs[4], { lane: 'quiet', names: ['q'] })
  runs[4]!.end()
  t.equal(await quiet, 'q')
  for (let place = 1; place < 7; place++) {
    await until(() => runs.length > place)
    runs[place]!.end()
  }
  t.same(await Promise.all(noisy), ['n1', 'n2', 'n3', 'n4'])
})

t.test('a single owner takes at most four fifths of the room, and the rest is for the others', async (t) => {
  const { runs, lanes, add, fails } = createControlledLanes({ maxWaiting: 10 })
  const noisy = Array.from({ length: 12 }, (_, index) => fails('x', `x${index}`, 'noisy'))
  const quiet = add('y', 'y1', 'quiet')
  await turn()
  runs[0]!.end()
  t.equal(await quiet, 'y1')
  t.equal((await Promise.all(noisy)).filter((answer) => answer === 'full').length, 4)
  await lanes.drain()
})

t.test('an error of an item fails that item, and an error of a run fails all its items', async (t) => {
  const { runs, fails, lanes } = createControlledLanes()
  const answers = [fails('x', 'x1'), fails('x', 'x2')]
  await turn()
  runs[0]!.end([new Error('mine'), 'x2'])
  t.same(await Promise.all(answers), ['mine', 'x2'])
  const broken = createLanes<Item, string>({
    ...defaults,
    run: () => Promise.reject(new Error('broken')),
  })
  t.same(
    await Promise.allSettled([
      broken.add({ thing: 'x', name: '1' }),
      broken.add({ thing: 'y', name: '2' }),
    ]).then((results) => results.map(({ status }) => status)),
    ['rejected', 'rejected'],
  )
  await lanes.drain()
})

t.test('drain waits for all items, including those in lanes set aside', async (t) => {
  const { runs, lanes, add } = createControlledLanes()
  await lanes.drain()
  const answer = add('x', 'x1')
  let drained = false
  const draining = lanes.drain().then(() => {
    drained = true
  })
  await turn()
  runs[0]!.end([new SetAside('x')])
  await until(() => runs.length === 2)
  t.equal(drained, false)
  runs[1]!.end()
  await draining
  t.equal(await answer, 'x1')
})
