/** The customer's link to an offer. Pure. */
import { readToken, signToken } from '../../platform/crypto/signed-token.ts'

const purpose = 'waitlist-offer'

/** The waitlist entry that a link opens. */
export type OfferLink = { accountId: number; entryId: number }

/** The address of an entry's offer, for its e-mail. */
export function offerUrl(publicUrl: string, secret: string, link: OfferLink): string {
  return `${publicUrl}/waitlist/${signToken(secret, purpose, link)}`
}

/** The entry that a token names; null if this service did not sign the token. */
export function readOffer(secrets: readonly string[], token: string): OfferLink | null {
  return readToken(secrets, purpose, token) as OfferLink | null
}
