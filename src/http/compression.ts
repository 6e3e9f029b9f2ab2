/**
 * Compresses what GET requests of a scope get, by brotli or gzip. Call it before the routes of the scope. Only these
 * routes get a hook, so that all others cost what they did.
 *
 * @fastify/compress does more than is wanted: it also compresses answers to POST requests, takes no condition by
 * request, and costs a web process 10 MB under load.
 */
import { type Readable, Stream } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What is shorter does not gain. */
const minBytes = 1024
const encodings = ['br', 'gzip']
/** A quarter larger than by the highest quality, in a twentieth of the time. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Not `text/event-stream`, whose events must not wait for the next. */
const compressible =
  /^(text\/(html|css|csv|javascript|plain)|application\/(problem\+)?(json|javascript)|image\/svg\+xml)\b/
const [packBrotli, packGzip] = [promisify(brotliCompress), promisify(gzip)]

/** @param isAllowed whether the response to a request may be compressed; every one if it is left out. */
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

/** Of a stream without a length it is not known, and taken for granted. */
function isLong(reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload) >= minBytes
  return payload instanceof Stream && Number(reply.getHeader('content-length') ?? minBytes) >= minBytes
}

/** So that a cache between keeps both forms apart. */
function addVary(reply: FastifyReply): void {
  const known = String(reply.getHeader('vary') ?? '')
  if (!/accept-encoding/i.test(known))
    reply.header('vary', known ? `${known}, accept-encoding` : 'accept-encoding')
}

function compressStream(source: Readable, encoding: string): Readable {
  const packed = encoding === 'br' ? createBrotliCompress(quality) : createGzip()
  // An error of the source destroys what is sent, by which Fastify ends the response.
  pipeline(source, packed).catch(() => {})
  return packed
}
