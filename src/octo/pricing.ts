/** Prices as OCTO writes them: whole minor units, with the number of decimals of the currency. Pure. */
import { type Bought, totalOf } from '../inventory/bought.ts'
import { owedOf } from '../inventory/partner-terms.ts'
import { type Static, Type } from '../platform/schema/typebox.ts'
import { currencyDecimals } from '../platform/text/currencies.ts'

const amount = (description: string) => Type.Integer({ description, examples: [4500] })

export const pricingSchema = Type.Object(
  {
    original: amount('The price before any reduction.'),
    retail: amount('What the customer pays.'),
    net: Type.Union([Type.Integer(), Type.Null()], {
      description: 'What the reseller owes the operator; null if no terms are agreed.',
      examples: [3600],
    }),
    currency: Type.String({ description: 'ISO 4217 code.', examples: ['EUR'] }),
    currencyPrecision: Type.Integer({ description: 'Decimals of the currency.', examples: [2] }),
    includedTaxes: Type.Array(Type.Object({}), { description: 'Always empty.' }),
  },
  { title: 'OctoPricing', description: 'In minor units. Only with `octo/pricing`.' },
)
export type OctoPricing = Static<typeof pricingSchema>

export const unitPricingSchema = Type.Object(
  { unitId: Type.String({ examples: ['72'] }), ...pricingSchema.properties },
  { title: 'OctoUnitPricing' },
)
export type OctoUnitPricing = Static<typeof unitPricingSchema>

type Amounts = { retailMinor: number; netMinor: number | null; currency: string; originalMinor?: number }

/** @param originalMinor the price before a reduction; if left out, `retailMinor`. */
export function pricingOf({
  retailMinor,
  netMinor,
  currency,
  originalMinor = retailMinor,
}: Amounts): OctoPricing {
  return {
    original: originalMinor,
    retail: retailMinor,
    net: netMinor,
    currency,
    currencyPrecision: currencyDecimals(currency) ?? 2,
    includedTaxes: [],
  }
}

/** The price of a booking, and what its reseller owes for it. */
export function pricingOfBought(bought: Bought): OctoPricing {
  const [retailMinor, owed] = [Number(totalOf(bought)), owedOf(bought)]
  return pricingOf({
    retailMinor,
    originalMinor: retailMinor + Number(bought.discountMinor),
    netMinor: owed === null ? null : Number(owed),
    currency: bought.currency,
  })
}
