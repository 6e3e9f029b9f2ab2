/** What a developer reads: the OpenAPI document, a page made of it, and a page about each problem type. */
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { type ProblemSlug, problems, problemTypes } from '../problems.ts'

export const referenceSurface: FastifyPluginAsync = async (app) => {
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    // Without this the page asks a public validator about the document, which is neither offline nor private.
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
      return reply.type('text/html; charset=utf-8').send(problemPage(slug as ProblemSlug))
    },
  )
}

function problemPage(slug: ProblemSlug): string {
  const { status, title, meaning, remedy } = problemTypes[slug]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
</style>
</head>
<body>
<h1>${title}</h1>
<p><code>${slug}</code>, HTTP status ${status}</p>
<h2>What it means</h2>
<p>${withCode(meaning)}</p>
<h2>What to do</h2>
<p>${withCode(remedy)}</p>
</body>
</html>
`
}

/** The texts of problems mark names as Markdown does. */
function withCode(text: string): string {
  return text.replace(/`([^`]+)`/g, '<code>$1</code>')
}
