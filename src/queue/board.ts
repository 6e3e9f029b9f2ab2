/** Bull Board for the queues: its pages and requests. It does not decide who may use them. */
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyPluginCallback } from 'fastify'
import type { JobQueue } from './producer.ts'

export type Board = {
  plugin: FastifyPluginCallback<{ prefix?: string }>
  /** Call it before each request, because a queue that could not be opened may have been replaced. */
  refresh(): void
}

/** @param path Where its plugin is registered. */
export function createBoard(queue: JobQueue, path: string): Board {
  const server = new FastifyAdapter().setBasePath(path)
  const { replaceQueues } = createBullBoard({
    queues: [],
    serverAdapter: server,
    options: {
      uiConfig: {
        boardTitle: 'Queues',
        miscLinks: [{ text: 'Back to the dashboard', url: '/dashboard/health' }],
        // These would show details of the server, not of the queues.
        hideRedisDetails: true,
      },
    },
  })
  return {
    plugin: server.registerPlugin() as Board['plugin'],
    refresh() {
      replaceQueues(queue.listQueues().map((one) => new BullMQAdapter(one)))
    },
  }
}

/**
 * Whether a request of the board only reads, retries or promotes jobs. Other requests could delete accepted entries.
 */
export function isHarmless(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return (
    method === 'PUT' &&
    /\/api\/queues\/[^/]+\/(retry\/failed|promote|(?!clean\/)[^/]+\/(retry|promote))$/.test(path)
  )
}
