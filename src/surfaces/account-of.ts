/** Finds the account of a request. */
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../platform/text/network.ts'

/**
 * The account that a request acts for, or else the network address that it comes from. Users of an account's
 * dashboard count apart from its keys, so that partners' requests never keep them waiting. Known after
 * authentication.
 */
export function accountOf(request: FastifyRequest): number | string {
  const { caller } = request
  if (caller) return caller.accountId
  const { session, signerId } = request
  if (session) return `dashboard ${session.user.accountId}`
  return signerId || networkOf(request.ip)
}
