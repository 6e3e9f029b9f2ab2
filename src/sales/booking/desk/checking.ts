/**
 * owing_bookings notes bookings whose sales may owe something. This module compares them with the ledgers,
 * and removes the notes of bookings that are not confirmed or whose sales owe nothing. Bookings from before
 * the notes existed are read once. Each transaction is complete by itself, so a process may die at any time.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import { lockPlaces } from '../../../inventory/service.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { listOwed } from '../../ledger/service.ts'
import * as queries from './owing-queries.ts'

// How long one account may take before the next has its turn; how many noted bookings a transaction checks,
// and how many old bookings it reads.
const turnMs = 2000
const [checkedAtOnce, filledAtOnce] = [200, 1000]

/**
 * Reads old bookings and checks noted bookings of all accounts, for at most about `turnMs` each. The next run
 * continues.
 * @returns how many bookings it read or checked.
 * @throws as forEachAccount().
 */
export async function checkOwing(sql: Sql): Promise<number> {
  return forEachAccount(await queries.listToCheck(sql), {
    async work({ accountId }) {
      const until = performance.now() + turnMs
      let sum = 0
      for (const step of [fillSome, checkSome])
        for (let count = -1; count !== 0 && performance.now() < until; sum += count)
          count = await step(sql, accountId)
      return sum
    },
  })
}

/** Checks some noted bookings of an account; returns how many. */
function checkSome(sql: Sql, accountId: number): Promise<number> {
  return runAgain(sql, async (tx) => {
    const noted = await queries.lockUnchecked(tx, accountId, checkedAtOnce)
    const owed = await listOwed(tx, accountId, [...new Set(noted.map(({ basketId }) => basketId))])
    const isOwing = ({ basketId, isConfirmed }: queries.OwingBooking) => isConfirmed && owed.has(basketId)
    const ids = (of: readonly queries.OwingBooking[]) => of.map(({ id }) => id)
    await queries.updateChecked(tx, accountId, {
      owing: ids(noted.filter(isOwing)),
      others: ids(noted.filter((booking) => !isOwing(booking))),
    })
    return noted.length
  })
}

/** Reads some old bookings and notes those that owe something; returns how many bookings it read. */
function fillSome(sql: Sql, accountId: number): Promise<number> {
  return runAgain(sql, async (tx) => {
    const state = await queries.lockFilling(tx, accountId)
    if (!state) return 0
    const old = await queries.listBookingsAfter(tx, accountId, { after: state.filledTo, limit: filledAtOnce })
    const own = old.filter(({ mayOwe }) => mayOwe)
    const owed = await listOwed(tx, accountId, [...new Set(own.map(({ basketId }) => basketId))])
    const owing = own.filter(({ basketId }) => owed.has(basketId))
    // A change of a sale takes these locks before a trigger notes its bookings. Without them, this
    // transaction and the change could each wait for the other's notes.
    await lockPlaces(tx, accountId, { timeslotIds: [], basketIds: [...owed.keys()] })
    await queries.insertOwing(
      tx,
      accountId,
      owing.map(({ id }) => id),
    )
    await queries.updateFilled(tx, accountId, old.length < filledAtOnce ? null : old.at(-1)!.id)
    return old.length
  })
}
