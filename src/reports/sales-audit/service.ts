/** The nightly audit of places sold: that every timeslot counts what its bookings say, and so no more than it has. */
import type { Logger } from 'pino'
import { keepAudit } from '../../accounts/audits/service.ts'
import { listAccounts } from '../../accounts/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { listCounterDifferences } from './queries.ts'

/**
 * Compares the places of every account's timeslots with its bookings. That no timeslot counts more than its capacity
 * is a constraint of the table.
 * @returns how many timeslots are wrong, each of which is logged.
 */
export async function auditPlaces(sql: Sql, log: Logger): Promise<number> {
  let wrong = 0
  for (const { id, slug } of await listAccounts(sql)) {
    const differences = await listCounterDifferences(sql, id)
    for (const found of differences) log.error({ account: slug, ...found }, 'places of a timeslot are wrong')
    await keepAudit(sql, id, 'booked-places', differences.length)
    wrong += differences.length
  }
  return wrong
}
