/** Selects the web processes that clients use, as a load balancer does: those that are ready. */
import { setTimeout as delay } from 'node:timers/promises'

type Web = { url: string }
export type Balancer = {
  /** The ready web processes; all of them when none is ready. */
  webs(): readonly Web[]
  stop(): Promise<void>
}

const betweenMs = 500
const answerMs = 1000
/** A single lost response does not remove a web process. */
const maxFailures = 2

/** Checks each web process repeatedly. */
export function startBalancer(webs: readonly Web[]): Balancer {
  const failures = new Map<Web, number>()
  const ending = new AbortController()
  const checks = webs.map(async (web) => {
    while (!ending.signal.aborted) {
      failures.set(web, (await isReady(web)) ? 0 : (failures.get(web) ?? 0) + 1)
      await delay(betweenMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  })
  return {
    webs() {
      const ready = webs.filter((web) => (failures.get(web) ?? 0) < maxFailures)
      return ready.length > 0 ? ready : webs
    },
    async stop() {
      ending.abort()
      await Promise.all(checks)
    },
  }
}

function isReady({ url }: Web): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerMs) }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )
}
