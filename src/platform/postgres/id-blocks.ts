/**
 * Unique ids drawn from a PostgreSQL sequence a block at a time (hi/lo), so that taking one is no round trip.
 * The sequence's increment is the block's size: what nextval gives belongs to one process, for good.
 */
import { within } from '../async/deadline.ts'

/**
 * The next `count` ids of a sequence. Ids that a process drew and never used stay unused.
 * `take(0)` draws ahead and takes nothing.
 */
export type IdSource = (count: number) => Promise<number[]>

type Block = { next: number; end: number }

// Whoever needs an id waits for the draw that is under way: one that never ends must not be waited for for ever.
const patienceMilliseconds = 10_000

/**
 * @param drawBlocks calls nextval `blocks` times and gives the first id of each block.
 * @param blockSize the increment of the sequence.
 * @param reserve how many ids are drawn ahead, in the background: so many are left when PostgreSQL goes away.
 */
export function createIdSource(
  drawBlocks: (blocks: number) => Promise<number[]>,
  blockSize: number,
  reserve = 0,
): IdSource {
  const blocks: Block[] = []
  let left = 0
  let drawing: Promise<void> | undefined

  async function draw(missing: number): Promise<void> {
    const firsts = await within(
      patienceMilliseconds,
      drawBlocks(Math.ceil(missing / blockSize)),
      takesTooLong,
    )
    for (const first of firsts) blocks.push({ next: first, end: first + blockSize })
    left += firsts.length * blockSize
  }

  function drawOnce(missing: number): Promise<void> {
    drawing ??= draw(missing).finally(() => {
      drawing = undefined
    })
    return drawing
  }

  return async function take(count) {
    // What could not be drawn ahead is tried again by the next caller, and fails those who cannot do without.
    if (left - count < reserve) drawOnce(count + reserve - left).catch(() => {})
    while (left < count) await drawOnce(count + reserve - left)
    left -= count
    const ids: number[] = []
    while (ids.length < count) {
      const block = blocks[0]!
      ids.push(block.next++)
      if (block.next === block.end) blocks.shift()
    }
    return ids
  }
}

function takesTooLong(): Error {
  return Object.assign(new Error('Drawing ids took too long'), { code: 'ETIMEDOUT' })
}
