/** Bull Board on the queues: its pages and its calls, without a word about who may use them. */
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyPluginCallback } from 'fastify'
import type { JobQueue } from './producer.ts'

export type Board = {
  plugin: FastifyPluginCallback<{ prefix?: string }>
  /** To be called before each request: a queue that could not be opened is another one by now. */
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
        // What these would show is the server's, not the queues'.
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

/** Whether a call of the board's changes nothing but when a job is tried: nothing that was accepted is lost by it. */
export function isHarmless(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  return (
    method === 'PUT' &&
    /\/api\/queues\/[^/]+\/(retry\/failed|promote|(?!clean\/)[^/]+\/(retry|promote))$/.test(path)
  )
}
