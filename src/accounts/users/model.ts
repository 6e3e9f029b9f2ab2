/**
 * Pure rules of users: hashes and checks passwords, makes session tokens, and hashes the addresses and
 * browsers under which guesses are counted.
 */
import { createHash, createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

export type Role = 'owner' | 'staff'
export const roles: readonly Role[] = ['owner', 'staff']

export const minPasswordLength = 12
export const maxPasswordLength = 256

/** The form of an address that identifies a user: without spaces around it, in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * 20 characters in four groups with hyphens, from an alphabet without similar characters: about 99 random
 * bits. The alphabet has 31 characters, and `z` is twice as probable as each other one.
 */
export function makePassword(): string {
  const letters = '23456789abcdefghjkmnpqrstuvwxyzz'
  const text = Array.from(randomBytes(20), (byte) => letters[byte & 31]).join('')
  return text.replace(/(.{5})(?=.)/g, '$1-')
}

// 32 MiB and about a tenth of a second for each guess (one of the sets of parameters for scrypt that OWASP
// recommends).
const cost = { N: 2 ** 15, r: 8, p: 3 }
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** The stored form of a password: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether a password matches the stored one. It takes the same time when there is no stored password. */
export async function checkPassword(password: string, storedHash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (storedHash ?? placeholderHash).split('$')
  const given = await deriveKey(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(given, Buffer.from(key, 'base64url')) && storedHash !== null
}

const placeholderHash = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')

function deriveKey(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 64 * 1024 * 1024 })
}

/** A new session: the token for the browser, and the hash to store. */
export function makeSession(accountId: number): { token: string; hash: Buffer } {
  const token = `${accountId}.${randomBytes(32).toString('base64url')}`
  return { token, hash: digest(token) }
}

/**
 * The account and hash of a session, to look it up; null for text that cannot be one. Do not trust the
 * account before the hash is found.
 */
export function parseSession(token: string): { accountId: number; hash: Buffer } | null {
  const digits = /^([1-9]\d{0,15})\.[\w-]{43}$/.exec(token)?.[1]
  const accountId = Number(digits)
  return Number.isSafeInteger(accountId) ? { accountId, hash: digest(token) } : null
}

/** Whether a page shows live data or test data. */
export type Mode = 'live' | 'test'

/** The token that every form of a session must send: only our own pages in the same mode can know it. */
export function csrfToken(sessionToken: string, mode: Mode): string {
  const use = { live: 'csrf', test: 'csrf.test' }[mode]
  return createHmac('sha256', sessionToken).update(use).digest('base64url')
}

export function isCsrfToken(sessionToken: string, mode: Mode, given: unknown): boolean {
  const expected = Buffer.from(csrfToken(sessionToken, mode))
  const brought = Buffer.from(typeof given === 'string' ? given : '')
  return brought.length === expected.length && timingSafeEqual(brought, expected)
}

/** A user signs in from a browser, which a cookie identifies, and from a network address. */
export type OriginKind = 'browser' | 'address'
/** `about` is a hash: neither cookies nor addresses are stored. */
export type Origin = { kind: OriginKind; about: Buffer }

/** A new cookie that identifies a browser. */
export function makeBrowser(): string {
  return randomBytes(32).toString('base64url')
}

/** The origin for a browser and a user; null without our cookie. */
export function browserOrigin(email: string, browser: string | undefined): Origin | null {
  if (browser === undefined || !/^[\w-]{43}$/.test(browser)) return null
  return { kind: 'browser', about: digest(`browser ${email} ${browser}`) }
}

export function addressOrigin(email: string, network: string): Origin {
  return { kind: 'address', about: digest(`address ${email} ${network}`) }
}

/** The hash under which guesses at the password of a user are counted, if they come from unknown origins. */
export function aboutEmail(email: string): Buffer {
  return digest(`email ${email}`)
}

/** The hash under which guesses from a network address are counted, if they come from unknown origins. */
export function aboutNetwork(network: string): Buffer {
  return digest(`from ${network}`)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
