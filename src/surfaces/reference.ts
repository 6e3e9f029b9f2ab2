/**
 * The reference for developers: the OpenAPI document, the page `/docs` that shows this document, and a page
 * about each problem type.
 */
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { compressGets } from '../http/compression.ts'
import { html, type Markup, sendPage } from '../http/pages.ts'
import { type ProblemSlug, problemTypes } from '../http/problem-types.ts'
import { problems } from '../http/problems.ts'
import { securityHeaders, sendHeaders } from '../http/security-headers.ts'

/**
 * A script renders the page `/docs`, with inline styles and images. The page sends requests only to this
 * service.
 */
const directives = {
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
}

export const referenceSurface: FastifyPluginAsync<{ publicUrl: string }> = async (app, { publicUrl }) => {
  sendHeaders(app, securityHeaders(publicUrl, directives))
  compressGets(app)
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    // Otherwise the page would send the document to a public validator.
    uiConfig: { validatorUrl: null, deepLinking: true },
    theme: {
      title: 'Activity Booking Service: reference',
      css: [{ filename: 'service.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'))
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  app.get<{ Params: { slug: string } }>(
    '/problems/:slug',
    { schema: { hide: true } },
    async (request, reply) => {
      const { slug } = request.params
      if (!Object.hasOwn(problemTypes, slug)) throw problems.notFound()
      const known = slug as ProblemSlug
      return sendPage(reply, 200, problemTypes[known].title, problemPage(known))
    },
  )
}

function problemPage(slug: ProblemSlug): Markup {
  const { status, meaning, remedy } = problemTypes[slug]
  return html`<p><code>${slug}</code>, HTTP status ${status}</p>
<h2>What it means</h2>
<p>${withCode(meaning)}</p>
<h2>What to do</h2>
<p>${withCode(remedy)}</p>`
}

/** The texts of problems mark names with backquotes, as in Markdown. */
function withCode(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}
