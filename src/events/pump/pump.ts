/**
 * The pump gives committed events their numbers, without gaps in each account. In the same transaction, it
 * does the work that must follow each event exactly once. Any number of processes may run it.
 *
 * One statement locks the counters, and a second one reads the events. The snapshot of the second statement
 * begins after the last holder of the counter has committed, so no number is given twice. An event that
 * commits after this snapshot gets a later number, even if its id is lower. If the process dies, its
 * transaction is rolled back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { inOrder, preferIndexes, type Sql, type Transaction } from '../../platform/postgres/database.ts'
import { isDataError, isLockTimeout, isOutOfReach, isRetryable } from '../../platform/postgres/errors.ts'
import { isTracing, startSpan, traceContext } from '../../platform/tracing/tracing.ts'
import { createDecidedId, type DecidedId } from './decided-id.ts'
import type { NumberedEvent } from './queries.ts'
import * as queries from './queries.ts'

export type { NumberedEvent } from './queries.ts'

/**
 * Does the work that follows events exactly once, in the transaction that numbers them. Events are ordered by
 * account and number.
 */
export type EventConsumer = (tx: Transaction, events: readonly NumberedEvent[]) => Promise<void>

export type PumpOptions = {
  sql: Sql
  log: Logger
  consumers: readonly EventConsumer[]
  /**
   * Called with accounts that may have more events to number: because another process has locked their
   * counter or another row, or because this call has numbered its limit of 2,000 events of the account.
   */
  postponed?: (accountIds: number[]) => void
}

// A transaction numbers at most 500 events of each of at most 20 accounts. A call numbers at most 4 times 500 events
// of an account, and tries an account at most 10 times while its counter is locked. The rest waits for the next
// call, so that no account delays the others.
const accountsAtOnce = 20
const eventsAtOnce = 500
const turnsAtOnce = 4
const lockWaitMs = 200
const busyTries = 10
const busyDelayMs = 20

/**
 * Returns the job that numbers events: of the given accounts, or of all accounts that have events without a
 * number. One call numbers at most 2,000 events of an account. It resolves with the number of numbered events.
 */
export function createPump(options: PumpOptions): (accountIds?: readonly number[]) => Promise<number> {
  const { sql, postponed = () => {} } = options
  const findDecidedId = createDecidedId(sql)
  return async (accountIds) => {
    const requestedIds = new Set(accountIds ?? (await queries.listWaitingAccounts(sql)))
    const waiting = [...requestedIds].map((accountId): AccountProgress => ({ accountId, turns: 0, busy: 0 }))
    const postponedIds: number[] = []
    let numbered = 0
    while (waiting.length > 0) {
      const turn = waiting.splice(0, accountsAtOnce)
      if (turn.every(({ busy }) => busy > 0)) await delay(busyDelayMs)
      const ids = turn.map(({ accountId }) => accountId)
      const round = await numberTogetherOrApart(options, ids, await findDecidedId())
      numbered += round.numbered
      postponedIds.push(...round.stuck)
      for (const next of turn.flatMap((progress) => progressAfter(progress, round))) {
        if (next.turns < turnsAtOnce && next.busy < busyTries) waiting.push(next)
        else postponedIds.push(next.accountId)
      }
    }
    if (postponedIds.length > 0) postponed(postponedIds)
    return numbered
  }
}

/**
 * How often a call has numbered a full batch of the account's events (`turns`), and how often since then the
 * counter was locked (`busy`).
 */
type AccountProgress = { accountId: number; turns: number; busy: number }

/** The account with its new progress if this call must return to the account; otherwise empty. */
function progressAfter({ accountId, turns, busy }: AccountProgress, round: Round): AccountProgress[] {
  if (round.busy.includes(accountId)) return [{ accountId, turns, busy: busy + 1 }]
  return round.unfinished.includes(accountId) ? [{ accountId, turns: turns + 1, busy: 0 }] : []
}

type Round = {
  numbered: number
  /** Accounts that may have more events to number. */
  unfinished: number[]
  /** Accounts whose counter another process has locked, probably for a moment. */
  busy: number[]
  /** Accounts for which a row other than the counter, such as a total, stayed locked for too long. */
  stuck: number[]
}

const nothing: Round = { numbered: 0, unfinished: [], busy: [], stuck: [] }

