/**
 * Percentages: whole hundredths of a percent (basis points), never a floating-point number. In requests and
 * responses, a percentage is a decimal string with at most two decimals. Pure.
 */

/** The pattern of a percentage from 0 to 100. */
export const percentPattern = '^(100(\\.0{1,2})?|\\d{1,2}(\\.\\d{1,2})?)$'

/** The options for the schema of a percentage from 0 to 100. */
export const percentText = {
  pattern: percentPattern,
  errorMessage: 'must be a percentage from 0 to 100 with at most two decimals, such as "12.5"',
}

/** Reads text that matches the pattern: "12.5" is 1250. */
export function toBasisPoints(percent: string): number {
  const [whole = '', fraction = ''] = percent.split('.')
  return Number(whole + fraction.padEnd(2, '0'))
}

/** Writes no unneeded decimals: 1250 is "12.5", and 2000 is "20". */
export function toPercent(basisPoints: number): string {
  const fraction = String(basisPoints % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  const whole = String(Math.trunc(basisPoints / 100))
  return fraction === '' ? whole : `${whole}.${fraction}`
}
