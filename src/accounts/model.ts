/**
 * Pure rules of accounts and API keys: how a slug is written, which scopes there are, and how a key is made
 * and taken apart. It stores nothing and decides nothing about who may do what.
 */
import { createHash, randomBytes } from 'node:crypto'

export const scopes = ['ota', 'usage:read', 'usage:write', 'operator'] as const
export type Scope = (typeof scopes)[number]

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

/** Whether text can be an account's slug: lower-case letters and digits, with single hyphens between them. */
export function isSlug(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
}

/** No slug that an operator chooses has a dot: the test account of `lagos` is `lagos.test`. */
export const testSlugEnding = '.test'

/** Whether text can be the slug of a live or of a test account. */
export function isSlugOfEither(text: string): boolean {
  return isSlug(liveSlugOf(text))
}

/** The slug of the live account of either. */
export function liveSlugOf(slug: string): string {
  return slug.endsWith(testSlugEnding) ? slug.slice(0, -testSlugEnding.length) : slug
}

/** Whoever presented a live key. The key stops being good at `expiresAt`, or when it is revoked. */
export type Caller = {
  accountId: number
  keyId: number
  partnerId: number | null
  scopes: readonly Scope[]
  /** The account's IANA time zone, in which its days begin and end. */
  timeZone: string
  expiresAt: Date | null
}

/** The test account of a live one: its id with the other sign. That of a test account is itself. */
export function testAccountOf(accountId: number): number {
  return -Math.abs(accountId)
}

/** Whether an account is a test account: what its keys do sells nothing. */
export function isTestAccount(accountId: number): boolean {
  return accountId < 0
}

/** After so many days test bookings are deleted. */
export const testBookingDays = 7

/** The live account of either. */
export function liveAccountOf(accountId: number): number {
  return Math.abs(accountId)
}

/**
 * A new key of 256 random bits, which says whether it is a live or a test key. The token is for its owner alone; only the
 * hash may be kept.
 */
export function makeKey(accountId: number): { token: string; hash: Buffer } {
  const mode = isTestAccount(accountId) ? 'test_' : ''
  const token = `abs_${mode}${liveAccountOf(accountId)}_${randomBytes(32).toString('base64url')}`
  return { token, hash: hashKey(token) }
}

/** How long a key goes on beside the one that takes its place, unless said otherwise. */
export const usualOverlapHours = 24

/** What to look a key up by; null for text that no key can be. The account in it is a claim, not a proof. */
export function parseKey(token: string): { accountId: number; hash: Buffer } | null {
  const [, mode, digits] = /^abs_(test_)?([1-9]\d{0,15})_[\w-]{43}$/.exec(token) ?? []
  const liveId = Number(digits)
  if (!Number.isSafeInteger(liveId)) return null
  return { accountId: mode ? testAccountOf(liveId) : liveId, hash: hashKey(token) }
}

/** The SHA-256 of the whole token: 32 bytes. */
export function hashKey(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
