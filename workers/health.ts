/**
 * Serves `/healthz` of a worker, on the port of its metrics: whether usage jobs make progress. It does not check other
 * jobs. It responds 503 only if a restart may help, and therefore not while a store is down.
 */
import type { FastifyInstance } from 'fastify'
import { problems } from '../src/http/problems.ts'
import { within } from '../src/platform/async/deadline.ts'
import type { Services } from '../src/services.ts'
import { buildMetricsApp } from '../src/surfaces/metrics.ts'

const lookMs = 2000
const answerMs = 1000
export const stuckAfterMs = 60_000

export type Watch = {
  /** Call it each time a usage job has completed. */
  finished(): void
  /** Checks once whether usage jobs wait and the stores respond. */
  look(): Promise<void>
  /**
   * Whether no usage job completed for 60 seconds, while usage jobs waited and the stores responded all the
   * time.
   */
  isStuck(): boolean
  stop(): void
}

/** @param now a clock in milliseconds, for tests. */
export function watchProgress({ sql, queue }: Pick<Services, 'sql' | 'queue'>, now = Date.now): Watch {
  let healthyAt = now()
  const timer = setInterval(() => void look(), lookMs).unref()

  async function look(): Promise<void> {
    const { reachable, backlog } = queue.state()
    if (!reachable || !backlog?.waiting || !(await databaseResponds())) healthyAt = now()
  }

  async function databaseResponds(): Promise<boolean> {
    try {
      await within(answerMs, sql`select 1`, () => new Error('PostgreSQL does not respond'))
      return true
    } catch {
      return false
    }
  }

  return {
    finished() {
      healthyAt = now()
    },
    look,
    isStuck: () => now() - healthyAt > stuckAfterMs,
    stop: () => clearInterval(timer),
  }
}

export function buildHealth(services: Pick<Services, 'config' | 'metrics'>, watch: Watch): FastifyInstance {
  const app = buildMetricsApp(services)
  app.get('/healthz', async () => {
    if (watch.isStuck())
      throw problems.unavailable(
        'This worker has finished no usage job for a minute, although usage jobs wait.',
        10,
      )
    return { data: { Status: 'alive' } }
  })
  return app
}
