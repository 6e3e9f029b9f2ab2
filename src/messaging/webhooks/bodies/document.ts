/** The `webhooks` of the OpenAPI document: each type of event with its body. */
import { type EventType, eventTypes } from '../../../events/types.ts'
import { type TSchema, Type } from '../../../platform/schema/typebox.ts'
import { availabilityChanged, testType } from '../endpoints/model.ts'

const id = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))
const text = (description: string) => Type.Optional(Type.String({ description }))
const asRead = (description: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description }))

/** Fields that do not apply to a type of event are missing from its data. */
const subjects = {
  Number: id('The number of the event. Missing in a test and in a change of availability.'),
  BookingReference: text('The booking.'),
  ProductID: id('The product.'),
  ActivityID: text('The product’s ActivityID.'),
  TimeslotID: id('The timeslot.'),
  Date: Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'Local date of the timeslot; null in `availability.changed` for all days of the product.',
    }),
  ),
  Time: text('Local start of the timeslot, HH:MM.'),
  BasketID: id('Only for the account.'),
  WaitlistID: id('Only for the account.'),
  EmailID: id('Only for the account.'),
  Actor: Type.Optional(
    Type.Object(
      { Kind: Type.String(), ID: Type.Union([Type.Integer(), Type.Null()]) },
      { description: 'The cause of the event. Only for the account.' },
    ),
  ),
  TestMode: Type.Optional(Type.Literal(true, { description: 'Only in test mode.' })),
}

const full = {
  Booking: asRead('Only in full bodies: the current booking, with the fields that the receiver may read.'),
  Product: asRead('Only in full bodies: the current product.'),
  Timeslots: Type.Optional(
    Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Only in full bodies about one day: its timeslots with their current free places.',
    }),
  ),
}

function bodySchema(type: string, details: TSchema | null) {
  const data = { ...subjects, ...(details && { Details: Type.Optional(details) }), ...full }
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: Type.Object(data, { additionalProperties: true }),
  })
}

const header = (name: string, description: string) => {
  return { name, in: 'header', required: true, schema: { type: 'string' }, description } as const
}
const headers = [
  header(
    'webhook-id',
    'The same at every try and every replay: a receiver that has already processed it does nothing.',
  ),
  header('webhook-timestamp', 'When it was sent, in Unix seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the signature in base64, once for each secret, separated by spaces.',
  ),
]

function operationOf(type: string, details: TSchema | null) {
  const [subject = '', what = ''] = type.replaceAll('-', ' ').split('.')
  const operation = {
    tags: ['Webhooks'],
    summary: `${subject}: ${what}`,
    description:
      'Signed by the Standard Webhooks specification. Respond 2xx within seconds; after any other response, the delivery is tried again for three days.',
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema: bodySchema(type, details) } } },
    responses: {
      '2XX': { description: 'It has arrived.' },
      410: { description: 'The endpoint no longer exists: it is paused, and gets nothing more.' },
    },
  }
  return { post: operation }
}

/** By the type of event. */
export function webhooksDocument(): Record<string, ReturnType<typeof operationOf>> {
  const types = Object.keys(eventTypes) as EventType[]
  const events = types.map((type) => [type, operationOf(type, eventTypes[type])] as const)
  const others = [availabilityChanged, testType].map((type) => [type, operationOf(type, null)] as const)
  return Object.fromEntries([...events, ...others])
}
