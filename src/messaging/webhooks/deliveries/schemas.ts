/** Schemas of deliveries and replays. */
import { pageFields } from '../../../http/wire.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { deliveryStatuses } from './queries.ts'

const instant = { format: 'date-time', examples: ['2027-06-11T10:00:00.000Z'] }
const orNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const deliveriesQuerySchema = Type.Object({
  Status: Type.Optional(
    Type.Enum(deliveryStatuses, { description: 'Only deliveries with this status.', examples: ['failed'] }),
  ),
  ...pageFields,
})

export const deliverySchema = Type.Object(
  {
    DeliveryID: Type.Integer({ examples: [88121] }),
    MessageID: Type.String({
      description: 'Its `webhook-id`, the same in every try and every replay of an event.',
      examples: ['evt_60403072591354_5120'],
    }),
    Type: Type.String({ description: 'The type of event.', examples: ['booking.confirmed'] }),
    EventNumber: orNull(
      Type.Integer({ description: 'Null for a test and for a change of availability.', examples: [5120] }),
    ),
    Status: Type.Enum(deliveryStatuses, {
      description:
        '`pending` is tried for three days; `failed` was set aside, because it failed for three days or its event has expired, and is no longer tried.',
      examples: ['delivered'],
    }),
    Tries: Type.Integer({ description: 'How many times it was tried.', examples: [1] }),
    FirstTriedAt: orNull(Type.String(instant)),
    NextTryAt: orNull(Type.String({ ...instant, description: 'Null when it is finished.' })),
    CreatedAt: Type.String(instant),
    FinishedAt: orNull(Type.String({ ...instant, description: 'When it was delivered or set aside.' })),
    HTTPStatus: orNull(
      Type.Integer({ description: 'Status of the last try; null without a response.', examples: [204] }),
    ),
    DurationMs: orNull(Type.Integer({ description: 'How long the last try took.', examples: [84] })),
    Answer: orNull(
      Type.String({
        description: 'The first kilobyte of the response to the last try; null without a response.',
        examples: ['accepted'],
      }),
    ),
    Fault: orNull(
      Type.String({
        description: 'Why there was no response, or why nothing was sent.',
        examples: ['The connection was refused.'],
      }),
    ),
  },
  { title: 'WebhookDelivery' },
)
export type DeliveryView = Static<typeof deliverySchema>

export const replayRequestSchema = Type.Object(
  {
    FromNumber: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The first event that is sent again.',
        examples: [5000],
      }),
    ),
    FromTime: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Instant from which events are sent again.',
        examples: ['2027-06-11T10:00:00Z'],
      }),
    ),
  },
  { title: 'WebhookReplay', description: 'Either `FromNumber` or `FromTime`.' },
)
export type ReplayRequest = Static<typeof replayRequestSchema>

export const replayedSchema = Type.Object(
  {
    Events: Type.Integer({
      description:
        'The number of events between the new and the old position of the endpoint. It gets those of its `EventTypes`.',
      examples: [120],
    }),
    Position: Type.Integer({ description: 'The new position of the endpoint.', examples: [4999] }),
  },
  { title: 'WebhookReplayed' },
)
