/** A load like that of wrk, but with the time and body of every response. */
import { Agent } from 'node:http'
import { type Answer, ask } from './http.ts'
import type { LoadRequest } from './load.ts'

type ClosedLoop = {
  target: string
  /** Sent in turn, repeatedly. */
  requests: LoadRequest[]
  connections: number
  seconds: number
  /**
   * Called with each response, when it arrived and when its request was sent, as times of performance.now().
   */
  answered(answer: Answer, at: number, sentAt: number): void
}

/**
 * Keeps the connections busy for this long, and ends when every request has a response. @throws when a connection
 * breaks.
 */
export async function runClosedLoop(load: ClosedLoop): Promise<void> {
  const { target, requests, connections, seconds, answered } = load
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ends = performance.now() + seconds * 1000
  let sent = 0
  const keepBusy = async () => {
    for (let sentAt = performance.now(); sentAt < ends; sentAt = performance.now()) {
      const answer = await ask(agent, target, requests[sent++ % requests.length]!)
      answered(answer, performance.now(), sentAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, keepBusy))
  } finally {
    agent.destroy()
  }
}
