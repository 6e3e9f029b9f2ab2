/** Pure rules of products: how an ActivityID is written, and what the database keeps of a product. */
import { type Price, toAmount, toMinorUnits } from '../platform/text/money.ts'

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
