/** The `webhooks` of the OpenAPI document: each type of event with its body. */
import { type EventType, eventTypes } from '../../../events/types.ts'
import { type TSchema, Type } from '../../../platform/schema/typebox.ts'
import { availabilityChanged, testType } from '../endpoints/model.ts'

const id = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))
const text = (description: string) => Type.Optional(Type.String({ description }))
const asRead = (description: string) =>
  Type.Optional(Type.Object({}, { additionalProperties: true, description }))

/** What is not about a type of event is not in its data. */
const subjects = {
  Number: id('The number of the event. Not of a test, nor of a change of availability.'),
  BookingReference: text('The booking that it is about.'),
  ProductID: id('The product that it is about.'),
  ActivityID: text('The same as partners know it.'),
  TimeslotID: id('The timeslot that it is about.'),
  Date: Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'Local date of the timeslot; null in `availability.changed` for all days of the product.',
    }),
  ),
  Time: text('Local start of the timeslot, HH:MM.'),
  BasketID: id('To the account alone.'),
  WaitlistID: id('To the account alone.'),
  EmailID: id('To the account alone.'),
  Actor: Type.Optional(
    Type.Object(
      { Kind: Type.String(), ID: Type.Union([Type.Integer(), Type.Null()]) },
      { description: 'Who caused it; to the account alone.' },
    ),
  ),
  TestMode: Type.Optional(Type.Literal(true, { description: 'In test mode alone.' })),
}

const full = {
  Booking: asRead('In full bodies: the booking as it is now, as its reader gets it.'),
  Product: asRead('In full bodies: the product as it is now.'),
  Timeslots: Type.Optional(
    Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'In full bodies of one day: its timeslots with the places that are free now.',
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
  header('webhook-id', 'The same at every try and every replay: a receiver that has had it does nothing.'),
  header('webhook-timestamp', 'When it was sent, in Unix seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the signature in base64, once for each secret, with spaces between.',
  ),
]

function operationOf(type: string, details: TSchema | null) {
  const [subject = '', what = ''] = type.replaceAll('-', ' ').split('.')
  const operation = {
    tags: ['Webhooks'],
    summary: `${subject}: ${what}`,
    description:
      'Signed by the Standard Webhooks specification. Answer 2xx within seconds; anything else is tried again for three days.',
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema: bodySchema(type, details) } } },
    responses: {
      '2XX': { description: 'It has arrived.' },
      410: { description: 'The endpoint is gone: it is paused, and nothing more is sent.' },
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
