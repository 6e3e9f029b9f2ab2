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
  Float: Type.String({
    ...Amount,
    description: 'The cash in the till when it is opened.',
    examples: ['100.00'],
  }),
})
export type OpenTillRequest = Static<typeof openTillSchema>

export const closeTillSchema = Type.Object({
  Counted: Type.String({ ...Amount, description: 'The counted cash.', examples: ['236.50'] }),
  Note: Type.Optional(
    Type.String({ maxLength: 1000, description: 'The reason for a difference, if there is one.' }),
  ),
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
    User: whoSchema('The user who opened the till. Cash that this user takes goes into it.'),
    Status: Type.Enum(['open', 'closed'], { examples: ['closed'] }),
    OpenedAt: instantSchema,
    ClosedAt: orNull(instantSchema),
    ClosedBy: orNull(
      whoSchema('The user who closed the till; null if it is open, or if a command closed it.'),
    ),
    Float: { ...totalSchema, description: 'The cash at opening.' },
    Taken: { ...totalSchema, description: 'Cash taken since the opening.' },
    PaidBack: { ...totalSchema, description: 'Cash paid back from the till.' },
    Expected: moneySchema(
      'The cash that should be in the till; of a closed till, at the time of closing.',
      '238.50',
    ),
    Counted: orNull({ ...totalSchema, description: 'The counted cash.' }),
    Difference: orNull(
      moneySchema('The counted cash less the expected cash; negative when cash is missing.', '-2.00'),
    ),
    Note: orNull(
      Type.String({ description: 'The reason for the difference.', examples: ['Gave too much change.'] }),
    ),
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
        description:
          'The movement undoes a refund that was marked as paid back by mistake: the cash is in the till.',
      }),
    ),
    Amount: Type.String({ ...totalSchema.properties.Amount, examples: ['45.00'] }),
    Currency,
    MadeAt: instantSchema,
    BasketID: Type.Integer({ minimum: 1, examples: [881] }),
    BookingReference: orNull(
      Type.String({
        description:
          'The booking of a refund, or of the refund that is undone; otherwise the first booking of the sale.',
        examples: ['7KQ4MXW2PD'],
      }),
    ),
    Bookings: Type.Integer({
      minimum: 0,
      description: 'The number of bookings of the sale; 1 for the refund of one booking, and for its undo.',
      examples: [1],
    }),
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
    Type.Enum(['open', 'closed'], {
      description: 'Only open tills, or only closed tills.',
      examples: ['closed'],
    }),
  ),
  ...pageFields,
})
export type TillsQuery = Static<typeof tillsQuerySchema>
