/**
 * A client with a fixed schedule: it sends each request when it is due, even if earlier ones still wait. So a
 * response time counts from when the request was due.
 */
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from './http.ts'
import type { LoadRequest } from './load.ts'
import { quantilesOf } from './quantiles.ts'

export type Times = {
  sent: number
  /** Responses with the status `expected`; without it, responses below 400. */
  accepted: number
  /** Milliseconds, of all responses. */
  p50: number
  p90: number
  p95: number
  p99: number
}

type OpenLoop = {
  target: string
  requests: LoadRequest[]
  perSecond: number
  /** When left out, each request is sent once. */
  seconds?: number
  expected?: number
}

/** Sends the requests in turn, and ends when all have responses. @throws when a connection breaks. */
export async function runOpenLoop({
  target,
  requests,
  perSecond,
  seconds,
  expected,
}: OpenLoop): Promise<Times> {
  const agent = new Agent({ keepAlive: true })
  const began = performance.now()
  const length = seconds === undefined ? requests.length : Math.ceil(perSecond * seconds)
  const answers = Array.from({ length }, async (_, index) => {
    const due = began + (index * 1000) / perSecond
    await delay(due - performance.now())
    const { status } = await ask(agent, target, requests[index % requests.length]!)
    return { status, milliseconds: performance.now() - due }
  })
  const all = await Promise.all(answers)
  agent.destroy()
  const { p50, p90, p95, p99 } = quantilesOf(all.map(({ milliseconds }) => milliseconds))
  const accepted = all.filter(({ status }) => (expected ? status === expected : status < 400)).length
  return { sent: all.length, accepted, p50, p90, p95, p99 }
}
