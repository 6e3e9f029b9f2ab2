/** Finds the account of a request. */
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../platform/text/network.ts'

/**
 * The account of a request, or its network address if it has no account. Dashboard users count separately
 * from the API keys of their account, so that they do not wait for partners' requests. Call it after
 * authentication.
 */
export function accountOf(request: FastifyRequest): number | string {
  const { caller } = request
  if (caller) return caller.accountId
  const { session, signerId } = request
  if (session) return `dashboard ${session.user.accountId}`
  return signerId || networkOf(request.ip)
}
