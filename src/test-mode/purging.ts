/** Deletes test bookings with everything that belongs to them: after some days, or with their timeslot. */
import { forEachAccount } from '../accounts/each-account.ts'
import { testAccountOf, testBookingDays } from '../accounts/model.ts'
import { lockPlaces, offerPlaces } from '../inventory/service.ts'
import { removeMessages } from '../messaging/emails/files.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import * as queries from './purge-queries.ts'
import { allowCatalogueWrites, listFollowed } from './queries.ts'
import { deletePast } from './timeslot-queries.ts'

const rowsAtOnce = 500
// How long one account may take before the next has its turn.
const turnMs = 10_000

/**
 * Deletes old test bookings and past timeslots of test accounts, for up to ten seconds in each account. If it does not
 * return 0, call it again, because some may be left.
 * @param dataDir the folder of e-mails of test bookings, which are deleted with them.
 * @throws as forEachAccount().
 */
export async function sweepTestBookings(sql: Sql, dataDir: string): Promise<number> {
  const accounts = (await listFollowed(sql)).map((liveId) => ({ accountId: testAccountOf(liveId) }))
  return forEachAccount(accounts, {
    async work({ accountId }) {
      const until = performance.now() + turnMs
      let sum = 0
      for (let rows = -1; rows !== 0 && performance.now() < until; ) {
        rows = await sweepSome(sql, accountId, dataDir)
        sum += rows
      }
      await removeMessages(dataDir, await queries.deleteLeftovers(sql, accountId))
      return sum
    },
  })
}

async function sweepSome(sql: Sql, accountId: number, dataDir: string): Promise<number> {
  const swept = await runAgain(sql, async (tx) => {
    const old = await queries.listOld(tx, accountId, { days: testBookingDays, limit: rowsAtOnce })
    const messageIds = await deleteLocked(tx, accountId, old)
    // Freed places are offered to the waitlist.
    const freed = [...new Set(old.map(({ timeslotId }) => timeslotId))]
    await offerPlaces(
      tx,
      freed.map((id) => ({ accountId, id })),
    )
    await allowCatalogueWrites(tx)
    const past = await deletePast(tx, accountId, rowsAtOnce)
    return { messageIds, rows: old.length + past }
  })
  await removeMessages(dataDir, swept.messageIds)
  return swept.rows
}

/** Deletes all bookings on timeslots of a test account, some in each transaction. */
export async function deleteBookingsOn(
  sql: Sql,
  testId: number,
  { timeslotIds, dataDir }: { timeslotIds: readonly number[]; dataDir: string | undefined },
): Promise<void> {
  for (let isMore = true; isMore; ) {
    const deleted = await runAgain(sql, (tx) => deleteTestBookings(tx, testId, timeslotIds))
    if (dataDir) await removeMessages(dataDir, deleted.messageIds)
    isMore = deleted.isMore
  }
}

/**
 * Deletes some bookings on timeslots of a test account.
 * @returns the message ids of their e-mails, and whether there may be more bookings.
 */
export async function deleteTestBookings(
  tx: Transaction,
  testId: number,
  timeslotIds: readonly number[],
): Promise<{ messageIds: string[]; isMore: boolean }> {
  const bookings = await queries.listOnTimeslots(tx, testId, { timeslotIds, limit: rowsAtOnce })
  const messageIds = await deleteLocked(tx, testId, bookings)
  return { messageIds, isMore: bookings.length === rowsAtOnce }
}

async function deleteLocked(
  tx: Transaction,
  testId: number,
  bookings: readonly queries.TestBooking[],
): Promise<string[]> {
  if (bookings.length === 0) return []
  // Locks the baskets too, to prevent deadlocks: a change of one booking also writes the rows in
  // owing_bookings of the other bookings in the same basket, even if they are on other timeslots.
  const timeslotIds = [...new Set(bookings.map(({ timeslotId }) => timeslotId))]
  const basketIds = [...new Set(bookings.map(({ basketId }) => basketId))]
  await lockPlaces(tx, testId, { timeslotIds, basketIds })
  return queries.deleteBookings(tx, testId, bookings)
}
