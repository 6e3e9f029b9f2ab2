/** The time limit of synchronous work, with a processor clock that the tests set. */
import t from 'tap'
import { withinTime } from '../../../src/platform/async/time-limit.ts'

// Long enough that a short stop of a busy machine does not use it up.
const limitMs = 100

/** Blocks this thread without using the processor, as if another process were using it. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Work whose first `slowTries` tries never end, and the clock, which counts `usedMs` in each of them. */
function makeWork({
  slowTries,
  usedMs,
  ofThread = true,
}: {
  slowTries: number
  usedMs: number
  ofThread?: boolean
}) {
  const state = { tries: 0, usedMs: 0 }
  const work = () => {
    state.tries++
    if (state.tries > slowTries) return 'done'
    state.usedMs += usedMs
    for (;;) sleep(5)
  }
  return { state, work, clock: { readMs: () => state.usedMs, ofThread } }
}

t.test(
  'work that used up its time only once is not refused, because code may have been compiled then',
  async (t) => {
    const { state, work, clock } = makeWork({ slowTries: 1, usedMs: limitMs })
    t.equal(withinTime(limitMs, work, clock), 'done')
    t.ok(state.tries >= 2)
  },
)

t.test('work that has used up its time twice is refused', async (t) => {
  const { state, work, clock } = makeWork({ slowTries: 9, usedMs: limitMs })
  t.throws(() => withinTime(limitMs, work, clock), { message: 'it takes too long' })
  t.equal(state.tries, 2)
})

t.test('if the clock also counts other threads, slow work is refused after three tries', async (t) => {
  const quick = makeWork({ slowTries: 2, usedMs: limitMs, ofThread: false })
  t.equal(withinTime(limitMs, quick.work, quick.clock), 'done')
  const slow = makeWork({ slowTries: 9, usedMs: limitMs, ofThread: false })
  t.throws(() => withinTime(limitMs, slow.work, slow.clock), { message: 'it takes too long' })
  t.equal(slow.state.tries, 3)
})

t.test(
  'work that did not get the processor has twice the limit in each further try, up to four tries',
  async (t) => {
    const measure = () => {
      const { state, work, clock } = makeWork({ slowTries: 3, usedMs: 1 })
      const began = performance.now()
      t.equal(withinTime(limitMs, work, clock), 'done')
      t.equal(state.tries, 4)
      return performance.now() - began
    }
    // The smallest of several, because a machine may stop for a moment.
    const tookMs = Math.min(measure(), measure(), measure())
    t.ok(tookMs >= (1 + 2 + 2) * limitMs - 1)
    t.ok(tookMs < (1 + 2 + 4) * limitMs, 'the third try has no more time than the second')
    const never = makeWork({ slowTries: 9, usedMs: 1 })
    t.throws(() => withinTime(limitMs, never.work, never.clock), { message: 'it takes too long' })
    t.equal(never.state.tries, 4)
  },
)

t.test('an error of the work is thrown as it is, and later work has its own limit', async (t) => {
  const wrong = new RangeError('wrong')
  t.throws(
    () =>
      withinTime(limitMs, () => {
        throw wrong
      }),
    wrong,
  )
  t.equal(
    withinTime(60_000, () => 7),
    7,
  )
})
