/** Whose a request is. */
import type { FastifyRequest } from 'fastify'

/** The account that a request acts for, or else the network address it comes from. Known after authentication. */
export function accountOf({ caller, session, signerId, ip }: FastifyRequest): number | string {
  return caller?.accountId ?? session?.user.accountId ?? (signerId || ip)
}
