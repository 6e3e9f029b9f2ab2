/**
 * Security headers for browsers, made by helmet: they forbid framing and type sniffing. They also forbid
 * scripts and referrers, unless a surface allows them. The headers are the same for all responses of a kind,
 * so each set is made once.
 */
import { createHash } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
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
 * The headers of one kind of response.
 * @param publicUrl the public URL. With https, browsers are required to use only https (HSTS).
 * @param directives what the content security policy allows; it forbids everything else.
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
    // Not sent: these headers are for obsolete browsers, or for pages that link to other sites, and each header makes
    // every response a little slower.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
    // The service must not decide whether other hosts of the operator's domain use https.
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

/**
 * Adds these headers to every response of a scope. A header that a route or an inner scope sets takes
 * precedence.
 */
export function sendHeaders(app: FastifyInstance, headers: HeaderMap): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/**
 * Allows the inline styles of `html` in the content security policy of a response, by their hashes, so that
 * the page in this response can show `html` in a frame. The policy must already have `style-src 'self'`.
 * @param html its styles must have no escaped characters.
 */
export function allowStylesOf(reply: FastifyReply, html: string): void {
  const sheets = [...html.matchAll(/<style>(.*?)<\/style>/gs)]
  const inline = [...html.matchAll(/ style="([^"]*)"/g)]
  const styles = new Set([...sheets, ...inline].map(([, style]) => style!))
  const hashes = [...styles].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const policy = String(reply.getHeader('content-security-policy'))
  // Without 'unsafe-hashes', hashes allow only style sheets, not style attributes.
  const allowed = policy.replace("style-src 'self'", `style-src 'self' 'unsafe-hashes' ${hashes.join(' ')}`)
  reply.header('content-security-policy', allowed)
}
