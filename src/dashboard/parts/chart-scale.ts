/**
 * The scales of charts: round values for the axis, and as many names below the columns as there is room for.
 * Pure.
 */

const maxSteps = 5
const niceSteps = [1, 2, 5, 10]

/**
 * Values from 0 to at least `most`, in ascending order. The step between them is 1, 2 or 5 times a power of
 * ten.
 */
export function ticksUpTo(most: number): number[] {
  if (!(most > 0)) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(most / maxSteps))
  const step = niceSteps.map((factor) => factor * power).find((size) => size * maxSteps >= most * (1 - 1e-9))!
  const count = Math.max(1, Math.ceil((most / step) * (1 - 1e-9)))
  // 3 × 0.1 is 0.30000000000000004.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/** The indexes of the columns whose names are shown: at most `most`, evenly spaced from the first column. */
export function namedColumns(count: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(count / most))
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every)
}
