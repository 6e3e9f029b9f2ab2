/**
 * Use cases that sum up usage: a summary as JSON, its days as lines of a file, and the overview on a page.
 */
import type { Caller } from '../../accounts/service.ts'
import { problems } from '../../http/problems.ts'
import type { TakeTurn } from '../../platform/async/shares.ts'
import { inOrder, type Transaction } from '../../platform/postgres/database.ts'
import { type SpooledText, spoolText, type WriteText } from '../../platform/text/spool.ts'
import { type Days, dailyRangeErrors, dailyTotalsErrors, dailyTotalsLimit, rangeErrors } from '../model.ts'
import type { Summary, SummaryQuery } from '../schemas.ts'
import type { Pending } from './pending.ts'
import { type Reading, refuse, trimmed } from './service.ts'
import {
  countDailyTotals,
  declareSums,
  fetchSums,
  findPeriod,
  type SumShape,
  sumUsage,
  type UsageQuery,
} from './summary-queries.ts'
import { jsonForm, type SummaryForm, viewPeriod, viewSums, viewTotals } from './summary-text.ts'

/** The requested sums, and the account. */
type SumsRequest = { of: Pick<Caller, 'accountId' | 'timeZone'>; range: Days & { meter?: string[] } }

/** `pending` says how many of the account's entries are not counted, or `unknown`. */
export type SummaryText = { text: SpooledText; pending: string }

/**
 * Writes a summary as JSON. It counts the entries that were acknowledged and the events of built-in meters that were
 * committed before the call. Entries that are not stored within 2 seconds, or that the database rejects, are reported
 * as pending.
 * @throws Problem validation for a range that ends before it begins, or that exceeds the limits of a summary
 * by day.
 */
export function summarize(
  reading: Reading,
  of: SumsRequest['of'],
  { granularity, ...range }: SummaryQuery,
  takeTurn: TakeTurn,
): Promise<SummaryText> {
  const byDay = granularity === 'day'
  const asked = { of, range, shape: byDay ? ('meters-with-days' as const) : ('meters' as const) }
  return writeSums(reading, asked, jsonForm(range, byDay), takeTurn)
}

/**
 * Writes the sums of days, by day and meter, in the given form, without the sums of meters.
 * @throws Problem validation for the same ranges as a summary by day.
 */
export function writeDays(
  reading: Reading,
  asked: SumsRequest,
  form: SummaryForm,
  takeTurn: TakeTurn,
): Promise<SummaryText> {
  return writeSums(reading, { ...asked, shape: 'days' }, form, takeTurn)
}

// At this isolation level, all statements of a transaction see the same entries.
const snapshot = 'isolation level repeatable read read only'

async function writeSums(
  { longReads, awaitStored }: Reading,
  asked: SumsRequest & { shape: SumShape },
  form: SummaryForm,
  takeTurn: TakeTurn,
): Promise<SummaryText> {
  refuse(asked.shape === 'meters' ? rangeErrors(asked.range) : dailyRangeErrors(asked.range))
  const pending = await awaitStored(asked.of.accountId)
  const query = describe(asked, pending)
  const turn = await takeTurn()
  let uncounted = 0
  const read = (write: WriteText) =>
    longReads.begin(snapshot, async (tx) => {
      await refuseTooMany(tx, query)
      const [period] = await findPeriod(tx, query)
      uncounted = period!.uncounted
      // The head is written before the sums are known, so that the client gets data while PostgreSQL sorts many sums.
      await write(form.head(period!))
      const { first } = await inOrder({ declared: declareSums(tx, query), first: fetchSums(tx) })
      await write(form.everything(first[0]!))
      // Reads the next rows only after the previous ones are written, and stops if the client no longer waits.
      for (let rows = first.slice(1); rows.length > 0; rows = await fetchSums(tx)) {
        if (!turn.isAwaited()) throw problems.unavailable()
        await write(rows.map(form.row).join(''))
      }
      await write(form.end())
    })
  const text = await spoolText((write) => read(write).finally(turn.done))
  return { text, pending: pending ? String(uncounted) : 'unknown' }
}

/**
 * Refuses a summary with too many sums by day. The sums are counted first, because sorting them takes far
 * longer.
 */
async function refuseTooMany(tx: Transaction, query: UsageQuery): Promise<void> {
  if (query.shape === 'meters') return
  const count = await countDailyTotals(tx, query, dailyTotalsLimit + 1)
  if (count > dailyTotalsLimit) refuse(dailyTotalsErrors())
}

/** The part of a summary on a page: the largest meters, some of them with their days. */
export type UsageOverview = { summary: Summary; hasMore: boolean; pending: string }

/**
 * The sums of the largest meters, at most `most` of them. The first `withDays` of them have the sums of their days,
 * too.
 * @throws Problem validation for a range that ends before it begins.
 */
export async function overviewUsage(
  { longReads, awaitStored }: Reading,
  asked: SumsRequest,
  { most, withDays }: { most: number; withDays: number },
  takeTurn: TakeTurn,
): Promise<UsageOverview> {
  refuse(rangeErrors(asked.range))
  const pending = await awaitStored(asked.of.accountId)
  // One row more for the total, and one more that shows whether there are more meters.
  const query = { ...describe({ ...asked, shape: 'meters' }, pending), limit: most + 2 }
  const turn = await takeTurn()
  const found = longReads.begin(snapshot, async (tx) => {
    const { periods, rows } = await inOrder({ periods: findPeriod(tx, query), rows: sumUsage(tx, query) })
    const [period, everything, meters] = [periods[0]!, rows[0]!, rows.slice(1)]
    const days = await findDays(
      tx,
      query,
      meters.slice(0, withDays).map(({ meter }) => meter!),
    )
    const Meters = meters.slice(0, most).map((row) => {
      const sums = { Meter: row.meter!, ...viewSums(row) }
      const Days = days.get(sums.Meter)
      return Days ? { ...sums, Days } : sums
    })
    return {
      summary: { Period: viewPeriod(asked.range, period), Totals: viewTotals(everything), Meters },
      hasMore: meters.length > most,
      pending: pending ? String(period.uncounted) : 'unknown',
    }
  })
  return found.finally(turn.done)
}

type DaySums = { Day: string; TotalUsage: number; EventCount: number }

async function findDays(
  tx: Transaction,
  { limit: _, ...query }: UsageQuery,
  meters: string[],
): Promise<Map<string, DaySums[]>> {
  const days = new Map<string, DaySums[]>(meters.map((meter) => [meter, []]))
  if (meters.length === 0) return days
  for (const row of await sumUsage(tx, { ...query, meters, shape: 'days' }))
    if (row.day !== null) days.get(row.meter!)?.push({ Day: row.day, ...viewSums(row) })
  return days
}

function describe(
  { of, range, shape }: SumsRequest & { shape: SumShape },
  pending: Pending | null,
): UsageQuery {
  const { from, to, meter } = range
  return {
    accountId: of.accountId,
    timeZone: of.timeZone,
    from,
    to,
    meters: trimmed(meter),
    shape,
    pendingIds: pending?.ids ?? [],
  }
}
