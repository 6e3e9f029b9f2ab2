/**
 * Wire shapes of money: refunds of a booking, what its partner owes, and payments. Fields of a booking are
 * optional, because responses that earlier versions stored for idempotency keys do not have them.
 */

import { commissionSchema, netPriceSchema } from '../../catalogue/partner-terms/schemas.ts'
import { priceSchema } from '../../catalogue/schemas.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { orNull, totalSchema } from './schemas.ts'

export const refundSchema = Type.Optional(
  Type.Union([totalSchema, Type.Null()], {
    description:
      'The amount to pay back for a cancelled booking. For the operator’s own sale: the amount that was decided, at most what was paid. For a partner’s booking: the amount by the refund terms that were in force when it was made, or the whole price if its timeslot was closed. Null for a booking that is not cancelled or was never confirmed, for a partner’s booking without terms, and for an own sale without terms of which nothing was paid. The service itself pays nothing back.',
  }),
)

export const owedSchema = Type.Optional(
  Type.Union([totalSchema, Type.Null()], {
    description:
      'What the partner owes the operator for the booking, by the terms under which it was sold; 0 unless the booking is confirmed, null without terms.',
  }),
)

const soldTermsSchema = Type.Object(
  {
    Commission: Type.Optional(commissionSchema),
    NetPrices: Type.Optional(Type.Array(netPriceSchema)),
  },
  { title: 'SoldTerms', description: 'The partner’s terms at the time of the sale.' },
)
export const soldTermsOrNull = Type.Optional(orNull(soldTermsSchema))
export type SoldTermsView = Static<typeof soldTermsSchema>

/** An amount that may be below 0. */
export const moneySchema = (description: string, example = '90.00') =>
  Type.Object(
    {
      ...priceSchema.properties,
      Amount: Type.String({ pattern: '^-?\\d{1,19}(\\.\\d{1,4})?$', examples: [example] }),
    },
    { description },
  )

export const movementTypeSchema = Type.Enum(['payment', 'refund'], {
  description: '`payment`: money from the customer. `refund`: money that was paid back.',
  examples: ['payment'],
})

/** Who took a payment or made a refund. */
export const moverSchema = Type.Object({
  Kind: Type.Enum(['partner', 'key', 'user', 'customer', 'payment', 'service'], {
    description: '`payment` is the payment provider.',
    examples: ['user'],
  }),
  ID: orNull(Type.Integer({ examples: [7] })),
  Name: orNull(Type.String({ examples: ['ada@example.com'] })),
})
