/**
 * Unique ids from a PostgreSQL sequence, drawn in blocks (hi/lo), so that taking one needs no round trip. The
 * increment of the sequence is the size of a block: each value of nextval gives a block to one process only.
 */
import { within } from '../async/deadline.ts'

/**
 * Returns `count` unique ids of a sequence, not always consecutive ones. Ids that a process drew and did not
 * use stay unused. A count of 0 only draws ahead, in the background.
 */
export type IdSource = (count: number) => Promise<number[]>

type Block = { next: number; end: number }

// Every caller that needs an id waits for the draw that is under way, so a draw must end.
const drawTimeoutMs = 10_000

/**
 * @param drawBlocks calls nextval `blocks` times and returns the first id of each block.
 * @param blockSize the increment of the sequence.
 * @param reserve how many ids are drawn ahead in the background, for use while PostgreSQL is down.
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
    const firsts = await within(drawTimeoutMs, drawBlocks(Math.ceil(missing / blockSize)), takesTooLong)
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
    // When drawing ahead fails, the next caller tries again. Only callers that find too few ids fail.
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
