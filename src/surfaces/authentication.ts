/**
 * Who is calling: the Bearer key of a request, looked up and kept for a few seconds. It runs before a body is
 * read, so that 401 and 403 come before anything a body could cause.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Scope } from '../accounts/model.ts'
import { type Caller, findCallers } from '../accounts/service.ts'
import { problems } from '../http/problems.ts'
import { type BatchObserver, createBatcher } from '../platform/async/batcher.ts'
import { within } from '../platform/async/deadline.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { isOutOfReach } from '../platform/postgres/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of a surface that `protect` was called for. */
    caller: Caller
  }
}

// Revocation has to take effect within 5 seconds everywhere; the second is for the look-up itself.
const cacheMilliseconds = 4000
// Usage is taken from keys seen before for so long, while PostgreSQL cannot be asked.
const outageMilliseconds = 10 * 60_000
// A key that is none is asked for again after this long.
const unknownMilliseconds = 1000
const defaultLookUpMs = 1000

/**
 * Sets the caller of a request: at once when its key is known, so that most requests wait for no promise.
 * @throws Problem unauthenticated or forbidden, or rejects with it.
 */
export type Identify = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined
export type Authenticate = (scope: Scope) => Identify

export type AuthenticationOptions = {
  /** Milliseconds; tests bring one of their own. */
  clock?: { now(): number }
  /** Called with a live key whenever it was looked up: once in some seconds while it is used. */
  noteUse?: (caller: Caller) => void
  /** Called with each batch of look-ups. */
  observe?: BatchObserver
  /** A look-up that takes longer counts as out of reach, and is not tried again for as long. */
  lookUpMs?: number
}

/**
 * One cache for the whole process; gives what each scope identifies its callers by. Many keys are looked up together and
 * those that are none are remembered, so that a flood of them leaves PostgreSQL to everybody else.
 */
export function createAuthentication(
  sql: Sql,
  {
    clock = performance,
    noteUse = () => {},
    observe,
    lookUpMs = defaultLookUpMs,
  }: AuthenticationOptions = {},
): Authenticate {
  const bounds = { max: 10_000, perf: clock, ttlResolution: 0 }
  const seen = new LRUCache<string, Caller>({ ...bounds, ttl: outageMilliseconds })
  const unasked = new LRUCache<string, Caller>({ ...bounds, ttl: lookUpMs })
  const unknown = new LRUCache<string, true>({ ...bounds, ttl: unknownMilliseconds })
  const lookUps = createBatcher<string, Caller | null>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 5000,
    patience: lookUpMs,
    refusal: () => problems.unavailable(),
    observe,
    run: (tokens) => findCallers(sql, tokens),
  })
  const callers = new LRUCache<string, Caller>({
    ...bounds,
    ttl: cacheMilliseconds,
    fetchMethod: async (token) => {
      const caller = await within(lookUpMs, lookUps.add(token), hangs)
      if (caller) {
        seen.set(token, caller)
        noteUse(caller)
      } else {
        seen.delete(token)
        unknown.set(token, true)
      }
      return caller ?? undefined
    },
  })

  /** Keys for usage outlive the database for a while, since usage does. */
  async function findAnyhow(token: string): Promise<Caller | undefined> {
    try {
      return unasked.get(token) ?? (await callers.fetch(token))
    } catch (error) {
      const caller = isOutOfReach(error) ? seen.get(token) : undefined
      if (!caller) throw error
      unasked.set(token, caller)
      return caller
    }
  }

  return (scope) => {
    const find = scope === 'usage:write' ? findAnyhow : (token: string) => callers.fetch(token)
    return (request) => {
      const known = callers.get(textAfterBearer(request))
      if (known) return admit(request, known, scope)
      const token = bearerToken(request)
      if (!token || unknown.has(token)) throw problems.unauthenticated()
      return find(token).then((caller) => admit(request, caller, scope))
    }
  }
}

function admit(request: FastifyRequest, caller: Caller | undefined, scope: Scope): undefined {
  if (!caller || (caller.expiresAt && caller.expiresAt.getTime() <= Date.now()))
    throw problems.unauthenticated()
  request.caller = caller
  if (!caller.scopes.includes(scope)) throw problems.forbidden(scope)
}

/** A database that hangs is as good as one that is gone. */
function hangs(): Error {
  return Object.assign(new Error('PostgreSQL does not answer'), { code: 'CONNECT_TIMEOUT' })
}

/** The token of a header as nearly all clients write it, which is none unless it is known: it costs no expression. */
function textAfterBearer({ headers: { authorization = '' } }: FastifyRequest): string {
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : ''
}

function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
}

/** Gives every route of a scope what authentication adds to it: the hook, and its place in the document. */
export function protect(app: FastifyInstance, authenticate: Authenticate, scope: Scope): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [{ apiKey: [] }] }
  })
  const identify = authenticate(scope)
  app.addHook('onRequest', (request, reply, done) => {
    const identified = identify(request, reply)
    if (identified) identified.then(() => done(), done)
    else done()
  })
}
