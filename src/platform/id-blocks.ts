/**
 * Unique ids drawn from a PostgreSQL sequence a block at a time (hi/lo), so that taking one is no round trip.
 * The sequence's increment is the block's size: what nextval gives belongs to one process, for good.
 */

/** The next `count` ids of a sequence. Ids that a process drew and never used stay unused. */
export type IdSource = (count: number) => Promise<number[]>

/**
 * @param drawBlocks calls nextval `blocks` times and gives the first id of each block.
 * @param blockSize the increment of the sequence.
 */
export function createIdSource(
  drawBlocks: (blocks: number) => Promise<number[]>,
  blockSize: number,
): IdSource {
  let ids: number[] = []
  let drawing: Promise<void> | undefined

  async function draw(missing: number): Promise<void> {
    const firsts = await drawBlocks(Math.ceil(missing / blockSize))
    ids = ids.concat(
      firsts.flatMap((first) => Array.from({ length: blockSize }, (_, offset) => first + offset)),
    )
  }

  return async function take(count) {
    while (ids.length < count) {
      drawing ??= draw(count - ids.length).finally(() => {
        drawing = undefined
      })
      await drawing
    }
    return ids.splice(0, count)
  }
}
