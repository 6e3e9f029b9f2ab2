/** Wire shapes of baskets. Shapes that are shared with partners' bookings are in ../booking/schemas.ts. */

import { testModeFields } from '../../accounts/test-mode-view.ts'
import { priceSchema, productFields } from '../../catalogue/schemas.ts'
import { openingFields } from '../../catalogue/timeslots/schemas.ts'
import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { reductionSchema } from '../booking/desk/schemas.ts'
import { refundSchema } from '../booking/money-schemas.ts'
import {
  bookingRequestSchema,
  bookingSchema,
  boughtFields,
  partyFields,
  partyRequired,
  totalSchema,
} from '../booking/schemas.ts'
import { ledgerSchema, paidReferenceSchema } from '../ledger/schemas.ts'
import { codeSchema } from '../promotion/schemas.ts'

const { Answers, Customer, ...asked } = bookingRequestSchema.properties
const placesFields = {
  ActivityID: asked.ActivityID,
  Date: asked.Date,
  Time: asked.Time,
}
const { BookingReference, Status } = bookingSchema.properties
const { FirstName, LastName, Email, Phone } = Customer.properties
const momentSchema = (description: string, example = '2027-05-30T08:15:30.123Z') =>
  Type.String({ format: 'date-time', description, examples: [example] })
const amountSchema = (description: string) => Type.Object(priceSchema.properties, { description })
const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Union([schema, Type.Null()])

export const maxLines = 50

export const lineRequestSchema = Type.Object(
  { ...placesFields, ...partyFields, Answers },
  { title: 'BasketLineRequest', ...partyRequired },
)
export type LineRequest = Static<typeof lineRequestSchema>

export const customerRequestSchema = Type.Object(
  {
    FirstName: Type.Optional(FirstName),
    LastName: Type.Optional(LastName),
    Email: Type.Optional(Email),
    Phone,
  },
  { title: 'BasketCustomer', description: 'The customer, as far as known.' },
)
export type CustomerRequest = Static<typeof customerRequestSchema>

const linesSchema = Type.Array(lineRequestSchema, {
  minItems: 1,
  maxItems: maxLines,
  description: 'All of them are held, or none.',
})

export const basketRequestSchema = Type.Object(
  {
    Channel: Type.Enum(['online', 'pos'], {
      description: '`online` sells what is in the shopfront, `pos` (the till) any product.',
      examples: ['online'],
    }),
    Lines: linesSchema,
    Customer: Type.Optional(customerRequestSchema),
    PromotionCode: Type.Optional(codeSchema),
  },
  { title: 'BasketRequest' },
)
export type BasketRequest = Static<typeof basketRequestSchema>

export const linesRequestSchema = Type.Object({ Lines: linesSchema }, { title: 'BasketLinesRequest' })

export const customerChangeSchema = Type.Object(
  { Customer: customerRequestSchema },
  { title: 'BasketChange' },
)

export const tillMethods = ['cash', 'card'] as const
const basketIdSchema = Type.Integer({ minimum: 1, examples: [7001] })

export const basketStatuses = [
  'waiting',
  'open',
  'completed',
  'cancelled',
  'expired',
  'refund-due',
  'refunded',
] as const

export const refundReasons = [
  'places-gone',
  'amount-differs',
  'not-payable',
  'basket-empty',
  'paid-twice',
  'promotion-gone',
] as const
export type RefundReason = (typeof refundReasons)[number]
const refundReasonSchema = Type.Enum(refundReasons, {
  description:
    '`places-gone`: paid too late, when the places were no longer free. `amount-differs`: the amount was not the total. `not-payable`: the basket was cancelled or on the waitlist, or it belonged to a reseller’s reservation that was not confirmed. `basket-empty`: the basket had no line left. `paid-twice`: the basket was already sold or paid, and the sale did not owe this amount. `promotion-gone`: paid too late, when its promotion could no longer be used.',
  examples: ['places-gone'],
})

const lineSchema = Type.Object(
  {
    BookingReference,
    Status,
    ...placesFields,
    ...openingFields,
    ...boughtFields,
    ProductName: productFields.Name,
    TimeslotID: Type.Integer({ minimum: 1, examples: [5120] }),
    UnitPrice: amountSchema(
      'The price of one unit of the first entry of `Units`, or of the whole line if it is sold at one price for all.',
    ),
    Refund: refundSchema,
  },
  { title: 'BasketLine' },
)

