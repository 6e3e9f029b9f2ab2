/** Pure rules of webhook endpoints: the types of events for each audience, and the form of a secret. */
import { createHmac, randomBytes } from 'node:crypto'
import { eventTypes } from '../../../events/types.ts'

/**
 * Whose endpoints are meant: all of an account, or only those of one partner if its id is given (0 for keys
 * without a partner). A new endpoint without `partnerId` belongs to the account itself.
 */
export type EndpointOwner = { accountId: number; partnerId: number | null }

/** The kinds of bodies to choose from; `octo` is set through OCTO. */
export const chosenBodies = ['thin', 'full'] as const
export const bodyKinds = [...chosenBodies, 'octo'] as const
export type BodyKind = (typeof bodyKinds)[number]
export const pauseReasons = ['by-hand', 'gone', 'failing'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** Sent for a change of availability: of one product on one day, or on all its days. */
export const availabilityChanged = 'availability.changed'
/** The type of a delivery that sendTest() makes. It is not in the log. */
export const testType = 'webhook.test'

const everything = '*'
const familyOf = (type: string) => `${type.split('.', 1)[0]}.*`
const allTypes = [...Object.keys(eventTypes), availabilityChanged]
const partnerTypes = allTypes.filter(
  (type) => /^(booking|product|availability)\./.test(type) && type !== 'booking.customer-erased',
)

/** The values for EventTypes of an endpoint: types, families such as `booking.*`, and `*` for all. */
export function typesFor(partnerId: number | null): string[] {
  const types = partnerId === null ? allTypes : partnerTypes
  return [everything, ...new Set(types.map(familyOf)), ...types]
}

/** A secret in the format of the Standard Webhooks specification. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * The `webhook-signature` header of the Standard Webhooks specification, with one signature for each secret.
 * @param timestamp Unix seconds.
 */
export function signWebhook(
  secrets: readonly string[],
  { messageId, timestamp, body }: { messageId: string; timestamp: number; body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const hmac = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`)
      return `v1,${hmac.digest('base64')}`
    })
    .join(' ')
}
