/**
 * Serves one route with a constant response: in the web application with all its hooks, without one part of them
 * (LEFT_OUT), or in a Fastify with only the schema of the route (BARE). GET /parts lists the parts.
 */
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../src/platform/config/config.ts'
import { endWithParent } from '../../src/platform/process/end-with-parent.ts'
import { bareFastify, plainValidator, type Watched, watchFastify } from './fastify-watch.ts'

const { ROUTE: path = '', ANSWER: answer = '{}', LEFT_OUT: leftOut, BARE: bare } = process.env

endWithParent(() => process.exit(0))
const watched = watchFastify(path, JSON.parse(answer), leftOut ?? null)
const app = await build()
if (bare) await app.ready()
const served = bare ? strip(watched) : app
served.get('/parts', { schema: { hide: true } as object }, async () => watched.parts())
await served.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })

async function build(): Promise<FastifyInstance> {
  // Loaded now, so that they get the watched fastify().
  const [{ buildApp }, { openServices }] = await Promise.all([
    import('../../src/app.ts'),
    import('../../src/services.ts'),
  ])
  const config = readConfig()
  return buildApp(openServices(config, config.DATABASE_URL ?? '', 'web'))
}

/** The same route in its own Fastify. */
function strip(watched: Watched): FastifyInstance {
  const { schema, handler } = watched.route()
  const { body, headers, response } = schema as Record<string, Record<string, unknown>>
  const app = bareFastify()
  app.setValidatorCompiler(plainValidator)
  app.get('/', async () => 'here')
  app.post(path, { schema: { body, headers, response: { 201: response![201] } } }, handler)
  return app
}
