/** Checks that everything acknowledged to the clients of a load exists, once, and is consistent. */
import { isDeepStrictEqual } from 'node:util'
import type { Queryable, Sql } from '../../src/platform/postgres/database.ts'
import { run } from '../command-line.ts'
import { until } from '../until.ts'
import { entryUsage, slug, type Tally } from './load.ts'

export type Totals = {
  /** Bookings that are or were confirmed, and how many of them are cancelled. */
  bookings: number
  cancelled: number
  /** Completed baskets and partners' bookings, each of which is metered once. */
  orders: number
  /** Metered orders: those in the totals, and those whose event has no number yet. */
  metered: number
  /** Entries of the load's own meters. */
  entries: number
  usage: string
}

/** The state of the tables. In a repeatable read transaction, it is from one moment. */
export async function readTotals(sql: Queryable): Promise<Totals> {
  const [totals] = await sql<Totals[]>`
    select
      (select count(*) from bookings where confirmed_at is not null) as bookings,
      (select count(*) from bookings where status = 'cancelled' and confirmed_at is not null) as cancelled,
      (select count(*) from baskets where status = 'completed')
        + (select count(*) from bookings where channel = 'partner' and confirmed_at is not null) as orders,
      (select coalesce(sum(events), 0)::bigint from meter_daily where meter = 'order-completed')
        + (select count(*) from events where number is null and (type = 'basket.completed'
          or (type = 'booking.confirmed' and actor = 'partner'))) as metered,
      (select coalesce(sum(events), 0)::bigint from meter_daily where meter like 'meter %') as entries,
      (select coalesce(sum(total), 0)::text from meter_daily where meter like 'meter %') as usage`
  return totals!
}

/** The expected state if everything that was acknowledged exists, and nothing else happened. */
export function expectedTotals({ bookings, cancelled, entries }: Tally): Totals {
  return {
    bookings: bookings.length,
    cancelled: cancelled.length,
    orders: bookings.length,
    metered: bookings.length,
    entries: entries.length,
    usage: (entries.length * entryUsage).toFixed(2),
  }
}

/** The totals of two loads together, with `moreEntries` of the first load that were not counted yet. */
export function sumOf(a: Totals, b: Totals, moreEntries: number): Totals {
  const entries = a.entries + b.entries + moreEntries
  return {
    bookings: a.bookings + b.bookings,
    cancelled: a.cancelled + b.cancelled,
    orders: a.orders + b.orders,
    metered: a.metered + b.metered,
    entries,
    usage: (entries * entryUsage).toFixed(2),
  }
}

/**
 * Waits until the tables have the expected totals. @throws with the expected and the found totals if they
 * still differ when the time is over.
 */
export async function settle(sql: Sql, expected: Totals): Promise<void> {
  let found: Totals | undefined
  await until(async () => {
    found = await readTotals(sql)
    return isDeepStrictEqual({ ...found }, expected)
  }).catch(() => {})
  if (!isDeepStrictEqual({ ...found }, expected))
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}

/** @throws with up to five references for which no booking exists. */
export async function expectBookings(sql: Sql, references: string[]): Promise<void> {
  const missing = await sql`
    select reference from unnest(${references}::text[]) as reference
    except select reference from bookings`
  if (missing.length > 0) throw new Error(`bookings are missing: ${JSON.stringify(missing.slice(0, 5))}`)
}

/** Runs both audits of the command line. @throws what one of them found. */
export async function audit(databaseUrl: string): Promise<void> {
  const range = ['--from', '2020-01-01', '--to', '2100-01-01']
  for (const [feature, more] of [
    ['bookings', []],
    ['usage', range],
  ] as const) {
    const { code, stdout, stderr } = await run(
      { DATABASE_URL: databaseUrl },
      feature,
      'audit',
      '--account',
      slug,
      ...more,
    )
    if (code !== 0) throw new Error(`${feature} audit: ${stderr}${stdout}`)
  }
}
