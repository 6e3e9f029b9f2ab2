/** Pure rules of a receiver: whether a delivery is genuine, and a description of it in one line. */
import { timingSafeEqual } from 'node:crypto'
import { signWebhook } from '../endpoints/model.ts'

/** The received headers of a delivery; undefined where one is missing. */
export type WebhookHeaders = Record<string, string | string[] | undefined>

const toleranceSeconds = 5 * 60

/**
 * Returns why a delivery is not genuine by the Standard Webhooks specification; null if it is genuine.
 * @param body the exact received bytes as text.
 */
export function webhookFault(
  secret: string,
  { headers, body }: { headers: WebhookHeaders; body: string },
  nowSeconds = Date.now() / 1000,
): string | null {
  const messageId = headers['webhook-id']
  const signatures = headers['webhook-signature']
  const timestamp = Number(headers['webhook-timestamp'])
  if (typeof messageId !== 'string' || typeof signatures !== 'string' || !Number.isInteger(timestamp))
    return 'it lacks webhook-id, webhook-timestamp or webhook-signature'
  if (Math.abs(nowSeconds - timestamp) > toleranceSeconds)
    return 'its webhook-timestamp is more than five minutes off: is the clock of one machine wrong?'
  const expected = Buffer.from(signWebhook([secret], { messageId, timestamp, body }))
  const isRight = signatures
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
  return isRight ? null : 'its webhook-signature does not match'
}

/** A delivery in one line for people: when it happened, its type, its id, and its subject. */
export function describeWebhook(messageId: string, body: string): string {
  const { type, timestamp, data } = JSON.parse(body) as {
    type: string
    timestamp: string
    data: Record<string, unknown>
  }
  const about = Object.entries(data).flatMap(([name, value]) => {
    if (name === 'Details')
      return Object.keys(value as object).length > 0 ? [`Details=${JSON.stringify(value)}`] : []
    const isPlain = value === null || typeof value !== 'object'
    return isPlain ? [`${name}=${value ?? 'all'}`] : []
  })
  return [timestamp, type.padEnd(24), messageId, ...about].join('  ')
}
