/**
 * Copies the catalogue of a live account to its test account. Each run copies all rows that differ, but only
 * the timeslots that new events of the catalogue name, and writes these events to the test account's log.
 * Once an hour a run compares all timeslots. It neither locks nor writes a row of the live account.
 *
 * | a statement of | sees | because |
 * |---|---|---|
 * | openTestAccount() | one instant (repeatable read) | no other transaction writes the copies yet |
 * | followLive() | all earlier commits | with repeatable read, each timeslot booked meanwhile would cause a conflict |
 *
 * A change of the live catalogue between two statements can make inconsistent copies: new units with an old
 * product. So one statement compares all copies except timeslots at one instant. If any differs, the
 * transaction is repeated, and then compares all timeslots too.
 */
import { forEachAccount } from '../accounts/each-account.ts'
import { testAccountOf } from '../accounts/model.ts'
import { theService } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import type { NewEvent } from '../events/event.ts'
import { lockPlaces, offerPlaces } from '../inventory/service.ts'
import { removeMessages } from '../messaging/emails/files.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import { isDataError, isRetryable } from '../platform/postgres/errors.ts'
import { followedTables, followedTimeslots } from './model.ts'
import { deleteBookingsOn, deleteTestBookings } from './purging.ts'
import * as queries from './queries.ts'
import * as slots from './timeslot-queries.ts'
import { followedTypes } from './wake-up.ts'

const eventsAtOnce = 5000
const timeslotsAtOnce = 5000
// The request that opens test mode copies this many timeslots in less than a second.
const timeslotsOpened = 20_000
const tries = 5

/**
 * Makes the test account of a live one with a copy of its catalogue, unless there is one, and copies its
 * current partners. If there are more than 20,000 timeslots, it copies the first ones and leaves the others
 * to followLive(). Later statements of the transaction may write the catalogue of test accounts.
 */
export async function openTestAccount(tx: Transaction, liveId: number): Promise<void> {
  await queries.allowCatalogueWrites(tx)
  const isNew = await queries.insertTestAccount(tx, liveId)
  const columns = await queries.listFollowedColumns(tx, [...followedTables, followedTimeslots])
  const tables = isNew ? followedTables : followedTables.filter(({ table }) => table === 'partners')
  for (const table of tables) await queries.copyRows(tx, liveId, table, columns.get(table.table)!)
  if (!isNew) return
  const ids = await slots.listFirstTimeslots(tx, liveId, timeslotsOpened + 1)
  await slots.copyTimeslots(tx, liveId, ids.slice(0, timeslotsOpened), columns.get('timeslots')!)
  if (ids.length > timeslotsOpened) await queries.markUncompared(tx, liveId)
}

/**
 * Runs `work` in one transaction that sees the live account at one instant. After a conflict, for example
 * with another transaction that opens the same test account, it is retried, five tries in all.
 */
export async function atOneInstant<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return (await sql.begin('isolation level repeatable read', work)) as T
    } catch (error) {
      if (left === 1 || !isRetryable(error)) throw error
    }
  }
}

type FollowOptions = {
  /** Live accounts; when left out, all that have a test account. */
  accountIds?: readonly number[] | undefined
  /** The folder of e-mails of test bookings, which are deleted with them. */
  dataDir?: string
}

/**
 * Updates test accounts. Safe to run in several processes at once: one waits for the other.
 * @returns how many events were followed.
 * @throws as forEachAccount().
 */
export async function followLive(sql: Sql, { accountIds, dataDir }: FollowOptions = {}): Promise<number> {
  const accounts = await queries.listFollowed(sql, accountIds)
  return forEachAccount(
    accounts.map((accountId) => ({ accountId })),
    {
      async work({ accountId }) {
        let sum = 0
        for (let isDone = false; !isDone; ) {
          const round = await followSome(sql, accountId)
          if (dataDir) await removeMessages(dataDir, round.messageIds)
          if (round.toEmpty.length > 0)
            await deleteBookingsOn(sql, testAccountOf(accountId), { timeslotIds: round.toEmpty, dataDir })
          sum += round.events
          isDone = round.isDone
        }
        return sum
      },
    },
  )
}

/**
 * `toEmpty`: the timeslots to delete, if their test bookings together may be too many for one transaction.
 * The caller must delete these bookings first, and the next round deletes the timeslots. Otherwise an empty
 * list.
 */
