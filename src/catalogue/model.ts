/** Pure rules of products: what a price is, how an ActivityID is written, and what the database keeps of a product. */

/** Digits after the decimal point that a currency has (ISO 4217): 2 for EUR, 0 for JPY; null when unknown. */
export function currencyDecimals(currency: string): number | null {
  if (!currencies.has(currency)) return null
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 0
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

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

/** A product's own fields on the wire, in the catalogue file and for the operator. */
export type ProductFields = {
  Name: string
  Description: string
  DurationMinutes: number
  Price: Price
  TimeZone: string
  InShopfront: boolean
  CancelCutoffMinutes?: number
}

/** What the database keeps of them. The cutoff is null where it is to stay what it is, 0 for a new product. */
export type ProductRow = {
  name: string
  description: string
  durationMinutes: number
  priceMinor: number
  currency: string
  timeZone: string
  inShopfront: boolean
  cancelCutoffMinutes: number | null
}

/** For fields that checkPrice() finds nothing wrong with. */
export function toRow(product: ProductFields): ProductRow {
  const { Amount, Currency } = product.Price
  return {
    name: product.Name,
    description: product.Description,
    durationMinutes: product.DurationMinutes,
    priceMinor: toMinorUnits(Amount, Currency)!,
    currency: Currency,
    timeZone: product.TimeZone,
    inShopfront: product.InShopfront,
    cancelCutoffMinutes: product.CancelCutoffMinutes ?? null,
  }
}

export function fromRow({ priceMinor, currency, ...row }: ProductRow): ProductFields {
  return {
    Name: row.name,
    Description: row.description,
    DurationMinutes: row.durationMinutes,
    Price: { Amount: toAmount(priceMinor, currency), Currency: currency },
    TimeZone: row.timeZone,
    InShopfront: row.inShopfront,
    CancelCutoffMinutes: row.cancelCutoffMinutes ?? 0,
  }
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
