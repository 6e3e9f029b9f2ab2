/** Wire shapes of refunds and of decisions about them. */
import { idInPathSchema } from '../../catalogue/schemas.ts'
import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { percentText } from '../../platform/text/percent.ts'
import { instantSchema, orNull, referenceSchema, totalSchema } from '../booking/schemas.ts'
import { paymentMethods } from './queries.ts'
import { paidReferenceSchema } from './schemas.ts'

const choiceSchema = (description: string) =>
  Type.Enum(['terms', 'full', 'none'], { description, examples: ['full'] })

export const refundChoiceSchema = Type.Object(
  {
    Choice: Type.Optional(
      choiceSchema(
        '`terms`: the amount by the refund terms, or everything without terms. `full`: everything that can be paid back. `none`: nothing.',
      ),
    ),
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description: 'The amount to pay back, in the currency of the sale.',
        examples: ['12.00'],
      }),
    ),
  },
  {
    title: 'RefundChoice',
    description:
      'How much of the money for the cancelled or cheaper part, or of the overpaid money, is paid back: either `Choice` or `Amount`. The operator keeps the rest. If left out: the amount by the refund terms, or everything without terms. Not allowed for a partner’s booking, because its customer paid the partner.',
  },
)
export type RefundChoiceRequest = Static<typeof refundChoiceSchema>

export const closureRefundSchema = Type.Object(
  {
    Choice: Type.Optional(
      choiceSchema(
        'The refund of each cancelled booking. `full` (the default): everything that was paid. `terms`: the amount by its refund terms, or everything without terms. `none`: nothing.',
      ),
    ),
    Percent: Type.Optional(
      Type.String({
        ...percentText,
        description:
          'The percentage that is paid back of the money paid for each cancelled booking, rounded half up.',
        examples: ['50'],
      }),
    ),
  },
  {
    title: 'ClosureRefund',
    description:
      'How much is paid back for the operator’s own sales: either `Choice` or `Percent`. The refund of a partner’s booking with refund terms is always its full price.',
  },
)

export const refundSourceSchema = Type.Enum(['decision', 'payment'], {
  description: '`decision`: a decision about a sale. `payment`: a provider’s payment that bought nothing.',
  examples: ['decision'],
})

export const refundViewSchema = Type.Object(
  {
    Source: refundSourceSchema,
    RefundID: orNull(
      Type.Integer({ minimum: 1, description: 'Null for a provider’s payment.', examples: [31] }),
    ),
    PaymentID: orNull(
      Type.String({ description: 'The provider’s `ID` of a payment that bought nothing.', examples: [null] }),
    ),
    BasketID: Type.Integer({ minimum: 1, examples: [7001] }),
    BookingReference: orNull({
      ...referenceSchema,
      description: 'The booking of the refund; null for overpaid money and for a provider’s payment.',
    }),
    Status: Type.Enum(['due', 'done', 'none'], {
      description:
        '`none`: nothing is paid back, either by the decision or because the whole amount was set off.',
      examples: ['due'],
    }),
    Reason: Type.String({
      description:
        'The cause: `cancelled`, `amended`, `moved`, `closed` or `overpaid`; `provider`: the payment provider paid back money that was to be kept, without a decision. For a provider’s payment: its `RefundReason`.',
      examples: ['cancelled'],
    }),
    Refund: { ...totalSchema, description: 'The amount that is due, or that was paid back.' },
    PaidBack: Type.Optional({
      ...totalSchema,
      description:
        'For a provider’s payment that was first paid back in part: this part. `Refund` is the rest, which is due, or was paid back by `Method`.',
    }),
    ByTerms: orNull({
      ...totalSchema,
      description:
        'The amount by the refund terms. Null without terms, and for a part that was split off another refund.',
    }),
    Kept: { ...totalSchema, description: 'The paid amount that the operator keeps.' },
    SetOff: Type.Optional({
      ...totalSchema,
      description:
        'The amount that is not paid back, because it was set off against a later balance of the sale; `Refund` does not include it. Missing in older stored responses.',
    }),
    PaidBy: Type.Array(Type.Enum(paymentMethods), {
      description: 'How the sale was paid.',
      examples: [['card']],
    }),
    Customer: Type.Object({
      FirstName: orNull(Type.String({ examples: ['Ada'] })),
      LastName: orNull(Type.String({ examples: ['Lovelace'] })),
      Email: orNull(Type.String({ examples: ['ada@example.com'] })),
      Phone: orNull(Type.String({ examples: ['+351912345678'] })),
    }),
    DecidedAt: instantSchema,
    DoneAt: orNull(instantSchema),
    Method: orNull(Type.Enum(paymentMethods, { description: 'How it was paid back.', examples: ['cash'] })),
    Reference: orNull(Type.String({ examples: ['T1-000482'] })),
    PaymentReference: Type.Optional(
      orNull(
        Type.String({
          description:
            'The `Reference` in the event of a provider’s payment. Stored responses of earlier versions do not have this field.',
          examples: [null],
        }),
      ),
    ),
  },
  { title: 'Refund' },
)
export type RefundView = Static<typeof refundViewSchema>

export const refundsQuerySchema = Type.Object({
  Status: Type.Optional(
    Type.Enum(['due', 'done'], {
      description: '`due`, the default: the oldest first. `done`: the latest first.',
      examples: ['due'],
    }),
  ),
  ...pageFields,
})
export type RefundsQuery = Static<typeof refundsQuerySchema>

export const refundPathSchema = Type.Object({ RefundID: idInPathSchema })
export const refundBasketPathSchema = Type.Object({ BasketID: idInPathSchema })

export const overpaidSchema = Type.Object(
  { Refund: Type.Optional(refundChoiceSchema) },
  { title: 'OverpaidDecision' },
)
export const paidBackSchema = Type.Object(
  {
    Method: Type.Enum(paymentMethods, {
      description: 'How it was paid back. Cash that a user pays comes out of the open till of that user.',
      examples: ['cash'],
    }),
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description:
          'The amount that you paid back. If it is not the amount that is due now, for example because a part was set off meanwhile, the refund is not marked.',
        examples: ['45.00'],
      }),
    ),
    Reference: Type.Optional(paidReferenceSchema),
  },
  { title: 'PaidBack' },
)
export type PaidBackRequest = Static<typeof paidBackSchema>

/**
 * Parts have their own path, because the previous version would ignore `Part` and mark the whole refund as paid back.
 */
export const paidPartSchema = Type.Object(
  {
    Method: paidBackSchema.properties.Method,
    Amount: Type.String({
      ...totalSchema.properties.Amount,
      description:
        'The amount of the refund that you last saw as due. If another amount is due now, the part is not marked. So a request that is sent twice marks one part.',
      examples: ['45.00'],
    }),
    Part: Type.String({
      ...totalSchema.properties.Amount,
      description: 'The amount that was paid back by this method: at most the due amount.',
      examples: ['20.00'],
    }),
    Reference: Type.Optional(paidReferenceSchema),
  },
  { title: 'PaidBackPart' },
)
export type PaidPartRequest = Static<typeof paidPartSchema>

const undoReasonSchema = Type.String({
  trimmedLength: 500,
  description: 'Why the mark was a mistake; the history of the booking shows it.',
  examples: ['The terminal refused the refund.'],
})
export const undoSchema = Type.Object({ Reason: undoReasonSchema }, { title: 'RefundUndo' })
export const undoUnusedSchema = Type.Object(
  {
    Payment: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The `ID` of the payment that was not paid back.',
      examples: ['evt_0193'],
    }),
    Reason: undoReasonSchema,
  },
  { title: 'UnusedRefundUndo' },
)
