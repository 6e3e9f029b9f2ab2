/** Measures several subjects in alternation, A B A B …, so that drift of the machine affects all of them. */
import { formatCell } from './report.ts'

/** A subject that is measured beside others. */
export type Entrant<Result> = { name: string; measure(): Promise<Result> }

export type Rounds<Result> = {
  /**
   * The results by the name of the subject: of the quiet rounds only, if there are enough of these; otherwise of all.
   */
  results: Map<string, Result[]>
  /** The number of quiet rounds, and of all rounds. */
  quiet: number
  of: number
  /** What disturbed the others. */
  disturbances: string[]
}

export const leastQuiet = 3

export type RoundsOptions = {
  /** How many quiet rounds to measure. Rounds that were not quiet are repeated, up to `maxRounds` in total. */
  rounds: number
  maxRounds: number
  /** Returns why the machine is not quiet before a round; null when it is. */
  before(): Promise<string | null>
  during<Result>(work: () => Promise<Result>): Promise<{ result: Result; disturbance: string | null }>
}

export async function alternate<Result>(
  entrants: readonly Entrant<Result>[],
  { rounds, maxRounds, before, during }: RoundsOptions,
): Promise<Rounds<Result>> {
  const done: { results: Result[]; disturbances: string[] }[] = []
  const quiet = () => done.filter(({ disturbances }) => disturbances.length === 0)
  while (quiet().length < rounds && done.length < maxRounds) {
    const [results, disturbances]: [Result[], string[]] = [[], []]
    const first = await before()
    if (first) disturbances.push(`before round ${done.length + 1}: ${first}`)
    for (const { name, measure } of entrants) {
      const { result, disturbance } = await during(measure)
      results.push(result)
      if (disturbance) disturbances.push(`${name}, round ${done.length + 1}: ${disturbance}`)
    }
    done.push({ results, disturbances })
  }
  const used = quiet().length >= Math.min(leastQuiet, rounds) ? quiet() : done
  return {
    results: new Map(entrants.map(({ name }, index) => [name, used.map(({ results }) => results[index]!)])),
    quiet: quiet().length,
    of: done.length,
    disturbances: done.flatMap(({ disturbances }) => disturbances),
  }
}

/** The middle one, or the mean of the middle two; NaN of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of one figure over the rounds. */
export function medianBy<Result>(
  results: readonly Result[] | undefined,
  figure: (result: Result) => number,
): number {
  return medianOf((results ?? []).map(figure))
}

/** The median of one figure with the lowest and the highest, as a cell: `4,210 (4,100–4,390)`. */
export function spreadBy<Result>(results: readonly Result[], figure: (result: Result) => number): string {
  const values = results.map(figure)
  const median = formatCell(medianOf(values))
  if (values.some(Number.isNaN)) return formatCell(null)
  if (values.length < 2) return median
  return `${median} (${formatCell(Math.min(...values))}–${formatCell(Math.max(...values))})`
}
