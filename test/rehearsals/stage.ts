/** The basis of every rehearsal: a folder, and components that are stopped in reverse order, also after a failure. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, type Sql } from '../../src/platform/postgres/database.ts'
import type { startLoad, Tally } from '../fleet/load.ts'
import { audit, expectBookings, expectedTotals, settle } from '../fleet/totals.ts'
import { startRedisServer } from '../redis-server.ts'

type Load = Pick<ReturnType<typeof startLoad>, 'stop' | 'tally'>

export type Stage = {
  /** A temporary folder, removed at the end. */
  folder: string
  /** Registers work for the end of the rehearsal. The work registered last runs first. */
  atEnd(work: () => Promise<unknown>): void
  open(databaseUrl: string): Sql
  /**
   * Starts a Redis that loses nothing it acknowledged, and returns its URL. @throws without redis-server on
   * the PATH.
   */
  startRedis(): Promise<string>
}

/** Runs a rehearsal; the process exits with 1 when it throws. */
export async function rehearse(work: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-rehearsal-'))
  const ends: (() => Promise<unknown>)[] = []
  const atEnd = (end: () => Promise<unknown>) => void ends.push(end)
  const stage = {
    folder,
    atEnd,
    open(databaseUrl: string) {
      const sql = openDatabase(databaseUrl, { poolSize: 2, applicationName: 'abs-rehearsal' })
      atEnd(() => sql.end({ timeout: 1 }))
      return sql
    },
    async startRedis() {
      const redis = await startRedisServer(folder)
      if (!redis) throw new Error('redis-server is not on the PATH (on Debian: apt-get install redis-server)')
      atEnd(() => redis.stop())
      return redis.url
    },
  }
  try {
    await work(stage)
  } catch (error) {
    say(`FAILED: ${error instanceof Error ? error.stack : error}`)
    process.exitCode = 1
  } finally {
    for (const end of ends.toReversed()) await end().catch((error) => say(`at the end: ${error}`))
    await rm(folder, { recursive: true, force: true })
  }
  // After a failure, the load may still run. The process exits nevertheless.
  process.exit()
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** @throws with the first failures, if there are any. */
export function expectNoFailures({ failed, requests }: Tally): void {
  if (failed.length === 0) return
  throw new Error(`${failed.length} of ${requests} requests failed:\n${failed.slice(0, 5).join('\n')}`)
}

/** Stops a load of which no request may fail, and compares its acknowledged results with the tables. */
export async function endLoad({ stop, tally }: Load, sql: Sql, databaseUrl: string): Promise<void> {
  await stop()
  expectNoFailures(tally)
  await settle(sql, expectedTotals(tally))
  await expectBookings(sql, tally.bookings)
  await audit(databaseUrl)
}

/** The 99th percentile of numbers, rounded; 0 if there are none. */
export function p99(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
}
