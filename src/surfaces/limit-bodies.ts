/**
 * Limits the memory for the request bodies of one account, one key or user, one network address, and the whole process. A
 * request over a limit is refused before its body is read.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { endLoad } from '../http/load-shedding.ts'
import { problems } from '../http/problems.ts'
import { whenOver } from '../http/when-over.ts'
import { createHoldBack } from '../platform/async/hold-back.ts'
import { createSharedRoom, type Holding, type SharedRoom } from '../platform/async/shared-room.ts'
import { networkOf } from '../platform/text/network.ts'

const kibibyte = 1024
const processBytes = 64 * kibibyte ** 2
// Smaller bodies are not counted: they take no more memory than headers may take.
const smallBytes = 16 * kibibyte
const holdMs = 500
const maxHeld = 1000
/** Fastify reads no body of these methods. */
const bodyless = new Set(['GET', 'HEAD', 'TRACE'])

/**
 * Counts a body from before it is read until its request is over, because the parsed data stays in memory
 * until then.
 * @param refuseUnknown throws the problem for an address that does not exist, where no body is read.
 */
export function limitBodies(
  app: FastifyInstance,
  registry: Registry,
  refuseUnknown: (request: FastifyRequest) => void,
): void {
  const room = createSharedRoom(processBytes)
  const holdBack = createHoldBack(holdMs, maxHeld)

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesToRead(request)
    if (bytes <= smallBytes) return done()
    if (request.is404) refuseUnknown(request)
    // Fastify refuses it because of its length.
    if (bytes > request.routeOptions.bodyLimit) return done()
    const holding = take(room, request, bytes)
    if (typeof holding === 'string') {
      const refusal = holding === 'full' ? problems.overloaded() : problems.tooManyBytes()
      endLoad(reply)
      return void holdBack().then(() => done(refusal))
    }
    whenOver(reply, () => holding.lessenTo(0))
    if (request.headers['content-length'] === undefined) lessenWhenRead(request, holding)
    done()
  })
  new Gauge({
    name: 'http_request_body_bytes',
    help: 'Bytes of bodies that are being read, or whose requests have no response yet.',
    registers: [registry],
    collect() {
      this.set(room.held())
    },
  })
}

/** The length in the request, or the limit of its route if the request has none. */
function bytesToRead(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if ((length === undefined && encoding === undefined) || bodyless.has(request.method)) return 0
  if (length !== undefined) return Number(length)
  // A small body has already arrived completely.
  return request.raw.complete ? request.raw.readableLength : request.routeOptions.bodyLimit
}

/** Reserves memory: for an account and its key or user, or for all addresses together and one address. */
function take(room: SharedRoom, { caller, session, ip }: FastifyRequest, bytes: number) {
  if (caller) return room.take(`${caller.accountId}`, `${caller.accountId}:${caller.keyId}`, bytes)
  const user = session?.user
  if (user) return room.take(`${user.accountId}`, `${user.accountId}:user ${user.userId}`, bytes)
  return room.take('addresses', networkOf(ip), bytes)
}

/**
 * Counts the bytes of a body without a length, and releases the rest of the reservation when it is read. The stream starts in
 * the next turn of the event loop, so neither this listener nor the parser misses data.
 */
function lessenWhenRead({ raw }: FastifyRequest, holding: Holding): void {
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  raw.once('end', () => holding.lessenTo(bytes))
}
