/** Deletes personal data after the configured time: of past bookings, and of finished e-mails. */
import { forEachAccount } from '../accounts/each-account.ts'
import { listAccountIds } from '../accounts/service.ts'
import { theService } from '../events/actor.ts'
import { removeMessages } from '../messaging/emails/files.ts'
import type { Config } from '../platform/config/config.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { eraseLocked, finishErasures } from './erasing.ts'
import { insertErasure } from './erasure-queries.ts'
import * as queries from './retention-queries.ts'

const slotsAtOnce = 50
const bookingsAtOnce = 500

type RetentionConfig = Pick<Config, 'PERSONAL_DATA_RETENTION_DAYS' | 'EMAIL_RETENTION_DAYS' | 'DATA_DIR'>

/**
 * Erases the customers of all timeslots that ended at least PERSONAL_DATA_RETENTION_DAYS ago, and finishes
 * interrupted erasures. Does nothing if the number is 0. It commits after each group of bookings. Partners
 * get no event. A booking that is held or on the waitlist is left out, until a run finds it confirmed,
 * cancelled or expired.
 * @returns how many bookings it erased.
 * @throws as forEachAccount().
 */
export async function eraseOldCustomers(
  sql: Sql,
  { PERSONAL_DATA_RETENTION_DAYS: days, DATA_DIR }: RetentionConfig,
): Promise<number> {
  if (days === 0) return 0
  const accounts = (await listAccountIds(sql)).map((accountId) => ({ accountId }))
  const erased = await forEachAccount(accounts, {
    work: ({ accountId }) => eraseOldOf(sql, accountId, days),
  })
  await finishErasures(sql, DATA_DIR)
  return erased
}

async function eraseOldOf(sql: Sql, accountId: number, days: number): Promise<number> {
  let erased = 0
  let erasure: { accountId: number; id: number } | null = null
  for (let after: queries.EndedSlot | null = null; ; ) {
    const step = await runAgain(sql, async (tx) => {
      const slots = await queries.lockEndedSlots(tx, accountId, { days, after, limit: slotsAtOnce })
      const slotIds = slots.map(({ id }) => id)
      const ids = await queries.lockBookingsOfSlots(tx, accountId, { slotIds, limit: bookingsAtOnce })
      const into =
        erasure ??
        (ids.length > 0
          ? { accountId, id: await insertErasure(tx, accountId, { cause: 'retention' }) }
          : null)
      if (into) await eraseLocked(tx, into, ids, { actor: theService, showUpdate: false })
      await queries.markErased(tx, accountId, slotIds)
      return { last: slots.at(-1), count: ids.length, into }
    })
    if (!step.last) return erased
    erased += step.count
    erasure = step.into
    // If the limit was reached, these timeslots may have more bookings, so the next step reads the same
    // timeslots again.
    if (step.count < bookingsAtOnce) after = step.last
  }
}

/**
 * Deletes some e-mails that were made at least EMAIL_RETENTION_DAYS ago and are not queued (none if that is
 * 0), and some runs of deleted workflows. Call it again until it returns 0.
 * @returns the number of deleted rows.
 */
export async function sweepEmails(
  sql: Sql,
  { EMAIL_RETENTION_DAYS: days, DATA_DIR }: RetentionConfig,
): Promise<number> {
  const messageIds = days === 0 ? [] : await queries.deleteEndedEmails(sql, days)
  await removeMessages(DATA_DIR, messageIds)
  return messageIds.length + (await queries.deleteOrphanRuns(sql))
}
