/**
 * Money: whole minor units and a currency, never a floating-point number. An amount on the wire is a decimal string with
 * all the decimals of its currency. Pure.
 */

/** Digits after the decimal point that a currency has (ISO 4217): 2 for EUR, 0 for JPY; null when unknown. */
export function currencyDecimals(currency: string): number | null {
  const known = decimals.get(currency)
  if (known !== undefined) return known
  if (!currencies.has(currency)) return null
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const found = format.resolvedOptions().maximumFractionDigits ?? 0
  decimals.set(currency, found)
  return found
}

const currencies = new Set(Intl.supportedValuesOf('currency'))
// Made once for each currency: a format takes 20 µs, and every booking writes two amounts.
const decimals = new Map<string, number>()

/** A decimal amount as whole minor units ("12.5" EUR is 1250); null when the currency has fewer decimals. */
export function toMinorUnits(amount: string, currency: string): number | null {
  const minor = Number(toExactMinorUnits(amount, currency) ?? Number.NaN)
  return Number.isSafeInteger(minor) ? minor : null
}

/** The same of an amount of any size; null also for text that is no amount. */
export function toExactMinorUnits(amount: string, currency: string): bigint | null {
  const decimals = currencyDecimals(currency)
  const [whole = '', fraction = ''] = amount.split('.')
  if (decimals === null || fraction.length > decimals) return null
  const digits = whole + fraction.padEnd(decimals, '0')
  return /^\d+$/.test(digits) ? BigInt(digits) : null
}

/** Minor units as the decimal string of the wire, with all the currency's decimals (1250 EUR is "12.50"). */
export function toAmount(minor: number | bigint, currency: string): string {
  if (minor < 0) return `-${toAmount(-minor, currency)}`
  const decimals = currencyDecimals(currency) ?? 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export type Price = { Amount: string; Currency: string }

/** What is wrong with a price whose shape is right: the field of it, and why; null when nothing is. */
export function checkPrice({ Amount, Currency }: Price): { field: keyof Price; message: string } | null {
  const decimals = currencyDecimals(Currency)
  if (decimals === null) return { field: 'Currency', message: 'must be a currency of ISO 4217' }
  if (toMinorUnits(Amount, Currency) !== null) return null
  return {
    field: 'Amount',
    message: `must be an amount of ${Currency}, which has ${decimals || 'no'} decimals`,
  }
}

/** What money is on the wire, of a sum in minor units. */
export function toMoney(minor: number | bigint, currency: string): Price {
  return { Amount: toAmount(minor, currency), Currency: currency }
}

/**
 * So many hundredths of a percent of an amount, both 0 or more, in minor units: 2000 is 20 %. The one rule of rounding:
 * to the nearest minor unit, and halves up.
 */
export function percentOf(minor: bigint, basisPoints: number): bigint {
  return (minor * BigInt(basisPoints) + 5000n) / 10_000n
}

/**
 * Shares out an amount in proportion to weights, which are not all 0, to the last minor unit: the parts add up to the
 * amount, and none is more than one minor unit from its exact share. Where units are left over, the largest remainders
 * have them, and of equal ones the first.
 */
export function shareOut(minor: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  const parts = weights.map((weight) => (minor * weight) / sum)
  const left = Number(minor - parts.reduce((total, part) => total + part, 0n))
  const remainders = weights.map((weight, index) => ({ index, rest: (minor * weight) % sum }))
  remainders.sort((one, other) =>
    one.rest === other.rest ? one.index - other.index : one.rest > other.rest ? -1 : 1,
  )
  for (const { index } of remainders.slice(0, left)) parts[index]! += 1n
  return parts
}
