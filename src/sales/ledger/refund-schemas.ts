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
        '`terms`: what the refund terms say, or all where there are none. `full`: all that was paid of it. `none`: nothing.',
      ),
    ),
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description: 'So much, in the currency of the sale.',
        examples: ['12.00'],
      }),
    ),
  },
  {
    title: 'RefundChoice',
    description:
      'How much is paid back of the money for what is no longer bought: either `Choice` or `Amount`. The rest is kept. If left out: what the refund terms say, or all without terms. Not for a partner’s booking, whose customer paid the partner.',
  },
)
export type RefundChoiceRequest = Static<typeof refundChoiceSchema>

export const closureRefundSchema = Type.Object(
  {
    Choice: Type.Optional(
      choiceSchema(
        'Of each booking that is cancelled: `full`, which is the default; `terms`: what its refund terms say, or all where there are none; `none`: nothing.',
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
      'What is paid back of the operator’s own sales: either `Choice` or `Percent`. Of partners’ bookings it is always all.',
  },
)

export const refundSourceSchema = Type.Enum(['decision', 'payment'], {
  description:
    '`decision`: of a sale, as it was decided. `payment`: a provider’s payment that bought nothing.',
  examples: ['decision'],
})

export const refundViewSchema = Type.Object(
  {
    Source: refundSourceSchema,
    RefundID: orNull(
      Type.Integer({ minimum: 1, description: 'Null of a provider’s payment.', examples: [31] }),
    ),
    PaymentID: orNull(
      Type.String({ description: 'The provider’s `ID` of a payment that bought nothing.', examples: [null] }),
    ),
    BasketID: Type.Integer({ minimum: 1, examples: [7001] }),
    BookingReference: orNull({
      ...referenceSchema,
      description: 'The booking it is about; null for what was paid too much.',
    }),
    Status: Type.Enum(['due', 'done', 'none'], {
      description: '`none`: it was decided that nothing is paid back.',
      examples: ['due'],
    }),
    Reason: Type.String({
      description:
        'The cause: `cancelled`, `amended`, `moved`, `closed` or `overpaid`; `provider`: the payment provider paid back money that was to be kept, without a decision. For a provider’s payment: its `RefundReason`.',
      examples: ['cancelled'],
    }),
    Refund: { ...totalSchema, description: 'What is to be paid back, or was.' },
    PaidBack: Type.Optional({
      ...totalSchema,
      description:
        'For a provider’s payment that was paid back in part: the part that was paid back. `Refund` is the rest, which is due.',
    }),
    ByTerms: orNull({ ...totalSchema, description: 'What the refund terms said; null without terms.' }),
    Kept: { ...totalSchema, description: 'What was paid and is not paid back.' },
    SetOff: Type.Optional({
      ...totalSchema,
      description:
        'The amount that is not paid back because the sale later owed it; `Refund` does not include it. Missing in older stored responses.',
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
            'Of a provider’s payment: the `Reference` of its event. Answers of earlier versions have none.',
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
      description:
        '`due`, which is the default: the one that has waited longest first. `done`: the latest first.',
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
      description: 'How it was paid back. Cash of a user comes out of the till that the user has open.',
      examples: ['cash'],
    }),
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description:
          'What was paid back, where it is known: if another amount is due by now, as after a part was set off, nothing is written down.',
        examples: ['45.00'],
      }),
    ),
    Reference: Type.Optional(paidReferenceSchema),
  },
  { title: 'PaidBack' },
)
export type PaidBackRequest = Static<typeof paidBackSchema>

/** At an address of its own: the version before would take it for all of the refund. */
export const paidPartSchema = Type.Object(
  {
    Method: paidBackSchema.properties.Method,
    Amount: Type.String({
      ...totalSchema.properties.Amount,
      description:
        'What is due of the refund, as the caller saw it: if it is another amount by now, nothing is written down. So a request that is sent twice pays back one part.',
      examples: ['45.00'],
    }),
    Part: Type.String({
      ...totalSchema.properties.Amount,
      description: 'What was paid back by this method: at most what is due.',
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
