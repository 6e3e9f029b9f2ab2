/** Wire shapes of the requests about bookings. Unknown fields are ignored, and null means that a field is not given. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { maxPeople } from '../../sales/booking/pricing.ts'

const maxText = 10_000

const textSchema = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

// Not checked by the schema but by the service, because OCTO's errors contain the id that is wrong.
const idSchema = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))

const contactSchema = Type.Object(
  {
    fullName: textSchema(
      511,
      'First and last name. Split at its last space if `firstName` or `lastName` is missing.',
      'Ada Lovelace',
    ),
    firstName: textSchema(255, 'First name of the customer.', 'Ada'),
    lastName: textSchema(255, 'Last name of the customer.', 'Lovelace'),
    emailAddress: Type.Optional(
      Type.Union([Type.String({ format: 'email', maxLength: 254 }), Type.Literal('')], {
        description: 'The address for confirmations, if the operator sends any.',
        examples: ['ada@example.com'],
      }),
    ),
    phoneNumber: textSchema(
      64,
      'Phone number of the customer. It is stored without separators.',
      '+351 912 345 678',
    ),
    locales: Type.Optional(
      Type.Array(Type.String({ maxLength: 35 }), {
        maxItems: 20,
        description: 'Languages of the customer, the preferred one first.',
        examples: [['en-GB', 'en']],
      }),
    ),
    postalCode: textSchema(64, 'Postal code of the customer.', '1100-053'),
    country: textSchema(64, 'Country of the customer.', 'PT'),
    notes: textSchema(maxText, 'Notes about the customer.', 'Vegetarian'),
  },
  {
    title: 'OctoGivenContact',
    description:
      'The customer. Fields that are left out stay as they are, but are removed if the contact names another person.',
  },
)

const answersSchema = Type.Optional(
  Type.Array(
    Type.Object(
      {
        questionId: Type.String({ maxLength: 255, examples: ['31'] }),
        value: textSchema(maxText, 'The answer. Empty or missing: the stored answer is removed.', 'Yes'),
      },
      { title: 'OctoGivenAnswer' },
    ),
    {
      maxItems: 1000,
      description: 'Answers to questions of the option or the unit. Only with `octo/questions`.',
    },
  ),
)

const unitItemSchema = Type.Object(
  {
    uuid: idSchema(
      'Your UUID of the item. Use it to refer to the item in later requests.',
      '0b0ae1b3-2a5f-4b3b-9d2c-6f1c6c0e8a51',
    ),
    unitId: idSchema('Id of a unit of the option.', '72'),
    resellerReference: textSchema(255, 'Your reference of the item.', 'TICKET-1'),
    contact: Type.Optional(contactSchema),
    questionAnswers: answersSchema,
  },
  { title: 'OctoGivenUnitItem' },
)
export type GivenItem = Static<typeof unitItemSchema>

const unitItemsSchema = (description: string) =>
  Type.Optional(Type.Array(unitItemSchema, { maxItems: maxPeople, description }))

const expirationSchema = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 525_600,
    description:
      'For how many minutes from now the places are held, up to the limit of the account. Without it, a new or extended hold gets the account’s default, and an update does not extend the hold.',
    examples: [30],
  }),
)
const resellerReferenceSchema = textSchema(255, 'Your reference of the booking.', 'OTA-2027-000123')
const notesSchema = textSchema(maxText, 'Notes for the operator and the customer.', 'A birthday')
const emailReceiptSchema = Type.Optional(
  Type.Boolean({
    description:
      'Whether the operator’s workflows may send e-mails to the customer. If not, you inform the customer.',
    examples: [false],
  }),
)

const commonFields = {
  resellerReference: resellerReferenceSchema,
  notes: notesSchema,
  contact: Type.Optional(contactSchema),
  questionAnswers: answersSchema,
}

export const reserveSchema = Type.Object(
  {
    uuid: idSchema(
      'Makes a retry safe: the same request with the same UUID returns the same booking. Without it, the service generates one.',
      '559aed3d-6d5b-4fe0-bfca-99f5e7218a56',
    ),
    productId: idSchema('Id of a product.', 's_7f6d2b0e-58a4-4a49-b9b8-3a3cf0a3e0a5'),
    optionId: idSchema('Id of an option of the product.', 'DEFAULT'),
    availabilityId: idSchema('Id of a timeslot of the product.', '2027-06-12T10:00:00+01:00'),
    currency: textSchema(
      255,
      'Must be the currency of the product. Checked only with `octo/pricing`.',
      'EUR',
    ),
    expirationMinutes: expirationSchema,
    unitItems: unitItemsSchema('The items to reserve, at least one.'),
    emailReceipt: emailReceiptSchema,
    ...commonFields,
  },
  { title: 'OctoReservation' },
)
export type ReserveBody = Static<typeof reserveSchema>

export const confirmSchema = Type.Object(
  {
    unitItems: unitItemsSchema(
      'All items that the booking is to have. Without it, the items stay as they are.',
    ),
    emailReceipt: emailReceiptSchema,
    ...commonFields,
  },
  { title: 'OctoConfirmation' },
)
export type ConfirmBody = Static<typeof confirmSchema>

export const updateSchema = Type.Object(
  {
    productId: idSchema('Id of the new product.', 's_7f6d2b0e-58a4-4a49-b9b8-3a3cf0a3e0a5'),
    optionId: idSchema('Id of an option of the product.', 'DEFAULT'),
    availabilityId: idSchema(
      'Id of the timeslot to which the booking is moved.',
      '2027-06-12T14:00:00+01:00',
    ),
    expirationMinutes: expirationSchema,
    unitItems: unitItemsSchema(
      'All items that the booking is to have. An item that is left out is cancelled.',
    ),
    emailReceipt: emailReceiptSchema,
    ...commonFields,
  },
  { title: 'OctoUpdate' },
)
export type UpdateBody = Static<typeof updateSchema>

export const extendSchema = Type.Object({ expirationMinutes: expirationSchema }, { title: 'OctoExtension' })

export const cancelSchema = Type.Object(
  {
    reason: textSchema(1000, 'The reason, which the operator sees.', 'The customer is ill.'),
    force: Type.Optional(Type.Boolean({ description: 'Ignored: only the operator can override a cut-off.' })),
  },
  { title: 'OctoCancellation' },
)
export type CancelBody = Static<typeof cancelSchema>

const filterSchema = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 255, description, examples: [example] }))
const dateSchema = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2027-06-12'] }))

export const listQuerySchema = Type.Object({
  resellerReference: filterSchema('Your reference of the booking.', 'OTA-2027-000123'),
  supplierReference: filterSchema('Our reference of the booking.', '7KQ4MXW2PD'),
  localDate: dateSchema('The day of the timeslots, local to the product.'),
  localDateStart: dateSchema('The first of several days; `localDateEnd` is the last.'),
  localDateEnd: dateSchema('The last of several days.'),
  productId: filterSchema('Only bookings of this product.', 's_7f6d2b0e-58a4-4a49-b9b8-3a3cf0a3e0a5'),
  optionId: filterSchema('Only bookings of this option.', 'DEFAULT'),
})
export type ListQuery = Static<typeof listQuerySchema>

export const uuidPathSchema = Type.Object({
  uuid: Type.String({
    description: 'The uuid of the booking: yours, or the one that was made for it.',
    examples: ['559aed3d-6d5b-4fe0-bfca-99f5e7218a56'],
  }),
})
