/** Between a request and runOnce(): what it needs to act once for each Idempotency-Key, and how it is answered. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OnceRequest } from '../platform/postgres/run-once.ts'
import { isAwaited } from './answer-within.ts'
import { problems } from './problems.ts'

/** @param operation names what is asked, as in `basket.create`; a key counts for one operation only. */
export function idempotent(request: FastifyRequest, operation: string): OnceRequest {
  const { accountId, keyId: apiKeyId } = request.caller
  const key = request.headers['idempotency-key']
  return {
    operation,
    accountId,
    apiKeyId,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    body: { params: request.params, body: request.body },
    reused: problems.idempotencyKeyReused,
    isAwaited: () => isAwaited(request),
  }
}

/** For what no request asks: a command, or the demo. It is done once, and nobody is gone before it is. */
export function withoutRequest(operation: string, { accountId }: { accountId: number }): OnceRequest {
  return {
    ...{ operation, accountId, apiKeyId: 0, idempotencyKey: undefined, body: null },
    reused: problems.idempotencyKeyReused,
    isAwaited: () => true,
  }
}

/** For an operation that takes no Idempotency-Key, since doing it again is safe. */
export function withoutKey(request: FastifyRequest, operation: string): OnceRequest {
  return { ...idempotent(request, operation), idempotencyKey: undefined }
}

/** Sends the answer of runOnce(), marked when it is a replay. */
export function sendOnce(
  reply: FastifyReply,
  status: number,
  { answer, replayed }: { answer: object; replayed: boolean },
): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(status).send({ data: answer })
}
