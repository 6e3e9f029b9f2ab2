/** How long a process does not respond because its event loop is blocked or it gets no processor. */
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from './http.ts'

const pauseMs = 5

/**
 * Requests `/healthz` repeatedly, until the returned function is called. That function returns the longest time between
 * two responses in milliseconds.
 */
export function watchHealth(target: string): () => Promise<number> {
  const agent = new Agent({ keepAlive: true })
  let isOver = false
  let longest = 0
  async function watch(): Promise<void> {
    for (let last = performance.now(); !isOver; ) {
      await ask(agent, target, { method: 'GET', path: '/healthz', token: '' })
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
      await delay(pauseMs)
    }
    agent.destroy()
  }
  const watching = watch()
  return async () => {
    isOver = true
    await watching
    return longest
  }
}
