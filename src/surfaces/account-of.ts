/** Finds the account of a request. */
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../platform/text/network.ts'

/**
 * The owner of a request for limits: its account, or its network address without an account. The dashboard users of an account
 * are another owner than its API keys, so that they do not wait for partners' requests. Call it after authentication.
 */
export function accountOf(request: FastifyRequest): number | string {
  const { caller } = request
  if (caller) return caller.accountId
  const { session, signerId } = request
  if (session) return `dashboard ${session.user.accountId}`
  return signerId || networkOf(request.ip)
}
