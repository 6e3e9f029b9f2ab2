/** The nightly audit of sold places: the counters of every timeslot must equal the places of its bookings. */
import type { Logger } from 'pino'
import { upsertAudit } from '../../accounts/audits/service.ts'
import { forEachAccount } from '../../accounts/each-account.ts'
import { listAccounts } from '../../accounts/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { listCounterDifferences } from './queries.ts'

/**
 * Compares the counters of all timeslots of live accounts with their bookings. A constraint already keeps each counter
 * within the capacity.
 * @returns how many timeslots are wrong, each of which is logged.
 * @throws as forEachAccount().
 */
export async function auditPlaces(sql: Sql, log: Logger): Promise<number> {
  const accounts = (await listAccounts(sql)).map(({ id, slug }) => ({ accountId: id, slug }))
  return forEachAccount(accounts, {
    async work({ accountId, slug }) {
      const differences = await listCounterDifferences(sql, accountId)
      for (const found of differences)
        log.error({ account: slug, ...found }, 'places of a timeslot are wrong')
      await upsertAudit(sql, accountId, 'booked-places', differences.length)
      return differences.length
    },
  })
}
