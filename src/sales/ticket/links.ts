/** The link by which a customer reaches the tickets of their booking. Pure. */
import { readToken, signToken } from '../../platform/crypto/signed-token.ts'

const purpose = 'tickets'

/** The booking whose tickets a link opens. */
export type TicketsLink = { accountId: number; reference: string }

/** The address of a booking's tickets, for its e-mails. */
export function ticketsUrl(publicUrl: string, secret: string, link: TicketsLink): string {
  return `${publicUrl}/tickets/${signToken(secret, purpose, link)}`
}

/** The booking that a token names; null if this service did not sign the token. */
export function readTicketsLink(secrets: readonly string[], token: string): TicketsLink | null {
  return readToken(secrets, purpose, token) as TicketsLink | null
}
