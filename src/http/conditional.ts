/** Responses that callers store and revalidate: ETag and 304 (RFC 9110, 13.1.2). */
import makeEtag from 'etag'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'

/** Sends `data` in the envelope, or 304 when the caller has the same data. Only the caller may store it. */
export function sendRevalidated(request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  const body = JSON.stringify({ data })
  const etag = makeEtag(body)
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  reply.vary('Authorization')
  if (has(request, etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Whether the caller sent the ETag of other data than `data`. The other data may be older or newer. */
export function callerHasOtherData(request: FastifyRequest, data: unknown): boolean {
  return 'if-none-match' in request.headers && !has(request, makeEtag(JSON.stringify({ data })))
}

/**
 * Whether the caller has the data with this ETag. Ignores `Cache-Control: no-cache`, which Node's fetch adds
 * to a request with `If-None-Match`: that header is for caches between the client and the server (RFC 9111,
 * 5.2.1.4).
 */
function has({ headers }: FastifyRequest, etag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}
