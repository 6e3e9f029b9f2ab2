/**
 * Whether this worker works, for supervisors, beside its metrics on a port of its own. Red only when it stopped
 * consuming for a reason of its own: a store that is away is nobody's to restart.
 */
import type { FastifyInstance } from 'fastify'
import { problems } from '../src/http/problems.ts'
import { within } from '../src/platform/async/deadline.ts'
import type { Services } from '../src/services.ts'
import { buildMetricsApp } from '../src/surfaces/metrics.ts'

const lookMilliseconds = 2000
const answerMilliseconds = 1000
export const patienceMilliseconds = 60_000

export type Watch = {
  /** To be called whenever a usage job was finished. */
  finished(): void
  /** Looks once whether jobs wait and the stores answer. */
  look(): Promise<void>
  /** Whether nothing was finished for 60 seconds during all of which jobs waited and the stores answered. */
  isStuck(): boolean
  stop(): void
}

/** @param now Milliseconds; tests bring a clock of their own. */
export function watchProgress({ sql, queue }: Pick<Services, 'sql' | 'queue'>, now = Date.now): Watch {
  let excusedAt = now()
  const timer = setInterval(() => void look(), lookMilliseconds).unref()

  async function look(): Promise<void> {
    const { reachable, backlog } = queue.state()
    if (!reachable || !backlog?.waiting || !(await answers())) excusedAt = now()
  }

  async function answers(): Promise<boolean> {
    try {
      await within(answerMilliseconds, sql`select 1`, () => new Error('PostgreSQL does not answer'))
      return true
    } catch {
      return false
    }
  }

  return {
    finished() {
      excusedAt = now()
    },
    look,
    isStuck: () => now() - excusedAt > patienceMilliseconds,
    stop: () => clearInterval(timer),
  }
}

export function buildHealth(services: Pick<Services, 'config' | 'metrics'>, watch: Watch): FastifyInstance {
  const app = buildMetricsApp(services)
  app.get('/healthz', async () => {
    if (watch.isStuck()) throw problems.unavailable('This worker has stopped consuming jobs.', 10)
    return { data: { Status: 'alive' } }
  })
  return app
}
