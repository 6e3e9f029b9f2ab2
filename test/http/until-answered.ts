/**
 * Requests of tests on a busy machine. If the look-up of a key takes longer than its timeout, of at most four seconds,
 * the service answers 503 before the request has had any effect.
 */
import { setTimeout as delay } from 'node:timers/promises'

type Answer = { headers: Record<string, unknown> } & ({ statusCode: number } | { status: number })

/**
 * Sends a request again for as long as it gets 503, after the time in `Retry-After`, as a client does; at most ten
 * times. Only for requests that a 503 leaves without effect.
 */
export async function untilAnswered<T extends Answer>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    const status = 'statusCode' in answer ? answer.statusCode : answer.status
    if (status !== 503 || tries === 10) return answer
    await delay(1000 * Number(answer.headers['retry-after']))
  }
}
