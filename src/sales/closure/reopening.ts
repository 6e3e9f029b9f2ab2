/**
 * Reopens the closed timeslots of a day, each in its own transaction. After a crash, the client repeats the
 * request, and the service continues where it stopped.
 */
import { isTestAccount } from '../../accounts/model.ts'
import { listMoved, type MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import { listTimeslots, reopenTimeslot, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { mapConcurrently } from '../../platform/async/map-concurrently.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'

const maxTimeslots = 1000

/**
 * Makes the `OnceRequest` with which runOnce() executes an operation, such as reopening a timeslot, only
 * once.
 */
type OnceOf = (operation: string) => OnceRequest

type ReopenableDay = { date: string; productId: number | null }

type ReopenableTimeslots = {
  slots: Timeslot[]
  /** Timeslots that were moved to another date or time. They are not reopened. */
  moved: { slot: Timeslot; to: MovedTimeslot }[]
}

/**
 * Lists the closed timeslots of a day that have not begun, by time. `slots` has those that can be reopened,
 * at most `limit`. `moved` has those that were moved, which are not reopened.
 */
export async function listReopenable(
  sql: Queryable,
  accountId: number,
  { date, productId, limit }: ReopenableDay & { limit: number },
): Promise<ReopenableTimeslots> {
  const range = { from: date, to: date, productId, status: 'closed' } as const
  const found: ReopenableTimeslots = { slots: [], moved: [] }
  let after: Timeslot | null = null
  while (found.slots.length < limit) {
    const closed: Timeslot[] = await listTimeslots(sql, accountId, { ...range, after, limit })
    const ids = closed.filter(({ hasBegun }) => !hasBegun).map(({ id }) => id)
    const places = await listMoved(sql, accountId, ids)
    for (const slot of closed) {
      const to = places.get(slot.id)
      if (to) found.moved.push({ slot, to })
      else if (!slot.hasBegun) found.slots.push(slot)
    }
    if (closed.length < limit) break
    after = closed.at(-1)!
  }
  return { slots: found.slots.slice(0, limit), moved: found.moved }
}

/**
 * Reopens the closed timeslots of a day that have not begun, except those that were moved, and returns their
 * ids. A request with the same key continues where the first one ended.
 * @throws Problem validation if more than 1,000 timeslots would be reopened; none is reopened then. test-mode-catalogue
 * for a test account.
 */
export async function reopenDay(
  sql: Sql,
  by: Authorship,
  { date, productId, once }: ReopenableDay & { once: OnceOf },
): Promise<number[]> {
  // The trigger that refuses changes of timeslots in a test account does not fire for a day without closed
  // timeslots, so the account is checked here too.
  if (isTestAccount(by.accountId)) throw problems.testModeCatalogue()
  const { answer } = await runOnce(sql, once('closure.reopen'), async (tx) => {
    const day = { date, productId, limit: maxTimeslots + 1 }
    const { slots } = await listReopenable(tx, by.accountId, day)
    const message = `must be a day with at most ${maxTimeslots} closed timeslots`
    if (slots.length > maxTimeslots) throw problems.validation([{ field: 'Date', message }])
    return { ids: slots.map(({ id }) => id) }
  })
  await reopenTimeslots(sql, by, { ids: answer.ids, once })
  return answer.ids
}

/**
 * Reopens timeslots.
 * @throws Problem not-found for an unknown timeslot. Timeslots that were reopened before the error stay open.
 */
export async function reopenTimeslots(
  sql: Sql,
  by: Authorship,
  { ids, once }: { ids: readonly number[]; once: OnceOf },
): Promise<void> {
  await mapConcurrently(ids, 4, (id) =>
    runOnce(sql, once(`timeslot.reopen.${id}`), async (tx) => {
      await reopenTimeslot(tx, by, id)
      return {}
    }),
  )
}