/**
 * Numbers the events of several accounts together. If this fails because of one account, or because another
 * transaction has locked a row of one account, such as a total, each account is numbered in a transaction of
 * its own, so that one account does not delay the others.
 */
async function numberTogetherOrApart(
  options: PumpOptions,
  accountIds: number[],
  decided: DecidedId,
): Promise<Round> {
  try {
    return await numberSome(options, accountIds, decided)
  } catch (error) {
    const isStuck = isLockTimeout(error)
    if (!isStuck && (isOutOfReach(error) || isRetryable(error))) throw error
    if (accountIds.length === 1) {
      const [accountId] = accountIds
      // A failed account is not postponed: it would be retried at once and fail again. The scheduled job
      // retries it.
      if (!isStuck) options.log.error({ accountId, err: error }, 'events of an account cannot be numbered')
      return { ...nothing, stuck: isStuck ? accountIds : [] }
    }
  }
  const rounds: Round[] = []
  for (const accountId of accountIds) rounds.push(await numberTogetherOrApart(options, [accountId], decided))
  return {
    numbered: rounds.reduce((sum, { numbered }) => sum + numbered, 0),
    unfinished: rounds.flatMap(({ unfinished }) => unfinished),
    busy: rounds.flatMap(({ busy }) => busy),
    stuck: rounds.flatMap(({ stuck }) => stuck),
  }
}

async function numberSome(options: PumpOptions, accountIds: number[], decided: DecidedId): Promise<Round> {
  const { sql, consumers, log } = options
  const startMs = Date.now()
  let numbered: readonly NumberedEvent[] = []
  const round = await sql.begin(async (tx) => {
    const { locked, epochs } = await inOrder({
      byIndex: preferIndexes(tx),
      limit: queries.limitLockWaits(tx, lockWaitMs),
      made: queries.insertCounters(tx, accountIds),
      locked: queries.lockCounters(tx, accountIds),
      epochs: queries.readEpoch(tx),
    })
    const ours = locked.map(({ accountId }) => accountId)
    const epoch = epochs[0]!.epoch ?? (await beginEpoch(tx))
    const decidedId = epochs[0]!.server === decided.server ? decided.id : 0
    const events = await queries.numberEvents(tx, ours, { epoch, decidedId, limit: eventsAtOnce })
    const inSequence = [...events].sort(
      (one, other) => one.accountId - other.accountId || one.number - other.number,
    )
    for (const consumer of consumers) await consume(tx, consumer, inSequence, log)
    numbered = events
    const countOf = (id: number) => events.filter(({ accountId }) => accountId === id).length
    return {
      numbered: events.length,
      unfinished: ours.filter((accountId) => countOf(accountId) === eventsAtOnce),
      busy: accountIds.filter((accountId) => !ours.includes(accountId)),
      stuck: [],
    }
  })
  if (isTracing()) traceNumbered(numbered, startMs)
  return round
}

/** Adds a span to the trace of each numbered event, with a link to the active span, which numbers many events. */
function traceNumbered(events: readonly NumberedEvent[], startMs: number): void {
  const links = [traceContext()]
  for (const { accountId, type, traceContext: parent } of events)
    if (parent !== null)
      startSpan(`number ${type}`, {
        ...{ parent, links, startMs },
        attributes: { 'account.id': accountId, 'event.type': type },
      })?.end()
}

async function beginEpoch(tx: Transaction): Promise<number> {
  await queries.insertEpoch(tx)
  const [row] = await queries.readEpoch(tx)
  return row!.epoch!
}

/**
 * Passes events to a consumer. If PostgreSQL refuses the consumer's data because of an event, the pump finds
 * that event by halving and skips it for this consumer. All events get their numbers.
 */
async function consume(
  tx: Transaction,
  consumer: EventConsumer,
  events: readonly NumberedEvent[],
  log: Logger,
): Promise<void> {
  if (events.length === 0) return
  try {
    await tx.savepoint((point) => consumer(point as Transaction, events))
  } catch (error) {
    if (!isDataError(error)) throw error
    if (events.length > 1) {
      const half = events.length >> 1
      await consume(tx, consumer, events.slice(0, half), log)
      await consume(tx, consumer, events.slice(half), log)
      return
    }
    const { accountId, id, type } = events[0]!
    log.error({ accountId, event: id, type, err: error }, 'an event was skipped by a consumer')
  }
}
