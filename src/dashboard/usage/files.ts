/** Usage as rows of a file: daily totals, or entries. */
import type { UsageEntryRow } from '../../metering/read/queries.ts'
import type { SummaryForm } from '../../metering/read/summary-text.ts'
import { byteOrderMark, type CsvRow, toLine } from '../frame/csv.ts'

/** A row for each day and meter with entries, ordered by day and meter. */
export const dayRows: SummaryForm = {
  head: () => byteOrderMark + toLine(['Day', 'Meter', 'TotalUsage', 'EventCount']),
  everything: () => '',
  row: ({ day, meter, total, events }) => toLine([day, meter, Number(total), events]),
  end: () => '',
}

type UsageFilePage = { entries: UsageEntryRow[]; next: string | null }

/** A row for each entry. Reads the next page when the reader needs it. */
export async function* entryRows(
  first: UsageFilePage,
  more: (cursor: string) => Promise<UsageFilePage>,
): AsyncGenerator<CsvRow> {
  yield ['ID', 'Meter', 'Usage', 'ExtraInfo', 'Day', 'OccurredAt', 'AcceptedAt', 'VoidedAt', 'VoidReason']
  for (let page: UsageFilePage | null = first; page; page = page.next ? await more(page.next) : null) {
    for (const entry of page.entries)
      yield [
        entry.id,
        entry.meter,
        // The stored text, because a double has fewer digits.
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
