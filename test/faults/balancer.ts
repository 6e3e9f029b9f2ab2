/** Which webs clients are sent to: as behind a balancer, those that say they are ready. */
import { setTimeout as delay } from 'node:timers/promises'

type Web = { url: string }
export type Balancer = {
  /** The webs that are ready; all of them when none is. */
  webs(): readonly Web[]
  stop(): Promise<void>
}

const betweenMilliseconds = 500
const answerMilliseconds = 1000
/** One lost answer is not enough to be left out. */
const mostFailures = 2

/** Asks each web over and over. */
export function startBalancer(webs: readonly Web[]): Balancer {
  const failures = new Map<Web, number>()
  const ending = new AbortController()
  const checks = webs.map(async (web) => {
    while (!ending.signal.aborted) {
      failures.set(web, (await isReady(web)) ? 0 : (failures.get(web) ?? 0) + 1)
      await delay(betweenMilliseconds, undefined, { signal: ending.signal }).catch(() => {})
    }
  })
  return {
    webs() {
      const ready = webs.filter((web) => (failures.get(web) ?? 0) < mostFailures)
      return ready.length > 0 ? ready : webs
    },
    async stop() {
      ending.abort()
      await Promise.all(checks)
    },
  }
}

function isReady({ url }: Web): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerMilliseconds) }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )
}
