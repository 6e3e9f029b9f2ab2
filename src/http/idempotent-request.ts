/** Connects requests with runOnce(): makes its arguments from a request, and sends its response. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OnceRequest } from '../platform/postgres/run-once.ts'
import { problems } from './problems.ts'
import { isAwaited } from './respond-within.ts'

/**
 * @param operation the operation, such as `basket.create`. Each operation has its own idempotency keys: the
 * same text is a different key in another operation.
 */
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

/**
 * The arguments for a command or the demo, which have no HTTP request: no idempotency key, and no client that can
 * disconnect.
 */
export function withoutRequest(operation: string, { accountId }: { accountId: number }): OnceRequest {
  return {
    ...{ operation, accountId, apiKeyId: 0, idempotencyKey: undefined, body: null },
    reused: problems.idempotencyKeyReused,
    isAwaited: () => true,
  }
}

/** The arguments for an operation that ignores the header Idempotency-Key, because it is safe to repeat. */
export function withoutKey(request: FastifyRequest, operation: string): OnceRequest {
  return { ...idempotent(request, operation), idempotencyKey: undefined }
}

/** Sends the response of runOnce(), with a header when it is a replay. */
export function sendOnce(
  reply: FastifyReply,
  status: number,
  { answer, replayed }: { answer: object; replayed: boolean },
): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(status).send({ data: answer })
}
