/** Wire shapes of the money of a sale. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { moneySchema, movementTypeSchema, moverSchema } from '../booking/money-schemas.ts'
import { orNull } from '../booking/schemas.ts'
import { paymentMethods } from './queries.ts'

/** The reference of a payment or a refund. */
export const paidReferenceSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'What it is known by, such as the terminal’s receipt.',
  examples: ['T1-000482'],
})

const entrySchema = Type.Object(
  {
    ID: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Null for what a sale was paid before payments were kept one by one.',
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
          'Of a `payment` that only undoes a refund which was marked as paid back by mistake: the `ID` of that refund. `Paid` and `PaidBack` count neither.',
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
        Charged: moneySchema('What the bookings of the sale cost that are held or confirmed.'),
        Kept: moneySchema('What is kept of bookings that were cancelled or made smaller.', '0.00'),
        Paid: moneySchema('What was paid.', '20.00'),
        PaidBack: moneySchema('What was paid back.', '0.00'),
        RefundDue: moneySchema('What is still to be paid back.', '0.00'),
        Balance: moneySchema(
          'What is still to be paid. Below 0: so much was paid too much, and nothing is decided about it.',
          '70.00',
        ),
        Entries: Type.Array(entrySchema, { description: 'Money that moved, in order.' }),
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
