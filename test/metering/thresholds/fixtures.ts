/** What tests of thresholds stand on: setting one, and reading the events of crossings. */
import type { ThresholdPeriod } from '../../../src/metering/thresholds/model.ts'
import { setThreshold } from '../../../src/metering/thresholds/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'

/** Sets a threshold; gives its id. */
export async function set(
  sql: Sql,
  accountId: number,
  period: ThresholdPeriod,
  amount: string,
  meter = 'calls',
) {
  const made = await sql.begin((tx) => setThreshold(tx, accountId, { meter, period, amount }))
  return made.id
}

type Crossing = {
  ThresholdID: number
  Meter: string
  Period: string
  From?: string
  Threshold: string
  Total: string
}

/** What the events of an account say of crossings, in the order in which they were written. */
export async function listCrossings(sql: Sql, accountId: number): Promise<Crossing[]> {
  const rows = await sql<{ details: Crossing }[]>`
    select details from events where account_id = ${accountId} and type = 'usage.threshold-crossed' order by id`
  return rows.map(({ details }) => details)
}

/** The same in short: which threshold was crossed in which period. */
export async function listCrossed(sql: Sql, accountId: number): Promise<string[]> {
  const crossings = await listCrossings(sql, accountId)
  return crossings.map(({ Period, From = 'ever', Threshold }) => `${Period} ${From} ${Threshold}`)
}
