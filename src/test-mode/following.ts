/**
 * How a test account keeps the catalogue of its live account. It follows the log: what an event of the catalogue names is
 * copied again as it is now, and the event is written to the test account's log, so that whoever follows that one hears
 * of it too. Nothing of this locks or writes a row of the live account.
 */
import { testAccountOf } from '../accounts/model.ts'
import { theService } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import type { NewEvent } from '../events/event.ts'
import { lockPlaces, offerPlaces } from '../inventory/service.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import { isRetryable } from '../platform/postgres/errors.ts'
import { followedTables, followedTimeslots } from './model.ts'
import { deleteTestBookings } from './purging.ts'
import * as queries from './queries.ts'
import { isFollowed } from './wake-up.ts'

const eventsAtOnce = 5000
const tries = 5

/**
 * Makes the test account of a live one with a copy of its catalogue, unless there is one, and copies its partners as they
 * are now. The rest of the transaction may write the copies.
 */
export async function openTestAccount(tx: Transaction, liveId: number): Promise<void> {
  await queries.beginFollowing(tx)
  const isNew = await queries.insertTestAccount(tx, liveId)
  await (isNew ? copyCatalogue(tx, liveId, 'all') : copyPartners(tx, liveId))
}

async function copyPartners(tx: Transaction, liveId: number): Promise<void> {
  const partners = followedTables.filter(({ table }) => table === 'partners')
  const columns = await queries.listFollowedColumns(tx, partners)
  for (const table of partners) await queries.copyRows(tx, liveId, table, columns.get(table.table)!)
}

/**
 * Has test accounts follow: those of some live accounts, or all. One that another process has in hand is left to it.
 * @returns how many events were followed.
 */
export async function followLive(sql: Sql, accountIds?: readonly number[]): Promise<number> {
  let sum = 0
  for (const liveId of await queries.listFollowed(sql, accountIds)) {
    let followed: number
    do {
      followed = await atOneInstant(sql, (tx) => follow(tx, liveId))
      sum += followed
    } while (followed === eventsAtOnce)
  }
  return sum
}

/** One transaction, which sees the live account at one instant; it is tried again when test bookings changed what it writes. */
export async function atOneInstant<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return (await sql.begin('isolation level repeatable read', work)) as T
    } catch (error) {
      if (left === 1 || !isRetryable(error)) throw error
    }
  }
}

async function follow(tx: Transaction, liveId: number): Promise<number> {
  await queries.beginFollowing(tx)
  const after = await queries.lockTestAccount(tx, liveId)
  if (after === null) return 0
  const events = await queries.listFollowedEvents(tx, liveId, { after, limit: eventsAtOnce })
  const ours = events.filter(({ type }) => isFollowed(type))
  const timeslotIds = new Set(ours.flatMap(({ timeslotId }) => timeslotId ?? []))
  await copyCatalogue(tx, liveId, { ids: [...timeslotIds] })
  await appendEvents(
    tx,
    ours.map(({ type, productId, timeslotId, details }) => {
      const about = { productId: productId ?? undefined, timeslotId: timeslotId ?? undefined }
      return { type, details, ...about, accountId: testAccountOf(liveId), actor: theService } as NewEvent
    }),
  )
  const last = events.at(-1)
  if (last) await queries.keepPlace(tx, liveId, last.number)
  return events.length
}

async function copyCatalogue(
  tx: Transaction,
  liveId: number,
  timeslots: queries.WhichTimeslots,
): Promise<void> {
  const testId = testAccountOf(liveId)
  const columns = await queries.listFollowedColumns(tx, [...followedTables, followedTimeslots])
  const gone = await queries.listGoneTimeslots(tx, liveId, timeslots)
  if (gone.length > 0) {
    await deleteTestBookings(tx, testId, { timeslotIds: gone })
    await queries.deleteTimeslots(tx, testId, gone)
  }
  for (const table of followedTables.toReversed()) await queries.deleteGone(tx, liveId, table)
  for (const table of followedTables) await queries.copyRows(tx, liveId, table, columns.get(table.table)!)
  const grown = await queries.copyTimeslots(tx, liveId, timeslots, columns.get('timeslots')!)
  if (grown.length === 0) return
  await lockPlaces(tx, testId, { timeslotIds: grown })
  await offerPlaces(
    tx,
    grown.map((id) => ({ accountId: testId, id })),
  )
}
