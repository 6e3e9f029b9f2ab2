/**
 * The pump: gives committed events their numbers, account by account and without gaps, and does in the same
 * transaction what has to follow each event exactly once. Any number of processes may run it.
 *
 * The counters are locked by one statement and the events are read by a second. The snapshot of the second begins
 * after the last holder of the counter has committed, so that no number is given twice. An event that commits after
 * this snapshot gets a later number, also when its id is lower. A process that dies on any line leaves all or nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { inOrder, preferIndexes, type Sql, type Transaction } from '../../platform/postgres/database.ts'
import { isDataError, isLockTimeout, isOutOfReach, isRetryable } from '../../platform/postgres/errors.ts'
import { createDecidedId, type DecidedId } from './decided-id.ts'
import type { NumberedEvent } from './queries.ts'
import * as queries from './queries.ts'

export type { NumberedEvent } from './queries.ts'

/** Does what follows events exactly once, in the transaction that numbers them. They come by account and number. */
export type EventConsumer = (tx: Transaction, events: readonly NumberedEvent[]) => Promise<void>

export type PumpOptions = {
  sql: Sql
  log: Logger
  consumers: readonly EventConsumer[]
  /** Called with accounts that have more to number: another process has their counters locked, or their turns are over. */
  postponed?: (accountIds: number[]) => void
}

// How much one transaction takes on, and how often a call comes back to an account: an account with a long backlog
// gives way to the others, whose calls wait behind this one.
const accountsAtOnce = 20
const eventsAtOnce = 500
const turnsAtOnce = 4
const lockWaitMs = 200
const busyTries = 10
const busyDelayMs = 20

/**
 * Gives the job that numbers the events of some accounts, or of all that have one to number, at most 2,000 of each. It
 * resolves with how many it numbered.
 */
export function createPump(options: PumpOptions): (accountIds?: readonly number[]) => Promise<number> {
  const { sql, postponed = () => {} } = options
  const findDecidedId = createDecidedId(sql)
  return async (accountIds) => {
    const asked = new Set(accountIds ?? (await queries.listWaitingAccounts(sql)))
    const waiting = [...asked].map((accountId): Standing => ({ accountId, turns: 0, busy: 0 }))
    const left: number[] = []
    let numbered = 0
    while (waiting.length > 0) {
      const turn = waiting.splice(0, accountsAtOnce)
      if (turn.every(({ busy }) => busy > 0)) await delay(busyDelayMs)
      const ids = turn.map(({ accountId }) => accountId)
      const round = await numberApart(options, ids, await findDecidedId())
      numbered += round.numbered
      left.push(...round.stuck)
      for (const next of turn.flatMap((standing) => standAfter(standing, round))) {
        if (next.turns < turnsAtOnce && next.busy < busyTries) waiting.push(next)
        else left.push(next.accountId)
      }
    }
    if (left.length > 0) postponed(left)
    return numbered
  }
}

/** How often a call has come back to an account: for more of its events, and because its counter was locked. */
type Standing = { accountId: number; turns: number; busy: number }

/** Nothing when the account has no more to do. */
function standAfter({ accountId, turns, busy }: Standing, round: Round): Standing[] {
  if (round.busy.includes(accountId)) return [{ accountId, turns, busy: busy + 1 }]
  return round.unfinished.includes(accountId) ? [{ accountId, turns: turns + 1, busy: 0 }] : []
}

type Round = {
  numbered: number
  /** Accounts that may have more. */
  unfinished: number[]
  /** Accounts whose counter is locked elsewhere, most likely for a moment. */
  busy: number[]
  /** Accounts of which something else was locked for longer than it is waited for. */
  stuck: number[]
}

const nothing: Round = { numbered: 0, unfinished: [], busy: [], stuck: [] }

/**
 * Numbers the events of accounts together, or each account's alone where one of them fails or has a row locked elsewhere,
 * such as a total: it must not delay the others.
 */
async function numberApart(options: PumpOptions, accountIds: number[], decided: DecidedId): Promise<Round> {
  try {
    return await numberSome(options, accountIds, decided)
  } catch (error) {
    const isStuck = isLockTimeout(error)
    if (!isStuck && (isOutOfReach(error) || isRetryable(error))) throw error
    if (accountIds.length === 1) {
      const [accountId] = accountIds
      // The schedule tries again; a wake-up would do so at once, and fail again.
      if (!isStuck) options.log.error({ accountId, err: error }, 'events of an account cannot be numbered')
      return { ...nothing, stuck: isStuck ? accountIds : [] }
    }
  }
  const rounds: Round[] = []
  for (const accountId of accountIds) rounds.push(await numberApart(options, [accountId], decided))
  return {
    numbered: rounds.reduce((sum, { numbered }) => sum + numbered, 0),
    unfinished: rounds.flatMap(({ unfinished }) => unfinished),
    busy: rounds.flatMap(({ busy }) => busy),
    stuck: rounds.flatMap(({ stuck }) => stuck),
  }
}

async function numberSome(options: PumpOptions, accountIds: number[], decided: DecidedId): Promise<Round> {
  const { sql, consumers, log } = options
  return sql.begin(async (tx) => {
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
    const countOf = (id: number) => events.filter(({ accountId }) => accountId === id).length
    return {
      numbered: events.length,
      unfinished: ours.filter((accountId) => countOf(accountId) === eventsAtOnce),
      busy: accountIds.filter((accountId) => !ours.includes(accountId)),
      stuck: [],
    }
  })
}

async function beginEpoch(tx: Transaction): Promise<number> {
  await queries.insertEpoch(tx)
  const [row] = await queries.readEpoch(tx)
  return row!.epoch!
}

/**
 * Hands events to a consumer. An event that makes PostgreSQL refuse the consumer's data is found by halving and passed
 * over: it must not keep the log of its account, or of others, from going on.
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
    log.error({ accountId, event: id, type, err: error }, 'an event was passed over by what follows it')
  }
}
