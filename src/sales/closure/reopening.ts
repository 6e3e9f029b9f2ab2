/**
 * Reopens the closed timeslots of a day, each in its own transaction. After a crash, the client repeats the
 * request, and the service continues where it stopped.
 */
import { isTestAccount } from '../../accounts/model.ts'
import { listMoved, type MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import { listTimeslots, reopenTimeslot, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { inLanes } from '../../platform/async/in-lanes.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'

const maxTimeslots = 1000

/** Makes the `OnceRequest` of one operation, such as one timeslot: runOnce() executes it only once. */
type OnceOf = (operation: string) => OnceRequest

type ReopenableDay = { date: string; productId: number | null }

type ReopenableTimeslots = {
  slots: Timeslot[]
  /** Timeslots that were moved to another date or time. They are not reopened. */
  moved: { slot: Timeslot; to: MovedTimeslot }[]
  /** The number of closed timeslots of the day, including those that have begun; at most `limit`. */
  closedCount: number
}

/** Lists the closed timeslots of a day that have not begun, by time, among the first `limit` closed ones. */
export async function listReopenable(
  sql: Queryable,
  accountId: number,
  { date, productId, limit }: ReopenableDay & { limit: number },
): Promise<ReopenableTimeslots> {
  const range = { from: date, to: date, productId, status: 'closed', after: null } as const
  const all = await listTimeslots(sql, accountId, { ...range, limit })
  const closed = all.filter(({ hasBegun }) => !hasBegun)
  const places = await listMoved(
    sql,
    accountId,
    closed.map(({ id }) => id),
  )
  return {
    slots: closed.filter(({ id }) => !places.has(id)),
    moved: closed.flatMap((slot) => {
      const to = places.get(slot.id)
      return to ? [{ slot, to }] : []
    }),
    closedCount: all.length,
  }
}

/**
 * Reopens the closed timeslots of a day that have not begun, except those that were moved, and returns their ids. A request
 * with the same key continues where the first one ended.
 * @throws Problem validation if the day has more than 1,000 closed timeslots, before any is reopened;
 *   test-mode-catalogue for a test account.
 */
export async function reopenDay(
  sql: Sql,
  by: Authorship,
  { date, productId, once }: ReopenableDay & { once: OnceOf },
): Promise<number[]> {
  // A trigger refuses changes of timeslots in a test account, but a day without closed timeslots has no change to refuse.
  if (isTestAccount(by.accountId)) throw problems.testModeCatalogue()
  const { answer } = await runOnce(sql, once('closure.reopen'), async (tx) => {
    const day = { date, productId, limit: maxTimeslots + 1 }
    const { slots, closedCount } = await listReopenable(tx, by.accountId, day)
    const message = `must be a day with at most ${maxTimeslots} closed timeslots`
    if (closedCount > maxTimeslots) throw problems.validation([{ field: 'Date', message }])
    return { ids: slots.map(({ id }) => id) }
  })
  await reopenTimeslots(sql, by, { ids: answer.ids, once })
  return answer.ids
}

/** Reopens timeslots. @throws Problem not-found for an unknown timeslot; others may have been reopened before. */
export async function reopenTimeslots(
  sql: Sql,
  by: Authorship,
  { ids, once }: { ids: readonly number[]; once: OnceOf },
): Promise<void> {
  await inLanes(ids, 4, (id) =>
    runOnce(sql, once(`timeslot.reopen.${id}`), async (tx) => {
      await reopenTimeslot(tx, by, id)
      return {}
    }),
  )
}
