/** Single items are gathered into batches. */
import t from 'tap'
import { type BatcherOptions, createBatcher } from '../../../src/platform/async/batcher.ts'
import { until } from '../../until.ts'

/** A batcher whose batches end only when the test ends them. */
function createControlledBatcher(settings: Partial<BatcherOptions<number, number>> = {}) {
  const batches: {
    items: number[]
    end: (outcomes?: (number | Error)[]) => void
    fail: (error: Error) => void
  }[] = []
  const batcher = createBatcher<number, number>({
    maxSize: 10,
    concurrency: 1,
    maxWaiting: 100,
    refusal: () => new Error('full'),
    ...settings,
    run: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, end: (outcomes = items) => resolve(outcomes), fail: reject })
      }),
  })
  return { batcher, batches }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

t.test('items that arrive while a batch runs form the next batch, in order', async (t) => {
  const { batcher, batches } = createControlledBatcher()
  const first = batcher.add(1)
  await turn()
  const later = [batcher.add(2), batcher.add(3)]
  await turn()
  t.same(
    batches.map(({ items }) => items),
    [[1]],
  )
  batches[0]!.end()
  t.equal(await first, 1)
  await turn()
  t.same(
    batches.map(({ items }) => items),
    [[1], [2, 3]],
  )
  batches[1]!.end()
  t.same(await Promise.all(later), [2, 3])
})

t.test('a batch has at most maxSize items, and the number of running batches is limited', async (t) => {
  const { batcher, batches } = createControlledBatcher({ maxSize: 2, concurrency: 2 })
  const all = [1, 2, 3, 4, 5].map((item) => batcher.add(item))
  await turn()
  await turn()
  t.same(
    batches.map(({ items }) => items),
    [
      [1, 2],
      [3, 4],
    ],
  )
  for (const batch of batches) batch.end()
  await turn()
  batches[2]!.end()
  t.same(await Promise.all(all), [1, 2, 3, 4, 5])
})

t.test(
  'under load, a batch starts an interval after the previous one, and a full batch at once',
  async (t) => {
    const { batcher, batches } = createControlledBatcher({ maxSize: 2, concurrency: 3, intervalMs: 60_000 })
    const first = batcher.add(1)
    await turn()
    const second = batcher.add(2)
    await turn()
    t.same(
      batches.map(({ items }) => items),
      [[1]],
    )
    const third = batcher.add(3)
    await turn()
    t.same(
      batches.map(({ items }) => items),
      [[1], [2, 3]],
    )
    for (const batch of batches) batch.end()
    t.same(await Promise.all([first, second, third]), [1, 2, 3])
  },
)

t.test('an item that waits for the interval starts a batch by itself', async (t) => {
  const { batcher, batches } = createControlledBatcher({ concurrency: 2, intervalMs: 20 })
  const both = [batcher.add(1)]
  await turn()
  both.push(batcher.add(2))
  await until(() => batches.length === 2)
  for (const batch of batches) batch.end()
  t.same(await Promise.all(both), [1, 2])
})

t.test('an error as an outcome fails only its caller', async (t) => {
  const { batcher, batches } = createControlledBatcher()
  const [one, two] = [batcher.add(1), batcher.add(2)]
  await turn()
  batches[0]!.end([new Error('poison'), 2])
  await t.rejects(one, { message: 'poison' })
  t.equal(await two, 2)
})

t.test('a batch that never ends fails its callers, and the next one runs', async (t) => {
  let batches = 0
  const batcher = createBatcher<number, number>({
    maxSize: 10,
    concurrency: 1,
    maxWaiting: 100,
    timeoutMs: 50,
    refusal: () => new Error('full'),
    // Only the first batch hangs. The second one ends at once, so that it does not time out on a slow
    // machine.
    run: (items) => (++batches === 1 ? new Promise(() => {}) : Promise.resolve(items)),
  })
  const lost = batcher.add(1)
  await turn()
  const next = batcher.add(2)
  t.equal(batches, 1)
  await t.rejects(lost, { code: 'ETIMEDOUT' })
  t.equal(await next, 2)
  await batcher.drain()
})

