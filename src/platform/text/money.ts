/**
 * Money: whole minor units and a currency, never a floating-point number. In requests and responses, an
 * amount is a decimal string with all decimals of its currency. Pure.
 */
import { currencyDecimals } from './currencies.ts'

/**
 * A decimal amount as whole minor units ("12.5" EUR is 1250). Null for text that is not an amount, for an
 * unknown currency, for more decimals than the currency has, and for 2^53 or more.
 */
export function toMinorUnits(amount: string, currency: string): number | null {
  const minor = Number(toExactMinorUnits(amount, currency) ?? Number.NaN)
  return Number.isSafeInteger(minor) ? minor : null
}

/** The same for an amount of any size. */
export function toExactMinorUnits(amount: string, currency: string): bigint | null {
  const decimals = currencyDecimals(currency)
  const [whole = '', fraction = ''] = amount.split('.')
  if (decimals === null || fraction.length > decimals) return null
  const digits = whole + fraction.padEnd(decimals, '0')
  return /^\d+$/.test(digits) ? BigInt(digits) : null
}

/**
 * Minor units as a decimal string with all decimals of the currency (1250 EUR is "12.50"); with two if the
 * currency is unknown.
 */
export function toAmount(minor: number | bigint, currency: string): string {
  if (minor < 0) return `-${toAmount(-minor, currency)}`
  const decimals = currencyDecimals(currency) ?? 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export type Price = { Amount: string; Currency: string }

/**
 * Checks a price that already has the right shape. Returns the invalid field and a message, or null if it is
 * valid.
 */
export function checkPrice({ Amount, Currency }: Price): { field: keyof Price; message: string } | null {
  const decimals = currencyDecimals(Currency)
  if (decimals === null) return { field: 'Currency', message: 'must be a currency of ISO 4217' }
  if (toMinorUnits(Amount, Currency) !== null) return null
  return {
    field: 'Amount',
    message: `must be an amount of ${Currency}, which has ${decimals || 'no'} decimals`,
  }
}

/** A sum in minor units as money in a response. */
export function toMoney(minor: number | bigint, currency: string): Price {
  return { Amount: toAmount(minor, currency), Currency: currency }
}

/**
 * A percentage of an amount in minor units. `basisPoints` are hundredths of a percent: 2000 is 20 %. Both
 * arguments must be 0 or more. The result is rounded to the nearest minor unit, halves up: the only rounding
 * rule for money.
 */
export function percentOf(minor: bigint, basisPoints: number): bigint {
  return (minor * BigInt(basisPoints) + 5000n) / 10_000n
}

/**
 * Divides an amount in proportion to weights, of which at least one is not 0. The parts add up to the amount,
 * and each is within one minor unit of its exact share. Units left over go to the largest remainders, and
 * among equal remainders to the first.
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
