/** The link by which whoever reads an e-mail wants no more of its kind. Pure. */
import { readToken, signToken } from '../../platform/crypto/signed-token.ts'

const purpose = 'unsubscribe'

/** Whose address a link speaks for: the account that writes, and the hash of the address. */
export type OptOut = { accountId: number; hash: Buffer }

export function optOutUrl(publicUrl: string, secret: string, { accountId, hash }: OptOut): string {
  const token = signToken(secret, purpose, { accountId, address: hash.toString('base64url') })
  return `${publicUrl}/email/unsubscribe/${token}`
}

/** What the last part of such an address says; null when it is none of ours. */
export function readOptOut(secrets: readonly string[], token: string): OptOut | null {
  const payload = readToken(secrets, purpose, token) as { accountId: number; address: string } | null
  return payload && { accountId: payload.accountId, hash: Buffer.from(payload.address, 'base64url') }
}
