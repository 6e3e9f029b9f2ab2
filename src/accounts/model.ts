/**
 * Pure rules of accounts and API keys: the form of a slug, the scopes, and how a key is made and parsed. It
 * stores nothing and grants no access.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Language } from '../languages/locales.ts'

export const scopes = ['ota', 'usage:read', 'usage:write', 'operator'] as const
export type Scope = (typeof scopes)[number]

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

/** Whether text can be an account's slug: lower-case letters and digits, with single hyphens between them. */
export function isSlug(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
}

/** The test account of `lagos` is `lagos.test`. Other slugs have no dot, so the two cannot conflict. */
export const testSlugEnding = '.test'

/** Whether text can be the slug of a live or of a test account. */
export function isSlugOfEither(text: string): boolean {
  return isSlug(liveSlugOf(text))
}

/** The slug of the live account, from the slug of the live or the test account. */
export function liveSlugOf(slug: string): string {
  return slug.endsWith(testSlugEnding) ? slug.slice(0, -testSlugEnding.length) : slug
}

/**
 * The account and key of a request with a valid key, in live or test mode. The key is valid until
 * `expiresAt`, or until it is revoked.
 */
export type Caller = {
  accountId: number
  keyId: number
  partnerId: number | null
  scopes: readonly Scope[]
  /** The IANA time zone in which the days of the account begin and end. */
  timeZone: string
  /** The language of the original texts of the account's products. */
  language: Language
  expiresAt: Date | null
}

/** The test account of a live one: its id negated. For a test account, the same id. */
export function testAccountOf(accountId: number): number {
  return -Math.abs(accountId)
}

/** Whether an account is a test account. Its bookings are not real, and take no places of the live account. */
export function isTestAccount(accountId: number): boolean {
  return accountId < 0
}

/** Test bookings are deleted this many days after they were made. */
export const testBookingDays = 7

/** The live account of a live or a test account. */
export function liveAccountOf(accountId: number): number {
  return Math.abs(accountId)
}

/**
 * A new key with 256 random bits, and with a prefix for live or test. Only its owner gets the token; only the
 * hash may be stored.
 */
export function makeKey(accountId: number): { token: string; hash: Buffer } {
  const mode = isTestAccount(accountId) ? 'test_' : ''
  const token = `abs_${mode}${liveAccountOf(accountId)}_${randomBytes(32).toString('base64url')}`
  return { token, hash: hashKey(token) }
}

/** How long a replaced key stays valid by default. */
export const defaultOverlapHours = 24

/**
 * The account and hash of a key, to look it up; null for text that cannot be a key. Do not trust the account
 * before the hash is found.
 */
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
