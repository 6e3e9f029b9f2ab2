/** Random choices that a seed repeats: the same seed draws the same plan. */

export type Random = {
  /** At least 0, less than 1. */
  next(): number
  chance(probability: number): boolean
  /** A number that is at least `least` and less than `most`. */
  between(least: number, most: number): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
  /** A second source. Later draws from this one do not change what the second one draws. */
  fork(): Random
}

/** Mulberry32. @param seed a whole number of 32 bits. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    between: (least, most) => least + next() * (most - least),
    pick: (list) => list[whole(0, list.length - 1)]!,
    shuffle(list) {
      const left = [...list]
      return list.map(() => left.splice(whole(0, left.length - 1), 1)[0]!)
    },
    fork: () => createRandom(whole(0, 2 ** 32 - 1)),
  }
}
