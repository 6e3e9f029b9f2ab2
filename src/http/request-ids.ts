/** The ID of a request, which its response and its log lines contain. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * The caller’s own ID if it sends a valid one, so that its log and ours can be compared; otherwise a new one.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}
