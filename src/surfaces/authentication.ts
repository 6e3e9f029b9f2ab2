/**
 * Finds the caller of a request by its Bearer key. Callers are cached for a few seconds. Authentication runs
 * before the body is read, so that a request without the right key gets 401 or 403 before its body has any
 * effect.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Scope } from '../accounts/model.ts'
import { type Caller, findCallers } from '../accounts/service.ts'
import { problems } from '../http/problems.ts'
import { atMost } from '../platform/async/at-most.ts'
import { type BatchObserver, createBatcher } from '../platform/async/batcher.ts'
import { within } from '../platform/async/deadline.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { isOutOfReach } from '../platform/postgres/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set after authentication, on every route of a surface for which `protect` was called; undefined
     * elsewhere.
     */
    caller: Caller
  }
}

// While PostgreSQL responds, a revocation must take effect within 5 seconds, so a key is looked up again 5 seconds
// after its look-up began.
const maxAgeMs = 5000
// While PostgreSQL is down, a key may record usage for this long after its last successful look-up.
const outageMs = 10 * 60_000
// After this time, an unknown key is looked up again.
const unknownMs = 1000
const defaultLookUpMs = 1000

/**
 * Sets the caller of a request. For a cached key, it returns undefined instead of a promise, which is faster; with
 * limitRate() it always returns a promise.
 * @throws Problem unauthenticated or forbidden. The promise rejects with the same problems, with `unavailable`,
 * with an error of the database, and with `rate-limited` if limitRate() wraps the function.
 */
export type Identify = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined
export type Authenticate = (scope: Scope) => Identify

export type AuthenticationOptions = {
  /** A clock in milliseconds, for tests. */
  clock?: { now(): number }
  /** Called after each successful key lookup: every few seconds while a key is in use. */
  noteUse?: (caller: Caller) => void
  /** Called with each batch of look-ups. */
  observe?: BatchObserver
  /**
   * The timeout of a look-up. After a failed look-up, a known key may write usage for this long without a new look-up.
   */
  lookUpMs?: number
}

/**
 * Creates the cache of callers, one for the whole process, and returns the function that identifies callers
 * for a scope. Keys are looked up in batches, and unknown keys are cached for a second, so that a flood of
 * unknown keys does not keep PostgreSQL busy.
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
  const bounds = { ...atMost(10_000), perf: clock, ttlResolution: 0 }
  const seen = new LRUCache<string, Caller>({ ...bounds, ttl: outageMs })
  const notLookedUp = new LRUCache<string, Caller>({ ...bounds, ttl: lookUpMs })
  const unknown = new LRUCache<string, true>({ ...bounds, ttl: unknownMs })
  const lookUps = createBatcher<string, Caller | null>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 5000,
    timeoutMs: lookUpMs,
    refusal: () => problems.unavailable(),
    observe,
    run: (tokens) => findCallers(sql, tokens),
  })
  const callers = new LRUCache<string, Caller>({
    ...bounds,
    ttl: maxAgeMs,
    fetchMethod: async (token, _previous, { options }) => {
      const began = clock.now()
      const caller = await within(lookUpMs, lookUps.add(token), notResponding)
      if (caller) {
        seen.set(token, caller)
        noteUse(caller)
      } else {
        seen.delete(token)
        unknown.set(token, true)
      }
      // A TTL of 0 would mean that the entry never expires.
      options.ttl = Math.max(1, maxAgeMs - (clock.now() - began))
      return caller ?? undefined
    },
  })

  /**
   * Finds the caller of a request that records usage. While the database is out of reach, usage is still
   * accepted, so a key that was found in the last `outageMs` stays valid.
   */
  async function findDuringOutage(token: string): Promise<Caller | undefined> {
    try {
      return notLookedUp.get(token) ?? (await callers.fetch(token))
    } catch (error) {
      const caller = isOutOfReach(error) ? seen.get(token) : undefined
      if (!caller) throw error
      notLookedUp.set(token, caller)
      return caller
    }
  }

  return (scope) => {
    const find = scope === 'usage:write' ? findDuringOutage : (token: string) => callers.fetch(token)
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

/** A database that does not respond is treated like one that is down. */
function notResponding(): Error {
  return Object.assign(new Error('PostgreSQL does not respond'), { code: 'CONNECT_TIMEOUT' })
}

/**
 * The text after `Bearer `, read without a regular expression because this runs for every request. It may be any text,
 * so it is used only to find a cached key.
 */
function textAfterBearer({ headers: { authorization = '' } }: FastifyRequest): string {
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : ''
}

function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
}

/**
 * Requires a key with this scope for every route of `app`. Call it before the routes are registered, because
 * it also adds the key to their entries in the OpenAPI document.
 */
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
