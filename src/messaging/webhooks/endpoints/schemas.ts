/** Schemas of webhook endpoints and their secrets. */
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { bodyKinds, chosenBodies, pauseReasons } from './model.ts'

const idInPath = (what: string, example: string) =>
  Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    errorMessage: 'must be a positive whole number',
    description: `Identifier of the ${what}.`,
    examples: [example],
  })
const endpointId = idInPath('endpoint', '7')

export const endpointPathSchema = Type.Object({ EndpointID: endpointId })
export const secretPathSchema = Type.Object({ EndpointID: endpointId, SecretID: idInPath('secret', '12') })
export const deliveryPathSchema = Type.Object({
  EndpointID: endpointId,
  DeliveryID: idInPath('delivery', '88121'),
})

const given = {
  URL: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Address to which events are sent by POST: an https address of the public internet.',
    examples: ['https://partner.example/hooks/activities'],
  }),
  EventTypes: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Types of events, families such as `booking.*`, or `*` for all.',
    examples: [['booking.*', 'availability.changed']],
  }),
}

const optionalFields = {
  Description: Type.String({
    pattern: '^\\P{Cc}{0,255}$',
    errorMessage: 'must be one line of at most 255 characters',
    description: 'Description of the endpoint’s purpose, in one line.',
    examples: ['Prices and places of our web shop'],
  }),
  Body: Type.Enum(chosenBodies, {
    description:
      '`thin`: the event, and the ids of its subject. `full`: also the booking, product or timeslots as they are at the time of sending.',
    examples: ['full'],
  }),
  Email: Type.String({
    format: 'email',
    maxLength: 254,
    description:
      'Recipient of an e-mail when the service pauses the endpoint, instead of the owners of the account.',
    examples: ['tech@partner.example'],
  }),
}

const partnerIdField = {
  PartnerID: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The partner that the endpoint belongs to. It gets only events and fields that this partner may see. If left out, it gets all events of the account.',
    examples: [3],
  }),
}

export const ownEndpointInputSchema = Type.Object(
  { ...given, ...Type.Partial(Type.Object(optionalFields)).properties },
  { title: 'OwnWebhookEndpointInput' },
)
export const endpointInputSchema = Type.Object(
  {
    ...given,
    ...Type.Partial(Type.Object({ ...optionalFields, ...partnerIdField })).properties,
  },
  { title: 'WebhookEndpointInput' },
)
export type EndpointInput = Static<typeof endpointInputSchema>

export const endpointChangeSchema = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...given, ...optionalFields })).properties,
    Unset: Type.Optional(
      Type.Array(Type.Enum(['Email']), {
        maxItems: 1,
        description: 'The field to remove: `Email`.',
        examples: [['Email']],
      }),
    ),
  },
  { title: 'WebhookEndpointChange', minProperties: 1 },
)
export type EndpointChange = Static<typeof endpointChangeSchema>

const instant = { format: 'date-time', examples: ['2027-06-11T10:00:00.000Z'] }
const instantOrNull = (description: string) =>
  Type.Union([Type.String(instant), Type.Null()], { description })

export const secretSchema = Type.Object(
  { SecretID: Type.Integer({ examples: [12] }), CreatedAt: Type.String(instant) },
  { title: 'WebhookSecret' },
)

const shown = {
  EndpointID: Type.Integer({ examples: [7] }),
  ...given,
  ...optionalFields,
  Email: Type.Union([Type.String(), Type.Null()], {
    description:
      'Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.',
    examples: ['tech@partner.example'],
  }),
  Body: Type.Enum(bodyKinds, {
    description: 'As requested; `octo` for an endpoint that was made through OCTO.',
    examples: ['full'],
  }),
  Status: Type.Enum(['active', 'paused'], { examples: ['active'] }),
  PauseReason: Type.Union([Type.Enum(pauseReasons), Type.Null()], {
    description:
      '`by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.',
    examples: [null],
  }),
  PausedAt: instantOrNull('Since when it is paused.'),
  Position: Type.Integer({
    description: 'The number of the last event that was processed for the endpoint. Later events wait.',
    examples: [5120],
  }),
  LogEnd: Type.Integer({ description: 'The number of the last event in the log.', examples: [5123] }),
  Unfinished: Type.Integer({
    description:
      'Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.',
    examples: [2],
  }),
  SetAside: Type.Integer({
    description:
      'Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.',
    examples: [0],
  }),
  FailingSince: instantOrNull('Since when all tries have failed; null after a success.'),
  LastDeliveredAt: instantOrNull('When the last delivery succeeded.'),
  Secrets: Type.Array(secretSchema, {
    description: 'By SecretID, without the secrets themselves.',
  }),
  CreatedAt: Type.String(instant),
  UpdatedAt: Type.String(instant),
}

/** For the partner that owns the endpoint. */
export const ownEndpointSchema = Type.Object(shown, { title: 'OwnWebhookEndpoint' })

const partnerField = {
  Partner: Type.Union(
    [
      Type.Object({
        ID: Type.Integer({ description: '0 for keys without a partner.', examples: [3] }),
        Name: Type.Union([Type.String(), Type.Null()], { examples: ['Tours Online'] }),
      }),
      Type.Null(),
    ],
    { description: 'Owner of the endpoint; null for the account itself.' },
  ),
}
export const endpointSchema = Type.Object({ ...shown, ...partnerField }, { title: 'WebhookEndpoint' })
export type EndpointView = Static<typeof endpointSchema>

const secretField = {
  Secret: Type.Union([Type.String(), Type.Null()], {
    description:
      'Signs deliveries by the Standard Webhooks specification. Shown only in this response; null in a replayed response if the secret was deleted meanwhile.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  }),
}
export const madeEndpointSchema = Type.Object(
  { ...endpointSchema.properties, ...secretField },
  { title: 'MadeWebhookEndpoint' },
)
export const ownMadeEndpointSchema = Type.Object(
  { ...shown, ...secretField },
  { title: 'OwnMadeWebhookEndpoint' },
)
export const madeSecretSchema = Type.Object(
  { ...secretSchema.properties, ...secretField },
  { title: 'MadeWebhookSecret' },
)