export const paymentIdSchema = Type.String({ examples: ['evt_0193'] })

const paymentEventSchema = Type.Object(
  {
    ID: paymentIdSchema,
    Type: Type.Enum(['succeeded', 'failed', 'refunded'], { examples: ['succeeded'] }),
    Amount: Type.String({ examples: ['90.00'] }),
    Currency: Type.String({ examples: ['EUR'] }),
    Reference: orNull(paidReferenceSchema),
    Outcome: Type.Enum(['completed', 'refund-due', 'released', 'refunded', 'ignored'], {
      examples: ['refund-due'],
    }),
    RefundReason: orNull(refundReasonSchema),
    ReceivedAt: momentSchema('When the event arrived.'),
    RefundedAt: orNull(momentSchema('When it was marked as paid back.')),
    PaidBack: Type.Optional(
      Type.Object(totalSchema.properties, {
        description:
          'For a payment that bought nothing and was first paid back in part: this part. The rest is due until `RefundedAt`.',
      }),
    ),
  },
  { title: 'BasketPayment' },
)

export const basketSchema = Type.Object(
  {
    BasketID: basketIdSchema,
    Status: Type.Enum(basketStatuses, {
      description:
        '`open`: its places are held until `ExpiresAt`. `waiting`: its booking is on the waitlist. `refund-due`: it was paid, but could not be sold; `refunded`: that money was paid back.',
      examples: ['open'],
    }),
    Channel: Type.Enum(['partner', 'online', 'pos'], { examples: ['online'] }),
    CreatedAt: momentSchema('When it was made.'),
    ExpiresAt: orNull(momentSchema('Until when its places are or were held.')),
    HoldLimitAt: orNull(momentSchema('The latest time to which `ExpiresAt` can be extended.')),
    CompletedAt: orNull(momentSchema('When it was sold. It may be paid later.')),
    Customer: Type.Object(
      {
        FirstName: orNull(FirstName),
        LastName: orNull(LastName),
        Email: orNull(Email),
        Phone: orNull(Type.String({ examples: ['+351912345678'] })),
      },
      { title: 'Customer' },
    ),
    Lines: Type.Array(lineSchema, {
      description: 'In the order in which they were added, including removed lines.',
    }),
    Total: orNull(
      Type.Object(totalSchema.properties, {
        description:
          'The total of the lines that are not cancelled, after reductions; null if there is no such line.',
      }),
    ),
    Promotion: Type.Optional(
      Type.Object(
        { Code: Type.String({ examples: ['SUMMER-10'] }), Discount: totalSchema },
        { title: 'BasketPromotion', description: 'The promotion code of the basket, and its reduction.' },
      ),
    ),
    Reduction: Type.Optional(reductionSchema),
    Payment: orNull(
      Type.Object(
        {
          Method: Type.Enum(['online', ...tillMethods], { examples: ['card'] }),
          Reference: orNull(paidReferenceSchema),
        },
        {
          description:
            'How it was paid when it was completed; null until then, and where the customer pays later.',
        },
      ),
    ),
    RefundReason: orNull(refundReasonSchema),
    Payments: Type.Array(paymentEventSchema, { description: 'Events of the payment provider, in order.' }),
    Ledger: ledgerSchema,
    ...testModeFields,
  },
  { title: 'Basket' },
)
export type BasketView = Static<typeof basketSchema>

const idText = (name: string) =>
  Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    errorMessage: 'must be a positive whole number',
    description: name,
    examples: ['7001'],
  })

export const basketPathSchema = Type.Object({ BasketID: idText('Identifier of the basket.') })
export const linePathSchema = Type.Object({
  BasketID: idText('Identifier of the basket.'),
  BookingReference,
})

export const basketsQuerySchema = Type.Object({
  Status: Type.Optional(Type.Enum(basketStatuses, { description: 'Only these.', examples: ['refund-due'] })),
  RefundDue: Type.Optional(
    Type.Enum(['true'], {
      description:
        '`true`: only baskets with a provider’s payment that must be paid back, including completed baskets that were paid twice, and partners’ bookings that were paid here by mistake.',
      examples: ['true'],
    }),
  ),
  ...pageFields,
})
export type BasketsQuery = Static<typeof basketsQuerySchema>
