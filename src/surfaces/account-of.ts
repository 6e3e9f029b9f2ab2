/** Finds the account or network address whose limits a request uses. */
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../platform/text/network.ts'

/**
 * Identifies whose limits a request uses: its account, or its network address if the request has no account.
 * All dashboard users of an account share limits that are separate from those of its API keys, so that users
 * do not wait for partners' requests. Call it after authentication.
 */
export function accountOf(request: FastifyRequest): number | string {
  const { caller } = request
  if (caller) return caller.accountId
  const { session, signerId } = request
  if (session) return `dashboard ${session.user.accountId}`
  return signerId || networkOf(request.ip)
}
