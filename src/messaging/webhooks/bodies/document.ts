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
  BasketID: id('Only in webhooks to the account, not to partners.'),
  WaitlistID: id('Only in webhooks to the account, not to partners.'),
  EmailID: id('Only in webhooks to the account, not to partners.'),
  Actor: Type.Optional(
    Type.Object(
      { Kind: Type.String(), ID: Type.Union([Type.Integer(), Type.Null()]) },
      { description: 'The cause of the event. Only in webhooks to the account, not to partners.' },
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
    'The same in every try and every replay, so that a receiver can ignore a delivery that it has already processed. A replay sends changes of availability with new ids.',
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
      'Signed by the Standard Webhooks specification. Begin to respond within 10 seconds, and end within 15 seconds, with any 2xx. If there is no response, or if its status is neither 2xx nor 410, the delivery is tried again for three days.',
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema: bodySchema(type, details) } } },
    responses: {
      '2XX': { description: 'The receiver has accepted the delivery.' },
      410: {
        description: 'The receiver wants no more deliveries: the endpoint is paused until it is resumed.',
      },
    },
  }
  return { post: operation }
}

/** The operations by type of event. */
export function webhooksDocument(): Record<string, ReturnType<typeof operationOf>> {
  const types = Object.keys(eventTypes) as EventType[]
  const events = types.map((type) => [type, operationOf(type, eventTypes[type])] as const)
  const others = [availabilityChanged, testType].map((type) => [type, operationOf(type, null)] as const)
  return Object.fromEntries([...events, ...others])
}
