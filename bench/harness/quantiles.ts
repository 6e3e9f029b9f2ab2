/** Quantiles of measured values, by the nearest rank. */
export type Quantiles = { p50: number; p90: number; p95: number; p99: number; max: number }

/** All are NaN without values. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) }
}