type FollowRound = { events: number; messageIds: string[]; toEmpty: number[]; isDone: boolean }

/**
 * Follows some events in one transaction. The transaction is repeated, and then compares all timeslots, if
 * the live catalogue changes meanwhile, if the transaction conflicts with another, or if the database refuses
 * the data.
 */
async function followSome(sql: Sql, liveId: number): Promise<FollowRound> {
  for (let tried = 1; ; tried++) {
    try {
      return await sql.begin((tx) => follow(tx, liveId, { compare: tried > 1 }))
    } catch (error) {
      const isChanged = error instanceof ChangedMeanwhile || isRetryable(error) || isDataError(error)
      if (tried === tries || !isChanged) throw error
    }
  }
}

class ChangedMeanwhile extends Error {
  override message = 'the live catalogue changes faster than it is copied'
}

async function follow(
  tx: Transaction,
  liveId: number,
  { compare }: { compare: boolean },
): Promise<FollowRound> {
  await queries.allowCatalogueWrites(tx)
  const state = await queries.lockTestAccount(tx, liveId)
  if (!state) return { events: 0, messageIds: [], toEmpty: [], isDone: true }
  const { events, upTo } = await queries.readFollowedEvents(tx, liveId, {
    ...{ after: state.number, types: followedTypes, limit: eventsAtOnce },
  })
  const columns = await queries.listFollowedColumns(tx, [...followedTables, followedTimeslots])
  const ids = new Set(events.flatMap(({ timeslotId }) => timeslotId ?? []))
  const compares = compare || state.isDue || events.some(movesTimeslots)
  const differing = compares
    ? await slots.listDiffering(tx, liveId, { columns: columns.get('timeslots')!, limit: timeslotsAtOnce })
    : []
  const timeslotIds = [...ids, ...differing]
  const testId = testAccountOf(liveId)
  await slots.lockTimeslots(tx, testId, timeslotIds)
  const gone = await slots.listGoneTimeslots(tx, liveId, timeslotIds)
  const { messageIds, isMore } = await deleteTestBookings(tx, testId, gone)
  if (isMore) return { events: 0, messageIds, toEmpty: gone, isDone: false }
  await slots.deleteTimeslots(tx, testId, gone)
  await copyCatalogue(tx, liveId, { timeslotIds, columns })
  await appendEvents(
    tx,
    events.map(({ type, productId, timeslotId, details }) => {
      const about = { productId: productId ?? undefined, timeslotId: timeslotId ?? undefined }
      return { type, details, ...about, accountId: testId, actor: theService } as NewEvent
    }),
  )
  const isCompared = differing.length < timeslotsAtOnce
  const compared = compares ? (isCompared ? 'all' : 'some') : 'none'
  await queries.saveState(tx, liveId, { number: upTo, compared })
  const isDone = events.length < eventsAtOnce && isCompared
  return { events: events.length, messageIds, toEmpty: [], isDone }
}

/**
 * Whether the event may also have changed timeslots: the schedules that they belong to, or their own prices.
 * No separate events report these changes.
 */
function movesTimeslots({ type, details }: queries.FollowedEvent): boolean {
  const fields = type === 'product.changed' ? [details.Fields].flat() : []
  return fields.includes('UnitPrices') || fields.includes('Units')
}

/**
 * Copies the whole catalogue, but only the given timeslots. The caller has locked their copies, and has deleted the
 * copies of timeslots that no longer exist.
 */
async function copyCatalogue(
  tx: Transaction,
  liveId: number,
  { timeslotIds, columns }: { timeslotIds: readonly number[]; columns: Map<string, string[]> },
): Promise<void> {
  const testId = testAccountOf(liveId)
  await queries.copyAccount(tx, liveId)
  for (const table of followedTables.toReversed()) await queries.deleteGone(tx, liveId, table)
  await queries.resetWorkflows(tx, liveId)
  for (const table of followedTables) await queries.copyRows(tx, liveId, table, columns.get(table.table)!)
  if (await queries.hasDifferences(tx, liveId, followedTables, columns)) throw new ChangedMeanwhile()
  const grown = await slots.copyTimeslots(tx, liveId, timeslotIds, columns.get('timeslots')!)
  await lockPlaces(tx, testId, { timeslotIds: grown })
  await offerPlaces(
    tx,
    grown.map((id) => ({ accountId: testId, id })),
  )
}
