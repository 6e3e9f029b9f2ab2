/** Writes the numbers of JSON (doubles) as the shortest decimal with the same value. Pure. */

/** Plain decimal digits, never with an exponent: 1.5e-7 is "0.00000015". For finite numbers, not negative. */
export function toDecimal(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  const [mantissa = '', exponent] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent)
  if (shift < 0) return `0.${'0'.repeat(-shift - whole.length)}${whole}${fraction}`
  return whole + fraction.padEnd(shift, '0')
}

/** How many digits the shortest decimal has after the point. */
export function countDecimals(value: number): number {
  if (Number.isInteger(value)) return 0
  const text = String(value)
  if (!text.includes('e')) return text.length - text.indexOf('.') - 1
  const [mantissa = '', exponent = '0'] = text.split('e')
  const digits = mantissa.split('.')[1]?.length ?? 0
  return Math.max(0, digits - Number(exponent))
}
