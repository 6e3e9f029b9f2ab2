/**
 * Audits and repairs the totals of sales: each must be the sum of its bookings, timeslots or payments.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { upsertAudit } from '../../../accounts/audits/service.ts'
import { forEachAccount } from '../../../accounts/each-account.ts'
import { listAccounts } from '../../../accounts/service.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { addDays } from '../../../platform/text/calendar.ts'
import * as queries from './audit-queries.ts'
import { countSome } from './counting.ts'
import * as marks from './mark-queries.ts'
import { bases } from './tables.ts'

export type { SalesDifference } from './audit-queries.ts'

// Each statement compares this many days. A statement for all days of a large account would exceed the
// statement timeout of jobs.
const daysAtOnce = 31
const most = 1000

/**
 * The totals of an account that are not the sums of their bookings, timeslots or payments, at most 1,000.
 * Sales may go on meanwhile.
 */
export async function auditTotals(sql: Sql, accountId: number): Promise<queries.SalesDifference[]> {
  const days = await queries.findCountedDays(sql, accountId)
  const found: queries.SalesDifference[] = []
  if (!days) return found
  for (let from = days.from; from <= days.to && found.length < most; from = addDays(from, daysAtOnce)) {
    const last = addDays(from, daysAtOnce - 1)
    const to = last < days.to ? last : days.to
    for (const basis of bases)
      found.push(...(await queries.listSalesDifferences(sql, accountId, { basis, from, to })))
  }
  return found.slice(0, most)
}

const pauseMs = 50

/**
 * Marks the days of these differences, and counts marked days until all of these days have been counted
 * again. It does not wait for marks that are made later, because an account that sells all the time always
 * has new ones.
 */
export async function repairTotals(
  sql: Sql,
  accountId: number,
  differences: readonly queries.SalesDifference[],
): Promise<void> {
  const keys = differences.map(({ basis, productId, day }) => ({ basis, productId, day }))
  await marks.insertMarks(sql, accountId, keys)
  const last = await marks.findLastMark(sql, accountId)
  while (last !== null && (await marks.hasMarkUpTo(sql, accountId, last)))
    // If nothing was counted, a worker is counting the account: wait for it.
    if ((await countSome(sql, accountId)) === 0) await delay(pauseMs)
}

/**
 * Audits every live account.
 * @returns how many totals are wrong, each of which is logged.
 * @throws as forEachAccount().
 */
export async function auditAllTotals(sql: Sql, log: Logger): Promise<number> {
  const accounts = (await listAccounts(sql)).map(({ id, slug }) => ({ accountId: id, slug }))
  return forEachAccount(accounts, {
    async work({ accountId, slug }) {
      const differences = await auditTotals(sql, accountId)
      for (const found of differences) log.error({ account: slug, ...found }, 'total of sales is wrong')
      await upsertAudit(sql, accountId, 'sales-totals', differences.length)
      return differences.length
    },
  })
}
