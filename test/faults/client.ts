/**
 * Sends operations to web processes, and records every attempt. A client mostly stays with one web process,
 * and goes to the next when the result of an attempt is unknown. Like a load balancer, it skips web processes
 * that are not ready.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Balancer } from './balancer.ts'
import { calls } from './calls.ts'
import type { Answers, Attempt, History, Kind, OperationOf, Requests } from './history.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export type Client = {
  /**
   * Performs one operation: with a single attempt, or, with `once`, with one idempotency key until it is acknowledged,
   * refused, or abandoned after 40 seconds. With `once`, it is sometimes sent twice at the same time, or again after
   * success.
   * @returns the successful response, or null.
   */
  perform<K extends Kind>(
    kind: K,
    request: Requests[K],
    options?: { once?: boolean },
  ): Promise<Answers[K] | null>
}

const attemptMs = 5000
const retryForMs = 40_000
const againProbability = 0.15
const twiceProbability = 0.1
const elsewhereProbability = 0.2
/** Refusals after which nothing was done. */
const refusals = new Set([
  'insufficient-capacity',
  'timeslot-unavailable',
  'places-available',
  'booking-not-changeable',
  'basket-not-open',
  'offer-over',
])

/** What clients share. `served` has, for each kind, when the latest served attempt was sent. */
export type Run = {
  balancer: Pick<Balancer, 'webs'>
  world: World
  history: History
  served: Map<Kind, number>
}

export function createClient({ balancer, world, history, served }: Run, random: Random): Client {
  let turn = random.whole(0, balancer.webs().length - 1)
  let sent = 0
  const name = random.whole(0, 2 ** 32 - 1).toString(36)

  /**
   * @param beside 0 for the client's own web process, 1 for the next one: a request may be sent to both.
   */
  async function attempt<K extends Kind>(operation: OperationOf<K>, key: string | null, beside = 0) {
    const asked = turn + beside
    const webs = balancer.webs()
    const web = webs[asked % webs.length]!
    const { method, path, headers, body } = calls[operation.kind].toRequest(world, operation.request)
    const invoked = performance.now()
    const answer = await send<K>(operation.kind, web.url + path, {
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const made: Attempt<K> = { invoked, completed: performance.now(), ...answer }
    operation.attempts.push(made)
    if (made.outcome === 'unknown') turn = Math.max(turn, asked + 1)
    else served.set(operation.kind, Math.max(invoked, served.get(operation.kind) ?? 0))
    return made
  }

  return {
    async perform(kind, request, { once = false } = {}) {
      const operation: OperationOf<typeof kind> = { kind, request, attempts: [] }
      history.operations.push(operation as unknown as History['operations'][number])
      const key = once ? `${name} ${sent++}` : null
      const deadline = performance.now() + retryForMs
      if (random.chance(elsewhereProbability)) turn++
      while (true) {
        const copies = once && random.chance(twiceProbability) ? 2 : 1
        const made = await Promise.all(
          Array.from({ length: copies }, (_, beside) => attempt(operation, key, beside)),
        )
        const done = made.find(({ outcome }) => outcome === 'ok')
        if (done && once && random.chance(againProbability)) await attempt(operation, key, 1)
        if (done) return done.answer
        const isRefused = made.some(({ outcome }) => outcome === 'fail')
        if (isRefused || !once || performance.now() > deadline) return null
        await delay(random.between(20, 150))
      }
    },
  }
}

type Answer<K extends Kind> = Omit<Attempt<K>, 'invoked' | 'completed'>

async function send<K extends Kind>(kind: K, url: string, options: RequestInit): Promise<Answer<K>> {
  const unknown = { outcome: 'unknown', problem: null, answer: null } as const
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(attemptMs) })
    const { status, headers } = response
    const body = (await response.json()) as { data?: unknown; type?: string }
    if (status < 300)
      return { outcome: 'ok', status, problem: null, answer: calls[kind].read(body.data, headers) }
    const problem = body.type?.split('/').at(-1) ?? null
    const refused = status === 409 && problem !== null && refusals.has(problem)
    return { ...unknown, outcome: refused ? 'fail' : 'unknown', status, problem }
  } catch {
    return { ...unknown, status: null }
  }
}
