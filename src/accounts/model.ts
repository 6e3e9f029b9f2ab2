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

/** A new key of 256 random bits. The token is for its owner alone; only the hash may be kept. */
export function makeKey(accountId: number): { token: string; hash: Buffer } {
  const token = `abs_${accountId}_${randomBytes(32).toString('base64url')}`
  return { token, hash: hashKey(token) }
}

/** How long a key goes on beside the one that takes its place, unless said otherwise. */
export const usualOverlapHours = 24

/** What to look a key up by; null for text that no key can be. The account in it is a claim, not a proof. */
export function parseKey(token: string): { accountId: number; hash: Buffer } | null {
  const digits = /^abs_([1-9]\d{0,15})_[\w-]{43}$/.exec(token)?.[1]
  const accountId = Number(digits)
  return Number.isSafeInteger(accountId) ? { accountId, hash: hashKey(token) } : null
}

/** The SHA-256 of the whole token: 32 bytes. */
export function hashKey(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
