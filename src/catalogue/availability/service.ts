/**
 * The use cases of availability. Questions that come together are asked of PostgreSQL together, and one that
 * several ask at once is asked once; nothing is kept, so every answer is as new as what it was read from.
 */
import type { Static } from 'typebox'
import { problems } from '../../http/problems.ts'
import { type BatchObserver, createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import { withOffset } from '../../platform/text/local-time.ts'
import { type DateRow, listDates, listTimeslots, type SlotRow } from './queries.ts'
import type { dateEntrySchema, timeslotEntrySchema } from './schemas.ts'

/** Both throw Problem activity-not-found when the account has no such product in the shopfront. */
export type Availability = ReturnType<typeof createAvailability>

export function createAvailability(read: Read, observe: ObserveBatches) {
  return {
    listDates: together(read, listDates, dateView, observe('dates')),
    listTimeslots: together(read, listTimeslots, slotView, observe('timeslots')),
  }
}

function together<Asked extends { accountId: number }, Row, View>(
  read: Read,
  list: (sql: Sql, asked: Asked[]) => Promise<(Row[] | null)[]>,
  view: (row: Row) => View,
  observe: BatchObserver,
): (asked: Asked) => Promise<View[]> {
  const batches = createBatcher<Asked, View[]>({
    maxSize: 32,
    concurrency: 2,
    maxWaiting: 10_000,
    ownerOf: ({ accountId }) => accountId,
    refusal: () => problems.unavailable('Too many requests are waiting; please try again.'),
    observe,
    async run(asked) {
      const names = asked.map((one) => JSON.stringify(one))
      const distinct = new Map(asked.map((one, index) => [names[index], one]))
      const lists = await read((sql) => list(sql, [...distinct.values()]))
      const views = lists.map((rows) => rows?.map(view) ?? problems.activityNotFound())
      const places = new Map([...distinct.keys()].map((name, place) => [name, place]))
      return names.map((name) => views[places.get(name)!]!)
    },
  })
  return batches.add
}

function dateView({ date, timeslots, capacity, available }: DateRow): Static<typeof dateEntrySchema> {
  return { Date: date, Timeslots: timeslots, Capacity: capacity, Available: available }
}

function slotView(row: SlotRow): Static<typeof timeslotEntrySchema> {
  return {
    Time: row.time,
    StartsAt: withOffset(row.startsAt, row.localStart),
    EndsAt: withOffset(row.endsAt, row.localEnd),
    Capacity: row.capacity,
    Available: row.available,
  }
}
