/**
 * Signed tokens for links in e-mails and pages. Anyone can read a token, but only the service can sign one. The
 * purpose is part of the signature, so that a token of one kind of link is not valid in another. Tokens do not
 * expire by themselves: the caller puts an expiry into the payload if there must be one, and checks it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

// No token of the service has more characters. Longer input is refused before it is hashed.
const maxCharacters = 2048

/** A token for URLs (letters, digits, `-`, `_` and a dot) with `payload`, which must be plain JSON. */
export function signToken(secret: string, purpose: string, payload: Record<string, unknown>): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${mac(secret, purpose, body)}`
}

/**
 * The payload of a token that was signed with one of the secrets for this purpose; null for any other text.
 */
export function readToken(
  secrets: string | readonly string[],
  purpose: string,
  token: string,
): Record<string, unknown> | null {
  if (token.length > maxCharacters) return null
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  // Compared as text, because Base64 has several spellings of some signatures.
  const given = Buffer.from(signature)
  const isSigned = [secrets].flat().some((secret) => {
    const expected = Buffer.from(mac(secret, purpose, body))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) return null
  return JSON.parse(Buffer.from(body, 'base64url').toString())
}

function mac(secret: string, purpose: string, body: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${body}`).digest('base64url')
}
