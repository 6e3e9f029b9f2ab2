/** The order and duration of faults: the part of a run that its seed repeats. */
import type { Fault } from './faults.ts'
import { createRandom, type Random } from './random.ts'

export type Step = {
  fault: Fault
  /** Milliseconds of normal service before the fault, and of the fault. */
  calm: number
  lasts: number
  /** The source from which the fault chooses its victims. */
  random: Random
}

const defaultSeconds: [number, number] = [3, 7]
const short = { calm: [50, 250], lasts: [700, 1200] } as const

/**
 * An endless sequence: all faults in some order, then all of them in another. Short ones last about a second,
 * long ones as the fault specifies.
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
