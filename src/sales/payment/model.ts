/**
 * Pure rules of a payment provider's signature: `t=<Unix seconds>,v1=<hex>`. `v1` is the HMAC-SHA256 of the
 * seconds, a dot and the body.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const toleranceSeconds = 300

/** Makes a secret with 256 random bits, in the form that a provider gets. */
export function makeSecret(): string {
  return `pay_${randomBytes(32).toString('base64url')}`
}

/** The signature header for a body that is sent at this time, in Unix seconds. */
export function sign(secret: string, seconds: number, body: Buffer): string {
  return `t=${seconds},v1=${digest(secret, String(seconds), body).toString('hex')}`
}

function digest(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
}

export type Signature = { timestamp: string; digests: Buffer[] }

/**
 * Parses a header; null unless it has exactly one `t`. Several `v1` are allowed, and parts with other names are
 * ignored.
 */
export function parseSignature(header: string): Signature | null {
  const parts = header.split(',').map((part) => part.trim())
  const [timestamp, ...others] = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? [])
  const digests = parts.flatMap((part) => {
    const hex = /^v1=([0-9a-f]{64})$/i.exec(part)?.[1]
    return hex ? [Buffer.from(hex, 'hex')] : []
  })
  return timestamp !== undefined && others.length === 0 ? { timestamp, digests } : null
}

/** Whether one of the secrets signed this body, and its timestamp is at most five minutes away from `seconds`. */
export function isSignedBy(
  secrets: readonly string[],
  { timestamp, digests }: Signature,
  body: Buffer,
  seconds: number,
): boolean {
  if (Math.abs(seconds - Number(timestamp)) > toleranceSeconds) return false
  const expected = secrets.map((secret) => digest(secret, timestamp, body))
  return expected.some((right) => digests.some((given) => timingSafeEqual(right, given)))
}
