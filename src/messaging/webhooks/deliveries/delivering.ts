/**
 * Delivers events: creates a delivery for each endpoint that gets an event, claims due deliveries, sends them, and
 * marks the outcomes. Any number of processes can run this. A slow or dead endpoint does not delay others, because
 * endpoints take turns and a process limits its concurrent deliveries for each endpoint, for each account, and in
 * total.
 *
 * | a process dies | then |
 * |---|---|
 * | before a claim is committed | nothing was claimed |
 * | between a claim and its mark | the lease ends, and the delivery is tried again with the same id |
 * | after the mark | nothing is lost: the outcome is stored |
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createBatcher } from '../../../platform/async/batcher.ts'
import type { Sender } from '../../../platform/outgoing/sender.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { advanceEndpoints, type EndpointKey } from './advance-queries.ts'
import { claimDeliveries } from './claim-queries.ts'
import { type MarkedEndpoint, makeDueNow, storeTries } from './mark-queries.ts'
import { type ClaimedDelivery, gatherSeconds, type TryOutcome } from './model.ts'
import { type ComposingOptions, type Content, composeApart, trySending } from './trying.ts'
import { createUnderWay } from './under-way.ts'

export type DeliveringOptions = ComposingOptions & {
  sender: Sender
  /** Called in the transaction that pauses endpoints. */
  paused: (tx: Transaction, endpoints: readonly MarkedEndpoint[]) => Promise<void>
  /** `draining` becomes true when the process begins to stop. */
  state: { draining: boolean }
  /** Called with the outcome of each try, after it is stored. */
  tried?: (outcome: TryOutcome) => void
}

export type Delivering = {
  /**
   * Makes deliveries of the events of these accounts, or of all, and begins to send due deliveries of all
   * accounts. It resolves when no further delivery can begin at the moment. Deliveries under way continue.
   * When the outcomes of these deliveries are marked, further deliveries begin.
   */
  run(accountIds?: readonly number[]): Promise<void>
  /** Waits for deliveries under way, at most 5 seconds, and resolves when their outcomes are marked. */
  drain(): Promise<void>
}

const maxMarked = 500
const maxWaiting = 5000
/**
 * Less than the default of SHUTDOWN_TIMEOUT_SECONDS. A try that has no response after this is repeated when
 * its lease ends.
 */
const longestDrainMs = 5000

export function createDelivering(options: DeliveringOptions): Delivering {
  const { sql, log, state } = options
  const underWay = createUnderWay()
  const inHand = new Set<Promise<void>>()
  /** Accounts that may have new events. */
  let accountsToAdvance: Set<number> | 'all' = new Set()
  let mayClaim = false
  let running: Promise<void> | null = null
  let turn: EndpointKey | null = null
  let stopped = false

  const marks = createBatcher<TryOutcome, void>({
    maxSize: maxMarked,
    concurrency: 1,
    maxWaiting: maxWaiting,
    refusal: () => new Error('too many outcomes wait to be marked'),
    run: (outcomes) => mark(outcomes).then(() => outcomes.map(() => undefined)),
  })

  function run(accountIds?: readonly number[]): Promise<void> {
    if (!accountIds) accountsToAdvance = 'all'
    else if (accountsToAdvance !== 'all') for (const accountId of accountIds) accountsToAdvance.add(accountId)
    mayClaim = true
    running ??= work().finally(() => {
      running = null
    })
    return running
  }

  /** Ends when there are no events to process and no deliveries to claim, or when the process begins to stop. */
  async function work(): Promise<void> {
    while (!state.draining && (mayClaim || accountsToAdvance === 'all' || accountsToAdvance.size > 0)) {
      mayClaim = false
      const accounts = accountsToAdvance
      accountsToAdvance = new Set()
      if (accounts === 'all' || accounts.size > 0) await advance(accounts === 'all' ? null : [...accounts])
      const claimed = await claim()
      if (claimed.length === 0) continue
      mayClaim = true
      await begin(claimed)
    }
  }

  /**
   * Processes the next events of each endpoint once. Accounts with further events are added to
   * `accountsToAdvance` for the next round.
   */
  async function advance(accountIds: readonly number[] | null): Promise<void> {
    let isGathering = false
    let after: EndpointKey | null = null
    do {
      const advanced = await advanceEndpoints(sql, { after, accountIds })
      after = lastOf(advanced)
      for (const { accountId, gathered, isBehind } of advanced) {
        isGathering ||= gathered > 0
        if (isBehind && accountsToAdvance !== 'all') accountsToAdvance.add(accountId)
      }
    } while (after && !state.draining)
    if (isGathering) later(() => run([]), (gatherSeconds + 0.1) * 1000)
  }

  async function claim(): Promise<ClaimedDelivery[]> {
    const room = underWay.room()
    if (!room) return []
    const claimed = await claimDeliveries(sql, { after: turn, ...room })
    if (claimed.length === 0 && turn) {
      turn = null
      return claim()
    }
    turn = lastOf(claimed.map(({ accountId, endpointId: id }) => ({ accountId, id })))
    return claimed
  }

  /** Composes the claimed deliveries together, and begins to send them. */
  async function begin(claimed: readonly ClaimedDelivery[]): Promise<void> {
    for (const delivery of claimed) underWay.add(delivery)
    const contents = await composeApart(options, claimed).catch((error) => {
      // The deliveries are due again when their leases end.
      for (const delivery of claimed) underWay.remove(delivery)
      throw error
    })
    for (const [place, delivery] of claimed.entries()) {
      const sending = send(delivery, contents[place]!)
        .catch((error) => log.error({ delivery: delivery.id, err: error }, 'a delivery was not marked'))
        .finally(() => inHand.delete(sending))
      inHand.add(sending)
    }
  }

  async function send(delivery: ClaimedDelivery, content: Content): Promise<void> {
    const outcome = await trySending(options, delivery, content).finally(() => underWay.remove(delivery))
    if (!outcome) return
    await marks.add(outcome)
    options.tried?.(outcome)
  }

  async function mark(outcomes: TryOutcome[]): Promise<void> {
    const behind = await sql.begin(async (tx) => {
      const marked = await storeTries(tx, outcomes)
      const back = marked.filter(({ isBack }) => isBack)
      if (back.length > 0) await makeDueNow(tx, back)
      const pausedNow = marked.filter(({ paused }) => paused !== null)
      if (pausedNow.length > 0) await options.paused(tx, pausedNow)
      return marked.filter(({ isBehind }) => isBehind)
    })
    // The marked deliveries leave room for others, and the next deliveries of their lanes may be due.
    if (!state.draining && !stopped) run(behind.map(({ accountId }) => accountId)).catch(() => {})
  }

  function later(work: () => Promise<void>, milliseconds: number): void {
    delay(milliseconds, undefined, { ref: false })
      .then(() => (stopped ? undefined : work()))
      .catch(() => {})
  }

  return {
    run,
    async drain() {
      stopped = true
      await running?.catch(() => {})
      await Promise.race([Promise.all(inHand), delay(longestDrainMs, undefined, { ref: false })])
      await marks.drain()
    },
  }
}

function lastOf(keys: readonly EndpointKey[]): EndpointKey | null {
  const last = keys.reduce<EndpointKey | null>((highest, key) => {
    const isHigher = !highest || key.accountId > highest.accountId
    const isSame = key.accountId === highest?.accountId
    return isHigher || (isSame && key.id > highest!.id) ? key : highest
  }, null)
  return last && { accountId: last.accountId, id: last.id }
}