t.test('a batch that fails fails all its callers, and the next one runs', async (t) => {
  const { batcher, batches } = createControlledBatcher()
  const failed = [batcher.add(1), batcher.add(2)]
  await turn()
  batches[0]!.fail(new Error('down'))
  for (const one of failed) await t.rejects(one, { message: 'down' })
  const next = batcher.add(3)
  await turn()
  batches[1]!.end()
  t.equal(await next, 3)
})

t.test('an item above the limit of waiting items is refused at once', async (t) => {
  const { batcher, batches } = createControlledBatcher({ maxWaiting: 1 })
  const kept = batcher.add(1)
  await t.rejects(batcher.add(2), { message: 'full' })
  await turn()
  batches[0]!.end()
  t.equal(await kept, 1)
})

t.test('owners are served in turn, and one of them cannot take all the room', async (t) => {
  const { batcher, batches } = createControlledBatcher({
    maxSize: 2,
    maxWaiting: 10,
    ownerOf: (item) => item < 100,
  })
  const noisy = Array.from({ length: 8 }, (_, item) => batcher.add(item))
  await t.rejects(batcher.add(8), { message: 'full' }, 'four fifths are taken')
  const quiet = batcher.add(100)
  await turn()
  t.same(batches[0]!.items, [0, 100])
  for (let batch = 0; batch < 5; batch++) {
    batches[batch]!.end()
    await turn()
  }
  t.equal(await quiet, 100)
  t.same(await Promise.all(noisy), [0, 1, 2, 3, 4, 5, 6, 7])
})

t.test('drain waits for everything that was added', async (t) => {
  const { batcher, batches } = createControlledBatcher({ maxSize: 1 })
  const outcomes: number[] = []
  for (const item of [1, 2]) batcher.add(item).then((outcome) => outcomes.push(outcome))
  const drained = batcher.drain().then(() => outcomes.slice())
  await turn()
  batches[0]!.end()
  await turn()
  batches[1]!.end()
  t.same(await drained, [1, 2])
})

t.test('the limits count the things and the bytes that `measure` returns for each item', async (t) => {
  const batches: string[][] = []
  const ends: (() => void)[] = []
  const batcher = createBatcher<string, number>({
    maxSize: 4,
    maxBytes: 100,
    concurrency: 1,
    maxWaiting: 20,
    maxWaitingBytes: 200,
    measure: (item) => ({ count: Number(item.split(' ')[0]), bytes: Number(item.split(' ')[1]) }),
    refusal: () => new Error('full'),
    run: (items) => {
      batches.push(items)
      return new Promise((resolve) => ends.push(() => resolve(items.map(() => 1))))
    },
  })
  const added = ['1 1', '2 1', '2 1', '1 90', '1 90', '9 1', '1 500'].map((item) => batcher.add(item))
  await t.rejects(added.at(-1)!, { message: 'full' }, 'too many bytes')
  await t.rejects(batcher.add('5 1'), { message: 'full' }, 'too many things')
  for (let batch = 0; batch < 4; batch++) {
    await turn()
    ends[batch]!()
    await turn()
  }
  t.same(batches, [['1 1', '2 1'], ['2 1', '1 90'], ['1 90'], ['9 1']])
  await Promise.all(added.slice(0, -1))
  const huge = batcher.add('1 500')
  await turn()
  ends.at(-1)!()
  t.equal(await huge, 1, 'an item above the limit of bytes is accepted when nothing else waits')
})

t.test('the observer is called after each batch, including a failed one', async (t) => {
  const observed: { count: number; waitedMs: number; tookMs: number }[] = []
  let fails = false
  const batcher = createBatcher<string, string>({
    maxSize: 10,
    concurrency: 1,
    maxWaiting: 10,
    measure: (item) => ({ count: item.length, bytes: 0 }),
    refusal: () => new Error('full'),
    observe: (batch) => observed.push(batch),
    async run(items) {
      if (fails) throw new Error('down')
      return items
    },
  })
  await Promise.all(['ab', 'c'].map(batcher.add))
  fails = true
  await t.rejects(batcher.add('d'))
  await batcher.drain()
  t.same(
    observed.map(({ count }) => count),
    [3, 1],
  )
  for (const { waitedMs, tookMs } of observed) t.ok(waitedMs > 0 && tookMs >= 0)
})
