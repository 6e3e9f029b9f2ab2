/**
 * Scorecards of partners: the outcomes and times of their requests. Requests are counted in memory and added
 * to the database every few seconds, in one statement that no request waits for. So the figures are not
 * exact: a crash loses the requests of some seconds, and a connection that breaks during the commit may count
 * them twice.
 */
import type { Logger } from 'pino'
import { type Caller, listPartners } from '../../accounts/service.ts'
import { createLaterWrites } from '../../platform/async/write-later.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import {
  bucketOf,
  type Operation,
  type OperationScore,
  type RequestOutcome,
  score,
  type Tally,
} from './model.ts'
import { addTallies, deleteTallies, listTallies, type PartnerTally } from './queries.ts'

export type CallCounter = {
  /** Counts a request and its response time in milliseconds. Never throws. */
  count(caller: Caller, operation: Operation, outcome: RequestOutcome, milliseconds: number): void
  close(): Promise<void>
}

const gatherSeconds = 5
const scorecardRetentionDays = 35
const noPartner = 0

export function createCallCounter(sql: Sql, log: Logger): CallCounter {
  const tallies = new Map<string, PartnerTally>()
  const writes = createLaterWrites(log, {
    seconds: gatherSeconds,
    async write() {
      const taken = [...tallies.values()]
      tallies.clear()
      try {
        await addTallies(sql, taken)
      } catch (error) {
        for (const tally of taken) add(tally)
        throw error
      }
    },
  })

  function add(tally: PartnerTally): void {
    const { accountId, partnerId, operation, outcome, withinMs, calls } = tally
    const name = `${accountId} ${partnerId} ${operation} ${outcome} ${withinMs}`
    const known = tallies.get(name)
    if (known) known.calls += calls
    else tallies.set(name, tally)
  }

  return {
    count({ accountId, partnerId }, operation, outcome, milliseconds) {
      const withinMs = bucketOf(milliseconds)
      add({ accountId, partnerId: partnerId ?? noPartner, operation, outcome, withinMs, calls: 1 })
      writes.due()
    },
    close: () => writes.close(),
  }
}

/** A partner of an account. `partnerId` is null for keys without a partner. */
export type PartnerRef = Pick<Caller, 'accountId' | 'partnerId'>

/** The requests of a partner in all stored days. */
export async function listTalliesOf(sql: Sql, { accountId, partnerId }: PartnerRef): Promise<Tally[]> {
  const rows = await listTallies(sql, accountId, scorecardRetentionDays)
  return rows.filter((row) => row.partnerId === (partnerId ?? noPartner))
}

/** `id` and `name` are null for keys without a partner. */
export type Scorecard = {
  id: number | null
  name: string | null
  book: OperationScore
  cancel: OperationScore
}

/**
 * The scorecards of the last `days` days: one for each partner, sorted by name, and one for the keys without a partner
 * if they made requests.
 */
export async function listScorecards(sql: Sql, accountId: number, days: number): Promise<Scorecard[]> {
  const [partners, rows] = await Promise.all([
    listPartners(sql, accountId),
    listTallies(sql, accountId, days),
  ])
  const own = rows.some(({ partnerId }) => partnerId === noPartner) ? [{ id: noPartner, name: null }] : []
  return [...partners, ...own].map(({ id, name }) => {
    const tallies: Tally[] = rows.filter(({ partnerId }) => partnerId === id)
    return {
      id: id === noPartner ? null : id,
      name,
      book: score('book', tallies),
      cancel: score('cancel', tallies),
    }
  })
}

/** Deletes counts older than 35 days; returns how many rows. */
export function sweepPartnerCalls(sql: Queryable): Promise<number> {
  return deleteTallies(sql, scorecardRetentionDays)
}
