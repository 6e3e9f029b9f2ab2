/** Wire shapes of tills. */
import { testModeFields } from '../../accounts/test-mode-view.ts'
import { idInPathSchema, priceSchema } from '../../catalogue/schemas.ts'
import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { moneySchema, movementTypeSchema, moverSchema } from '../booking/money-schemas.ts'
import { instantSchema, orNull, totalSchema } from '../booking/schemas.ts'

const { Amount, Currency } = priceSchema.properties

export const openTillSchema = Type.Object({
  Currency,
  Float: Type.String({ ...Amount, description: 'What is in it to begin with.', examples: ['100.00'] }),
})
export type OpenTillRequest = Static<typeof openTillSchema>

export const closeTillSchema = Type.Object({
  Counted: Type.String({ ...Amount, description: 'What was counted.', examples: ['236.50'] }),
  Note: Type.Optional(Type.String({ maxLength: 1000, description: 'Why it differs, if it does.' })),
})
export type CloseTillRequest = Static<typeof closeTillSchema>

const whoSchema = (description: string) =>
  Type.Object(
    {
      UserID: Type.Integer({ minimum: 1, examples: [3] }),
      Email: orNull(Type.String({ examples: ['ana@example.com'] })),
    },
    { description },
  )

export const tillSchema = Type.Object(
  {
    TillID: Type.Integer({ minimum: 1, examples: [12] }),
    User: whoSchema('Who opened it: cash that this user takes goes into it.'),
    Status: Type.Enum(['open', 'closed'], { examples: ['closed'] }),
    OpenedAt: instantSchema,
    ClosedAt: orNull(instantSchema),
    ClosedBy: orNull(whoSchema('Who counted it.')),
    Float: { ...totalSchema, description: 'What it was opened with.' },
    Taken: { ...totalSchema, description: 'Cash that was taken since.' },
    PaidBack: { ...totalSchema, description: 'Cash that was paid back out of it.' },
    Expected: moneySchema('What should be in it, or should have been when it was closed.', '238.50'),
    Counted: orNull({ ...totalSchema, description: 'What was counted.' }),
    Difference: orNull(
      moneySchema(
        'By how much the count was above what should have been there; below 0: too little.',
        '-2.00',
      ),
    ),
    Note: orNull(Type.String({ description: 'Why it differs.', examples: ['Gave too much change.'] })),
    ...testModeFields,
  },
  { title: 'Till' },
)
export type TillView = Static<typeof tillSchema>

export const cashMovementSchema = Type.Object(
  {
    PaymentID: Type.Integer({ minimum: 1, examples: [4711] }),
    Type: movementTypeSchema,
    Undo: Type.Optional(
      Type.Literal(true, {
        description: 'Of the cash of a refund that was marked by mistake, and stayed or went back in.',
      }),
    ),
    Amount: Type.String({ ...totalSchema.properties.Amount, examples: ['45.00'] }),
    Currency,
    MadeAt: instantSchema,
    BasketID: Type.Integer({ minimum: 1, examples: [881] }),
    BookingReference: orNull(
      Type.String({ description: 'The first booking of the sale.', examples: ['7KQ4MXW2PD'] }),
    ),
    Bookings: Type.Integer({ minimum: 0, description: 'How many bookings the sale has.', examples: [1] }),
    Actor: moverSchema,
  },
  { title: 'CashMovement' },
)
export type CashMovementView = Static<typeof cashMovementSchema>

export const tillPathSchema = Type.Object({ TillID: idInPathSchema })
export const cashPageSchema = Type.Object(pageFields)
export type CashPageQuery = Static<typeof cashPageSchema>

export const tillsQuerySchema = Type.Object({
  Status: Type.Optional(
    Type.Enum(['open', 'closed'], { description: 'Only open ones, or closed ones.', examples: ['closed'] }),
  ),
  ...pageFields,
})
export type TillsQuery = Static<typeof tillsQuerySchema>
