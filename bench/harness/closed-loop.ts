/** A load like that of wrk, of which the time and the body of every answer are known. */
import { Agent } from 'node:http'
import { type Answer, ask } from './http.ts'
import type { LoadRequest } from './load.ts'

type ClosedLoop = {
  target: string
  /** Sent in turn, again and again. */
  requests: LoadRequest[]
  connections: number
  seconds: number
  /** Called with each answer, when it came and when its request was sent, as performance.now() gives it. */
  answered(answer: Answer, at: number, sentAt: number): void
}

/** Keeps the connections busy for so long, and ends when every request is answered. @throws when one never is. */
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
