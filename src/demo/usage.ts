/** Usage and thresholds of the demo account. */
import { createEntryIds } from '../metering/ingest/recording.ts'
import { storeEntries } from '../metering/store/storage.ts'
import { setThreshold } from '../metering/thresholds/service.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { thresholds, usage } from './scenery.ts'

const daySeconds = 86_400

/** Sets the thresholds, and stores thirty days of usage on the operator's own meters. */
export async function storeDemoUsage(sql: Sql, accountId: number): Promise<void> {
  for (const threshold of thresholds) await sql.begin((tx) => setThreshold(tx, accountId, threshold))
  const acceptedAt = Date.now()
  const now = Math.floor(acceptedAt / 1000)
  const takeIds = createEntryIds(sql)
  const entries = Array.from({ length: 30 }, (_, ago) =>
    Object.entries(usage).map(([meter, weekly]) => ({
      accountId,
      acceptedAt,
      meter,
      usage: String(weekly[ago % 7]),
      occurredAt: now - ago * daySeconds,
      extraInfo: null,
    })),
  ).flat()
  const ids = await takeIds(entries.length)
  await storeEntries(
    sql,
    entries.map((entry, index) => ({ ...entry, id: ids[index]! })),
  )
}
