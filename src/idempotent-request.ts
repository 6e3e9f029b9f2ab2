/** Reads from a request what runOnce() needs to do it once for each Idempotency-Key. */
import type { FastifyRequest } from 'fastify'
import type { Request } from './platform/run-once.ts'
import { problems } from './problems.ts'

/** @param operation names what is asked, as in `basket.create`; a key counts for one operation only. */
export function idempotent(request: FastifyRequest, operation: string): Request {
  const { accountId, keyId: apiKeyId } = request.caller
  const key = request.headers['idempotency-key']
  return {
    operation,
    accountId,
    apiKeyId,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    body: { params: request.params, body: request.body },
    reused: problems.idempotencyKeyReused,
  }
}
