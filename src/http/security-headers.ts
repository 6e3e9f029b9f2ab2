/**
 * What browsers are told about an answer, by helmet: nothing in it is run, framed, guessed at or sent on, unless a
 * surface says otherwise. The headers never differ from one answer to the next, so each set is made once.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

export type HeaderMap = Readonly<Record<string, string>>
type Directives = Record<string, string[]>
type Referrer = 'no-referrer' | 'same-origin'

const nothing: Directives = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

/**
 * The headers of one kind of answer.
 * @param publicUrl where the world reaches the service: only under https are browsers told to stay there.
 * @param directives what its content security policy allows; all else is forbidden.
 */
export function securityHeaders(
  publicUrl: string,
  directives: Directives = {},
  referrer: Referrer = 'no-referrer',
): HeaderMap {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const set = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...nothing, ...directives } },
    referrerPolicy: { policy: referrer },
    frameguard: { action: 'deny' },
    // For browsers that are no more, or for pages that lead elsewhere; each header costs every answer a little.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
    // What else is under the operator's domain is not ours to decide about.
    strictTransportSecurity: publicUrl.startsWith('https:') && {
      maxAge: yearSeconds,
      includeSubDomains: false,
    },
  })
  set(response.req, response, () => {})
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}

const yearSeconds = 365 * 24 * 3600

/** Gives every answer of a scope these headers; what a route or an inner scope sets itself counts instead. */
export function sendHeaders(app: FastifyInstance, headers: HeaderMap): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
