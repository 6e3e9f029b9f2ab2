/** Fixtures for tests of thresholds: setting a threshold, and reading the events of crossings. */
import type { ThresholdPeriod } from '../../../src/metering/thresholds/model.ts'
import { setThreshold } from '../../../src/metering/thresholds/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'

/** Sets a threshold; returns its id. */
export async function makeThreshold(
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

/** The details of the account's crossing events, in the order in which they were written. */
export async function listCrossings(sql: Sql, accountId: number): Promise<Crossing[]> {
  const rows = await sql<{ details: Crossing }[]>`
    select details from events where account_id = ${accountId} and type = 'usage.threshold-crossed' order by id`
  return rows.map(({ details }) => details)
}

/** The period, its first day and the threshold of each crossing. */
export async function listCrossed(sql: Sql, accountId: number): Promise<string[]> {
  const crossings = await listCrossings(sql, accountId)
  return crossings.map(({ Period, From = 'ever', Threshold }) => `${Period} ${From} ${Threshold}`)
}
