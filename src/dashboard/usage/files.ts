/** Usage as rows of a file: the days as summaries have them, and the entries behind them. */
import type { UsageEntryRow } from '../../metering/read/queries.ts'
import type { Summary } from '../../metering/schemas.ts'

type Row = readonly (string | number | null)[]

/** A row for each day and meter that has entries, by day. */
export async function* dayRows({ Meters }: Summary): AsyncGenerator<Row> {
  yield ['Day', 'Meter', 'TotalUsage', 'EventCount']
  const rows = Meters.flatMap(({ Meter, Days = [] }) =>
    Days.map(({ Day, TotalUsage, EventCount }) => [Day, Meter, TotalUsage, EventCount] as const),
  )
  yield* rows.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}

type UsageFilePage = { entries: UsageEntryRow[]; next: string | null }

/** A row for each entry, read page by page, as fast as they are taken. */
export async function* entryRows(
  first: UsageFilePage,
  more: (cursor: string) => Promise<UsageFilePage>,
): AsyncGenerator<Row> {
  yield ['ID', 'Meter', 'Usage', 'ExtraInfo', 'Day', 'OccurredAt', 'AcceptedAt', 'VoidedAt', 'VoidReason']
  for (let page: UsageFilePage | null = first; page; page = page.next ? await more(page.next) : null) {
    for (const entry of page.entries)
      yield [
        entry.id,
        entry.meter,
        // As it was kept: a double has fewer digits.
        entry.usage,
        entry.extraInfo,
        entry.day,
        instant(entry.occurredAt),
        instant(entry.acceptedAt),
        entry.voidedAt === null ? null : instant(entry.voidedAt),
        entry.voidReason,
      ]
  }
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
