/** Schemas of the partners' list of products and its changes. */
import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { productSchema } from '../schemas.ts'

export const productsQuerySchema = Type.Object({
  name: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Part of the name in the operator’s language or in a language of `Accept-Language`, without regard to case.',
      examples: ['kayak'],
    }),
  ),
  Limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      description: 'The most products in one response; 100 by default for changes.',
      examples: [100],
    }),
  ),
  After: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The last ID of the previous page.',
      examples: [12],
    }),
  ),
  UpdatedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The instant at which the list of changes begins.',
      examples: ['2027-06-01T00:00:00Z'],
    }),
  ),
  Cursor: pageFields.Cursor,
})
export type ProductsQuery = Static<typeof productsQuerySchema>

const goneProductSchema = Type.Object(
  {
    ID: productSchema.properties.ID,
    ActivityID: productSchema.properties.ActivityID,
    InShopfront: Type.Literal(false),
  },
  { title: 'GoneProduct', description: 'A product that has left the shopfront. Only in a list of changes.' },
)

export const listedProductSchema = Type.Union([productSchema, goneProductSchema])

export const productLinkHeader = {
  Link: Type.String({
    description:
      'The next page (`rel="next"`). The list of changes always has this header; the whole list has it only if there is a next page.',
    examples: [
      '<https://booking.example/api/v2/ota/marketplace/products?Cursor=WyJwcm9kdWN0cyIsODEyMzQ1NjcsNDIsMF0>; rel="next"',
    ],
  }),
}
