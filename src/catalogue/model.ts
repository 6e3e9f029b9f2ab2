/** Pure rules of products: what a price is, and how an ActivityID is written. */

/** Digits after the decimal point that a currency has (ISO 4217): 2 for EUR, 0 for JPY; null when unknown. */
export function currencyDecimals(currency: string): number | null {
  if (!currencies.has(currency)) return null
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 0
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** A decimal amount as whole minor units ("12.5" EUR is 1250); null when the currency has fewer decimals. */
export function toMinorUnits(amount: string, currency: string): number | null {
  const decimals = currencyDecimals(currency)
  const [whole = '', fraction = ''] = amount.split('.')
  if (decimals === null || fraction.length > decimals) return null
  const minor = Number(whole + fraction.padEnd(decimals, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

/** Minor units as the decimal string of the wire, with all the currency's decimals (1250 EUR is "12.50"). */
export function toAmount(minor: number | bigint, currency: string): string {
  const decimals = currencyDecimals(currency) ?? 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The shape of an ActivityID: `s_` and a lower-case UUID. */
export const activityIdPattern = '^s_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** The UUID inside an ActivityID, which is what the database keeps. */
export function activityUuid(activityId: string): string {
  return activityId.slice(2)
}

export function toActivityId(uuid: string): string {
  return `s_${uuid}`
}
