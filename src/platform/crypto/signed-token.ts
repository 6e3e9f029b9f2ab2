/**
 * Tokens that the service hands out in links and takes back: readable, but nobody can make or change one without
 * the secret. They say what they are for, so that one kind of link never opens another; when they end is their
 * payload's business.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

// Longer than any that is made; what comes from outside is not hashed without end.
const mostCharacters = 2048

/** A token for URLs (letters, digits, `-`, `_` and a dot) that holds `payload`, which must be plain JSON. */
export function signToken(secret: string, purpose: string, payload: Record<string, unknown>): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${mac(secret, purpose, body)}`
}

/** The payload of a token that was signed with one of the secrets for this very purpose; null for anything else. */
export function readToken(
  secrets: string | readonly string[],
  purpose: string,
  token: string,
): Record<string, unknown> | null {
  if (token.length > mostCharacters) return null
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  // As text: of some signatures Base64 has several spellings.
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
