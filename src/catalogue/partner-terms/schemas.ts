/** Schemas of partners and their terms. */

import { type Static, Type } from '../../platform/schema/typebox.ts'
import { percentText } from '../../platform/text/percent.ts'
import { idInPathSchema, priceSchema } from '../schemas.ts'

export const partnerPathSchema = Type.Object({ PartnerID: idInPathSchema })

export const partnerSchema = Type.Object(
  {
    ID: Type.Integer({ minimum: 1, examples: [3] }),
    Name: Type.String({ examples: ['Tours Online'] }),
  },
  { title: 'Partner' },
)

export const commissionSchema = Type.String({
  ...percentText,
  description: 'Percentage of the total that the partner keeps.',
  examples: ['20'],
})

export const netPriceSchema = Type.Object({
  UnitID: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A unit of the product; 0 is the default unit, or a place of a product without units.',
    examples: [0],
  }),
  Amount: Type.String({
    ...priceSchema.properties.Amount,
    description:
      'The amount that the partner owes for one ticket of the unit, or for the whole booking if `PricedPer` is `booking`, in the product’s currency.',
    examples: ['36.00'],
  }),
})

const termSchema = Type.Object({
  ProductID: Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
    description: 'Null for all products that are not in the list.',
    examples: [12],
  }),
  Commission: Type.Optional(commissionSchema),
  NetPrices: Type.Optional(
    Type.Array(netPriceSchema, {
      minItems: 1,
      maxItems: 100,
      description:
        'Net prices replace a commission, and need a `ProductID`. For a unit that is not in the list, the partner owes the whole price.',
    }),
  ),
})
export type PartnerTerm = Static<typeof termSchema>

export const partnerTermsSchema = Type.Array(termSchema, { maxItems: 1000 })
export const partnerTermsListSchema = Type.Object(
  { Terms: partnerTermsSchema },
  { title: 'PartnerTermsList' },
)
