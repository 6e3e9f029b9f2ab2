/**
 * Who is calling: the Bearer key of a request, looked up and kept for a few seconds. It runs before a body is
 * read, so that 401 and 403 come before anything a body could cause.
 */
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Scope } from '../accounts/model.ts'
import { type Caller, findCaller } from '../accounts/service.ts'
import type { Sql } from '../platform/database.ts'
import { problems } from '../problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route behind `requireScope`. */
    caller: Caller
  }
}

// Revocation has to take effect within 5 seconds everywhere; the second is for the look-up itself.
const cacheMilliseconds = 4000

export type Authenticate = (scope: Scope) => onRequestAsyncHookHandler

/** One cache for the whole process; gives the onRequest hook of each scope. */
export function createAuthentication(sql: Sql): Authenticate {
  const callers = new LRUCache<string, Caller>({
    max: 10_000,
    ttl: cacheMilliseconds,
    fetchMethod: async (token) => (await findCaller(sql, token)) ?? undefined,
  })
  return (scope) => async (request) => {
    const token = bearerToken(request)
    const caller = token && (callers.get(token) ?? (await callers.fetch(token)))
    if (!caller || (caller.expiresAt && caller.expiresAt.getTime() <= Date.now()))
      throw problems.unauthenticated()
    request.caller = caller
    if (!caller.scopes.includes(scope)) throw problems.forbidden(scope)
  }
}

function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
}

/** Gives every route of a scope what authentication adds to it: the hook, and its place in the document. */
export function protect(app: FastifyInstance, authenticate: Authenticate, scope: Scope): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [{ apiKey: [] }] }
  })
  app.addHook('onRequest', authenticate(scope))
}
