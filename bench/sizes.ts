/**
 * The size of a booking and a usage entry in PostgreSQL: on disk with every index, and in the write-ahead
 * log.
 */

import { storeEntries } from '../src/metering/store/storage.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import { postgresBytes } from './harness/stores.ts'

export type Size = { count: number; diskBytes: number; walBytes: number }

/** @param work makes rows, and returns how many. */
export async function measureSize(sql: Sql, work: () => Promise<number>): Promise<Size> {
  const before = await read(sql)
  const count = await work()
  const after = await read(sql)
  return {
    count,
    diskBytes: (after.disk - before.disk) / count,
    walBytes: (after.wal - before.wal) / count,
  }
}

async function read(sql: Sql): Promise<{ disk: number; wal: number }> {
  const [row] = await sql<{ wal: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as wal`
  return { disk: await postgresBytes(sql), wal: row!.wal }
}

/** Stores entries on a hundred meters as the worker does, a thousand in each statement. */
export async function storeMany(sql: Sql, accountId: number, statements: number): Promise<number> {
  const size = 1000
  const acceptedAt = Date.now()
  for (let statement = 0; statement < statements; statement++) {
    const entries = Array.from({ length: size }, (_, index) => ({
      accountId,
      id: statement * size + index + 1,
      acceptedAt,
      meter: `meter ${index % 100}`,
      usage: '1.5',
      occurredAt: Math.floor(acceptedAt / 1000),
      extraInfo: null,
    }))
    await storeEntries(sql, entries)
  }
  return statements * size
}
