/** For balancers and supervisors: whether the process is alive, and whether it should be given requests. */
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { problemResponses } from '../openapi.ts'
import { envelope } from '../platform/wire.ts'
import { Problem } from '../problems.ts'
import type { Services } from '../services.ts'

const checkMilliseconds = 1000

export const healthSurface: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'healthz',
        tags: ['Health'],
        summary: 'Whether the process is alive',
        description: 'Asks no store: a restart would not mend one.',
        response: {
          200: envelope(Type.Object({ Status: Type.Literal('alive', { examples: ['alive'] }) })),
          ...problemResponses(),
        },
      },
    },
    async () => ({ data: { Status: 'alive' } }),
  )

  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'readyz',
        tags: ['Health'],
        summary: 'Whether the process should be given requests',
        description: '503 while it is draining or PostgreSQL is out of reach; `Missing` names what is.',
        response: {
          200: envelope(
            Type.Object({
              Status: Type.Enum(['ready', 'degraded'], { examples: ['ready'] }),
              Missing: Type.Array(Type.String(), { description: 'What is out of reach.', examples: [[]] }),
            }),
          ),
          ...problemResponses('unavailable'),
        },
      },
    },
    async () => {
      if (services.state.draining) throw notReady('The process is shutting down.', ['draining'])
      if (!(await answers(services))) throw notReady('PostgreSQL is out of reach.', ['postgres'])
      return { data: { Status: 'ready', Missing: [] } }
    },
  )
}

function notReady(detail: string, missing: string[]): Problem {
  return new Problem('unavailable', detail, {
    extensions: { Missing: missing },
    headers: { 'retry-after': '1' },
  })
}

/** A store that hangs must not make the check hang. */
async function answers({ sql }: Services): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, checkMilliseconds, false).unref())
  const query = sql`select 1`.then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}
