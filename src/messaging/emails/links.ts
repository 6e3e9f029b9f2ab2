/** The link with which a recipient unsubscribes from an account's e-mails after the end of a booking. Pure. */
import { readToken, signToken } from '../../platform/crypto/signed-token.ts'

const purpose = 'unsubscribe'

/** What an unsubscribe link contains: the account that sends the e-mails, and the hash of the address. */
export type OptOut = { accountId: number; hash: Buffer }

export function optOutUrl(publicUrl: string, secret: string, { accountId, hash }: OptOut): string {
  const token = signToken(secret, purpose, { accountId, address: hash.toString('base64url') })
  return `${publicUrl}/email/unsubscribe/${token}`
}

/** Reads the token at the end of an unsubscribe link; null if this service did not sign it. */
export function readOptOut(secrets: readonly string[], token: string): OptOut | null {
  const payload = readToken(secrets, purpose, token) as { accountId: number; address: string } | null
  return payload && { accountId: payload.accountId, hash: Buffer.from(payload.address, 'base64url') }
}
