/**
 * The endpoints for load balancers and supervisors: `/healthz` says whether the process is alive, `/readyz`
 * whether it should get requests.
 */
import type { FastifyPluginAsync } from 'fastify'
import { problemResponses } from '../http/openapi.ts'
import { Problem } from '../http/problems.ts'
import { envelope } from '../http/wire.ts'
import { within } from '../platform/async/deadline.ts'
import { Type } from '../platform/schema/typebox.ts'
import type { Services } from '../services.ts'

const checkMs = 1000

export const healthSurface: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
  const checkPostgres = shared(() => isPostgresUp(services))
  app.get(
    '/healthz',
    {
      config: { alwaysAnswered: true },
      schema: {
        operationId: 'healthz',
        tags: ['Health'],
        summary: 'Whether the process is alive',
        description: 'Does not check stores, because a restart would not repair them.',
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
      config: { alwaysAnswered: true },
      schema: {
        operationId: 'readyz',
        tags: ['Health'],
        summary: 'Whether the process should get requests',
        description:
          'Responds with 503 while the process is shutting down, or while no store accepts data. `Status` is `degraded` while a store is out of reach, the standby is out of reach or too far behind, or usage is not sent through the queue. The process then still serves what it can, and `Reasons` lists the causes.',
        response: {
          200: envelope(
            Type.Object({
              Status: Type.Enum(['ready', 'degraded'], { examples: ['ready'] }),
              Missing: Type.Array(Type.String(), {
                description: 'The stores that are out of reach.',
                examples: [[]],
              }),
              Reasons: Type.Array(Type.String(), {
                description: 'Why it is degraded, in sentences.',
                examples: [[]],
              }),
              Backlog: Type.Union([backlogSchema, Type.Null()], {
                description: 'Usage that waits for a worker; null when the queue is out of reach.',
              }),
            }),
          ),
          ...problemResponses('unavailable'),
        },
      },
    },
    async () => {
      if (services.state.draining) throw notReady('The process is shutting down.', ['draining'])
      const { store, state, looked } = services.queue
      await looked
      const { reachable, reasons, backlog } = state()
      const postgres = await checkPostgres()
      const redis = store === 'postgres' || reachable
      const missing = [...(postgres ? [] : ['postgres']), ...(redis ? [] : ['redis'])]
      const replica = services.replica.reason()
      // While PostgreSQL is down, usage can be accepted only through a queue on Redis that is durable and not
      // full.
      if (!postgres && (store === 'postgres' || reasons.length > 0))
        throw notReady('No store accepts data.', missing)
      return {
        data: {
          Status: missing.length + reasons.length > 0 || replica ? 'degraded' : 'ready',
          Missing: missing,
          Reasons: [...(postgres ? [] : [postgresDown]), ...reasons, ...(replica ? [replica] : [])],
          Backlog: backlog && {
            Jobs: backlog.jobs,
            OldestSeconds: Math.round(backlog.oldestSeconds),
            Failed: backlog.failed,
          },
        },
      }
    },
  )
}

const postgresDown = 'PostgreSQL is out of reach: only usage without an Idempotency-Key is accepted.'

const backlogSchema = Type.Object({
  Jobs: Type.Integer({ description: 'Jobs that wait or run. Failed jobs are not included.', examples: [0] }),
  OldestSeconds: Type.Integer({ description: 'Age of the oldest job that waits or runs.', examples: [0] }),
  Failed: Type.Integer({
    description: 'Failed jobs; an operator must look at their entries.',
    examples: [0],
  }),
})

function notReady(detail: string, missing: string[]): Problem {
  return new Problem('unavailable', detail, {
    extensions: { Missing: missing },
    headers: { 'retry-after': '1' },
  })
}

/**
 * Returns a function that runs `ask` once at a time: calls during a run share its result. This limits the
 * queries of `/readyz`, which needs no key.
 */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null
  return () => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
}

/**
 * Whether PostgreSQL responds within a second. Uses a connection for sales if this process has such
 * connections: all others may be busy for seconds, although PostgreSQL responds and places can be sold.
 */
async function isPostgresUp(services: Services): Promise<boolean> {
  const sql = services.selling ?? services.sql
  try {
    await within(checkMs, sql`select 1`, () => new Error('PostgreSQL does not respond'))
    return true
  } catch {
    return false
  }
}
