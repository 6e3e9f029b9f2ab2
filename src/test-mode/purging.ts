/** Test bookings are deleted, with all that belongs to them: after some days, or with their timeslot. */
import { forEachAccount } from '../accounts/each-account.ts'
import { lockPlaces } from '../inventory/service.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import * as queries from './purge-queries.ts'

export const testBookingDays = 7
const bookingsAtOnce = 500

/** Deletes some test bookings that are old enough, of each test account; called again until it gives 0. */
export async function sweepTestBookings(sql: Sql): Promise<number> {
  const accounts = await queries.listAccountsWithOld(sql, testBookingDays)
  return forEachAccount(accounts, {
    work: ({ accountId }) =>
      sql.begin(async (tx) => {
        const old = await queries.listOld(tx, accountId, { days: testBookingDays, limit: bookingsAtOnce })
        await deleteLocked(tx, accountId, old)
        return old.length
      }),
  })
}

/** Deletes the bookings on timeslots of a test account. */
export async function deleteTestBookings(
  tx: Transaction,
  testId: number,
  { timeslotIds }: { timeslotIds: readonly number[] },
): Promise<void> {
  await deleteLocked(tx, testId, await queries.listOnTimeslots(tx, testId, timeslotIds))
}

async function deleteLocked(
  tx: Transaction,
  testId: number,
  bookings: readonly queries.TestBooking[],
): Promise<void> {
  if (bookings.length === 0) return
  const timeslotIds = [...new Set(bookings.map(({ timeslotId }) => timeslotId))]
  await lockPlaces(tx, testId, { timeslotIds })
  await queries.deleteBookings(tx, testId, bookings)
}
