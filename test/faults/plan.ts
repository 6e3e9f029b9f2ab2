/** Which faults come in which order, and for how long: the part of a run that its seed repeats. */
import type { Fault } from './faults.ts'
import { createRandom, type Random } from './random.ts'

export type Step = {
  fault: Fault
  /** Of what went well before the fault, and of the fault, in milliseconds. */
  calm: number
  lasts: number
  /** What the fault draws its victims from. */
  random: Random
}

const usualSeconds: [number, number] = [3, 7]
const short = { calm: [50, 250], lasts: [700, 1200] } as const

/**
 * Steps without end: all the faults in an order of their own, then all of them in another. Short ones last about a
 * second, long ones as the fault has it.
 */
export function* planSteps(seed: number, faults: readonly Fault[], { isShort }: { isShort: boolean }) {
  const random = createRandom(seed)
  while (faults.length > 0) {
    for (const fault of random.shuffle(faults)) {
      const [least, most] = fault.lasts ?? usualSeconds
      const [calm, lasts] = isShort
        ? [random.between(...short.calm), random.between(...short.lasts)]
        : [random.between(500, 2000), 1000 * random.between(least, most)]
      yield { fault, calm, lasts, random: random.fork() } as Step
    }
  }
}
