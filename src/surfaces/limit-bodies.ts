/**
 * Limits the memory for request bodies: for the whole process, for each account and each of its keys and
 * users, and, for requests without a key or user, for all of them together and for each network address. A
 * request over a limit is refused before its body is read.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { stopCounting } from '../http/load-shedding.ts'
import { problems } from '../http/problems.ts'
import { whenOver } from '../http/when-over.ts'
import { createHoldBack } from '../platform/async/hold-back.ts'
import { createSharedRoom, type Holding, type SharedRoom } from '../platform/async/shared-room.ts'
import { networkOf } from '../platform/text/network.ts'

const kibibyte = 1024
const processBytes = 64 * kibibyte ** 2
// Bodies up to this size are not counted: they take no more memory than headers may take.
const smallBytes = 16 * kibibyte
const refusalDelayMs = 500
const maxDelayedRefusals = 1000
/** Fastify reads no body of these methods. */
const bodyless = new Set(['GET', 'HEAD', 'TRACE'])

/**
 * Counts the memory of a body from before the body is read until the request is over. The parsed data stays
 * in memory for this time.
 * @param refuseUnknown throws the problem for an address that does not exist, where no body is read.
 */
export function limitBodies(
  app: FastifyInstance,
  registry: Registry,
  refuseUnknown: (request: FastifyRequest) => void,
): void {
  const room = createSharedRoom(processBytes)
  const holdBack = createHoldBack(refusalDelayMs, maxDelayedRefusals)

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesToRead(request)
    if (bytes <= smallBytes) return done()
    if (request.is404) refuseUnknown(request)
    // Fastify itself refuses a body above the limit of its route.
    if (bytes > request.routeOptions.bodyLimit) return done()
    const holding = take(room, request, bytes)
    if (typeof holding === 'string') {
      const refusal = holding === 'full' ? problems.overloaded() : problems.tooManyBytes()
      stopCounting(reply)
      return void holdBack().then(() => done(refusal))
    }
    whenOver(reply, () => holding.lessenTo(0))
    if (request.headers['content-length'] === undefined) lessenWhenRead(request, holding)
    done()
  })
  new Gauge({
    name: 'http_request_body_bytes',
    help: 'Bytes reserved for request bodies over 16 KiB, from before they are read until their requests are over.',
    registers: [registry],
    collect() {
      this.set(room.held())
    },
  })
}

/**
 * The bytes of the body: the length in the request. Without a length, the bytes that have arrived if the body
 * is complete, or else the limit of the route. 0 if the request has no body.
 */
function bytesToRead(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if ((length === undefined && encoding === undefined) || bodyless.has(request.method)) return 0
  if (length !== undefined) return Number(length)
  // A small body may have arrived completely with the headers.
  return request.raw.complete ? request.raw.readableLength : request.routeOptions.bodyLimit
}

/**
 * Reserves memory for an account and its key or user; without a caller, for the group of all network
 * addresses and this address. Returns the name of the limit if the request is over one.
 */
function take(room: SharedRoom, { caller, session, ip }: FastifyRequest, bytes: number) {
  if (caller) return room.take(`${caller.accountId}`, `${caller.accountId}:${caller.keyId}`, bytes)
  const user = session?.user
  if (user) return room.take(`${user.accountId}`, `${user.accountId}:user ${user.userId}`, bytes)
  return room.take('addresses', networkOf(ip), bytes)
}

/**
 * Counts the bytes of a body without a length, and releases the rest of the reservation at the end of the
 * body. The stream starts in the next turn of the event loop, so neither this listener nor the parser misses
 * data.
 */
function lessenWhenRead({ raw }: FastifyRequest, holding: Holding): void {
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  raw.once('end', () => holding.lessenTo(bytes))
}
