/** The order and duration of faults: the part of a run that its seed repeats. */
import type { Fault } from './faults.ts'
import { createRandom, type Random } from './random.ts'

export type Step = {
  fault: Fault
  /** Milliseconds of normal service before the fault. */
  calm: number
  /** The fault is repaired this many milliseconds after it was injected, or somewhat later. */
  lasts: number
  /** The source of the fault's random choices, such as the process that it kills. */
  random: Random
}

const defaultSeconds: [number, number] = [3, 7]
const short = { calm: [50, 250], lasts: [700, 1200] } as const

/**
 * An endless sequence: all faults in a random order, then all of them in another order, and so on. With
 * `isShort`, each lasts about a second; otherwise, a time in the range that the fault specifies, or 3 to 7
 * seconds.
 */
export function* planSteps(seed: number, faults: readonly Fault[], { isShort }: { isShort: boolean }) {
  const random = createRandom(seed)
  while (faults.length > 0) {
    for (const fault of random.shuffle(faults)) {
      const [least, most] = fault.lasts ?? defaultSeconds
      const [calm, lasts] = isShort
        ? [random.between(...short.calm), random.between(...short.lasts)]
        : [random.between(500, 2000), 1000 * random.between(least, most)]
      yield { fault, calm, lasts, random: random.fork() } as Step
    }
  }
}
