/** Wire shapes of the money of a sale. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { moneySchema, movementTypeSchema, moverSchema } from '../booking/money-schemas.ts'
import { orNull } from '../booking/schemas.ts'
import { paymentMethods } from './queries.ts'

/** The reference of a payment or a refund. */
export const paidReferenceSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The reference of the payment or refund, for example the number of the terminal’s receipt.',
  examples: ['T1-000482'],
})

const entrySchema = Type.Object(
  {
    ID: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Null for the payment of an old sale, from before payments were stored separately.',
      examples: [318],
    }),
    Type: movementTypeSchema,
    Method: Type.Enum(paymentMethods, { examples: ['cash'] }),
    ...moneySchema('').properties,
    Reference: orNull(paidReferenceSchema),
    MadeAt: Type.String({ format: 'date-time', examples: ['2027-05-30T08:15:30.123Z'] }),
    Actor: moverSchema,
    UndoesID: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The `ID` of the entry that this `payment` undoes: a refund that was marked as paid back by mistake. `Paid` and `PaidBack` count neither of the two entries.',
        examples: [317],
      }),
    ),
  },
  { title: 'LedgerEntry' },
)

/** Null for a partner's sale, which is paid to the partner. */
export const ledgerSchema = Type.Union(
  [
    Type.Object(
      {
        Charged: moneySchema('The total of the held and confirmed bookings of the sale.'),
        Kept: moneySchema(
          'The amount that the operator keeps of cancelled bookings, of bookings that became cheaper, and of overpaid money.',
          '0.00',
        ),
        Paid: moneySchema('The sum of the payments.', '20.00'),
        PaidBack: moneySchema('The sum of the refunds that were paid back.', '0.00'),
        RefundDue: moneySchema('The sum of the due refunds.', '0.00'),
        Balance: moneySchema(
          'The amount that is still to be paid. Below 0: the sale is overpaid by this amount, and the operator has not decided about it.',
          '70.00',
        ),
        Entries: Type.Array(entrySchema, {
          description: 'The payments and refunds, in the order in which they were stored.',
        }),
      },
      { title: 'Ledger' },
    ),
    Type.Null(),
  ],
  { description: 'The money of the whole sale. Null for a partner’s booking, which is paid to the partner.' },
)
export type LedgerView = Static<typeof ledgerSchema>

export const takenMethods = ['cash', 'card', 'transfer'] as const

export const paymentRequestSchema = Type.Object(
  {
    Method: Type.Enum(takenMethods, { examples: ['cash'] }),
    Amount: Type.String({
      pattern: '^\\d{1,18}(\\.\\d{1,4})?$',
      description: 'Above 0, and at most what is still to be paid; in the currency of the sale.',
      examples: ['70.00'],
    }),
    Reference: Type.Optional(paidReferenceSchema),
  },
  { title: 'PaymentRequest' },
)
export type PaymentRequest = Static<typeof paymentRequestSchema>
