/**
 * Reads that may be slightly old: from the standby while its age is known and small, else from the primary.
 * When the standby fails, a read takes longer but does not fail.
 */
import type { Logger } from 'pino'
import { within } from '../async/deadline.ts'
import { type DatabaseOptions, openDatabase, type Sql } from './database.ts'
import { createReplicaAge } from './replica-age.ts'

/**
 * Runs a query that changes nothing, perhaps on the standby. The result has everything that was committed
 * REPLICA_LAG_SECONDS or longer before this call. @throws what the primary throws.
 */
export type Read = <T>(query: (sql: Sql) => Promise<T>) => Promise<T>

export type Replica = {
  read: Read
  /** A sentence that says why reads go to the primary; null while the standby serves them, or if none is configured. */
  reason(): string | null
  close(): Promise<void>
}

/** For a process without a standby. */
export function primaryAlone(primary: Sql): Replica {
  return { read: (query) => query(primary), reason: () => null, close: async () => {} }
}

export type ReplicaOptions = {
  primaryUrl: string
  standbyUrl: string
  lagSeconds: number
  log: Logger
  database: DatabaseOptions
}

// A standby that takes longer than this is not used.
const maxMs = 1000

/**
 * Opens a standby and measures its age about eight times in each `lagSeconds`, until it is closed. A standby under
 * load need not have replayed the newest position: it counts as fresh if it has replayed the position of an
 * earlier measurement that is not older than `lagSeconds`.
 * @param primary the pool for reads that the standby must not or cannot serve.
 */
export function openReplica(
  primary: Sql,
  { primaryUrl, standbyUrl, lagSeconds, log, database }: ReplicaOptions,
): Replica {
  const standby = openDatabase(standbyUrl, database)
  // Connections of their own, so that a measurement never waits behind queries.
  const [watchedPrimary, watchedStandby] = [primaryUrl, standbyUrl].map((url) =>
    openDatabase(url, { ...database, poolSize: 1 }),
  ) as [Sql, Sql]
  const maxAge = lagSeconds * 1000
  const updateAge = createReplicaAge(maxAge)
  const behind = `The standby may be more than ${lagSeconds} s behind, so the primary serves its reads.`
  const away = 'The standby is out of reach, so the primary serves its reads.'
  let asOf = Number.NEGATIVE_INFINITY
  let fault: string | null = 'The standby has not responded yet.'
  let said: string | null = fault
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const isFresh = () => performance.now() - asOf <= maxAge
  const reason = () => (isFresh() ? null : (fault ?? behind))

  function stopUsingStandby(error: unknown): void {
    log.debug({ err: error }, 'the standby failed')
    asOf = Number.NEGATIVE_INFINITY
    fault = away
  }

  async function look(): Promise<void> {
    const replayed = await soon(replayedBy(watchedStandby)).catch(stopUsingStandby)
    if (replayed === undefined) return
    const at = performance.now()
    try {
      asOf = updateAge({ replayed, at, position: await soon(flushedBy(watchedPrimary)) })
    } catch (error) {
      // No fallback is needed yet: without new measurements, `asOf` becomes too old by itself.
      log.debug({ err: error }, 'the position of the primary could not be read')
    }
    fault = null
  }

  let looking: Promise<void>
  function watchOver(): void {
    looking = look().finally(() => {
      if (closed) return
      const now = reason()
      if (now !== said && now) log.warn({ reason: now }, 'the standby is not used')
      else if (now !== said) log.info('the standby is used')
      said = now
      timer = setTimeout(watchOver, maxAge / 8).unref()
    })
  }
  watchOver()

  return {
    async read(query) {
      if (!isFresh()) return query(primary)
      try {
        return await soon(query(standby))
      } catch (error) {
        // Includes errors of the query itself: the primary then reports those.
        stopUsingStandby(error)
        return query(primary)
      }
    },
    reason,
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
      await Promise.all([standby, watchedStandby, watchedPrimary].map((sql) => sql.end({ timeout: 1 })))
    },
  }
}

function soon<T>(work: Promise<T>): Promise<T> {
  return within(maxMs, work, () => new Error('the server did not respond in time'))
}

/** @throws when the server is not a standby, or no longer is: its data then differs from the primary's. */
async function replayedBy(standby: Sql): Promise<number> {
  const [row] = await standby<{ position: number | null }[]>`
    select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end
      as position`
  if (row!.position === null) throw new Error('the server of DATABASE_REPLICA_URL is not a standby')
  return row!.position
}

/** Committed data is flushed before any client sees it. @throws when the server is a standby itself. */
async function flushedBy(primary: Sql): Promise<number> {
  const [row] = await primary<{ position: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint as position`
  return row!.position
}
