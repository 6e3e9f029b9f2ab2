/**
 * Compresses the responses to GET requests of a scope with brotli or gzip. Call compressGets() before the
 * routes of the scope are registered. Only the routes for GET get a hook, so the others do not become slower.
 *
 * @fastify/compress does not fit: it also compresses responses to POST requests, cannot decide for each
 * request whether to compress, and costs a web process 10 MB under load.
 */
import { type Readable, Stream } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Shorter responses are not compressed, because compression would save nothing. */
const minBytes = 1024
const encodings = ['br', 'gzip']
/** Compared with the highest quality, the output is a quarter larger, and compression takes a twentieth of the time. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Without `text/event-stream`: compression would delay an event until the next one. */
const compressible =
  /^(text\/(html|css|csv|javascript|plain)|application\/(problem\+)?(json|javascript)|image\/svg\+xml)\b/
const [packBrotli, packGzip] = [promisify(brotliCompress), promisify(gzip)]

/** @param isAllowed whether the response to a request may be compressed. Without it, every response may. */
export function compressGets(
  app: FastifyInstance,
  isAllowed: (request: FastifyRequest) => boolean = () => true,
): void {
  const compress = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (!isText(reply) || !isLong(reply, payload) || !isAllowed(request)) return payload
    addVary(reply)
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', encodings)
    if (encoding === null) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (payload instanceof Stream) return compressStream(payload as Readable, encoding)
    const bytes = payload as string | Buffer
    return encoding === 'br' ? packBrotli(bytes, quality) : packGzip(bytes)
  }
  app.addHook('onRoute', (route) => {
    if (![route.method].flat().includes('GET')) return
    route.onSend = [...[route.onSend ?? []].flat(), compress]
  })
}

function isText(reply: FastifyReply): boolean {
  const isPlain = reply.statusCode !== 206 && !reply.hasHeader('content-encoding')
  return isPlain && compressible.test(String(reply.getHeader('content-type') ?? ''))
}

/** A stream without a length counts as long. */
function isLong(reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload) >= minBytes
  return payload instanceof Stream && Number(reply.getHeader('content-length') ?? minBytes) >= minBytes
}

/** Makes caches store the compressed and the uncompressed responses separately. */
function addVary(reply: FastifyReply): void {
  const known = String(reply.getHeader('vary') ?? '')
  if (!/accept-encoding/i.test(known))
    reply.header('vary', known ? `${known}, accept-encoding` : 'accept-encoding')
}

function compressStream(source: Readable, encoding: string): Readable {
  const packed = encoding === 'br' ? createBrotliCompress(quality) : createGzip()
  // An error of the source destroys the compressed stream, and Fastify then ends the response.
  pipeline(source, packed).catch(() => {})
  return packed
}
