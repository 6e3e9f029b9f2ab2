/**
 * Wire shapes of subscriptions. As in all of OCTO, unknown fields are ignored, and null means that a field is not
 * given.
 */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { notificationTypes } from './model.ts'

export const subscriptionSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      examples: ['5b3f1c1e-7a9d-4e55-9a4b-0d6f5a7c2e10'],
    }),
    url: Type.String({ examples: ['https://example.com/octo/notifications'] }),
    notificationTypes: Type.Array(Type.Enum([...notificationTypes]), {
      description: 'The types of notifications.',
      examples: [['BOOKING_UPDATE', 'PRODUCT_UPDATE']],
    }),
  },
  { title: 'OctoSubscription' },
)
export type OctoSubscription = Static<typeof subscriptionSchema>

const given = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The public https address to which notifications are sent by POST.',
    examples: ['https://example.com/octo/notifications'],
  }),
  notificationTypes: Type.Array(Type.String({ maxLength: 255, examples: ['BOOKING_UPDATE'] }), {
    minItems: 1,
    maxItems: 20,
    description: `The types of notifications: ${notificationTypes.join(', ')}, in capitals or not.`,
  }),
  headers: Type.Record(Type.String(), Type.String(), {
    description:
      'HTTP headers to send with each notification, for example for authentication: at most 20. They are stored encrypted, and no response contains them. Headers that control the connection, `Content-…`, `User-Agent` and `Webhook-…` are not allowed.',
    examples: [{ 'Api-Key': 'a secret of yours' }],
  }),
}

export const subscribeSchema = Type.Object(
  { ...given, headers: Type.Optional(given.headers) },
  { title: 'OctoGivenSubscription' },
)
export type SubscribeBody = Static<typeof subscribeSchema>

export const resubscribeSchema = Type.Partial(Type.Object(given), {
  title: 'OctoSubscriptionChange',
  description: 'Fields that are left out stay as they are. `headers` replaces all earlier headers.',
})
export type ResubscribeBody = Static<typeof resubscribeSchema>

export const subscriptionPathSchema = Type.Object({
  subscriptionId: Type.String({
    description: 'The UUID of the subscription.',
    examples: ['5b3f1c1e-7a9d-4e55-9a4b-0d6f5a7c2e10'],
  }),
})
