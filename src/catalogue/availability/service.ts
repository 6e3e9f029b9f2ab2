/**
 * The use cases of availability. Requests that come together are read together, and what several ask for at once is
 * read once. What was read of a day is kept until the event log says that it has changed.
 */

import { problems } from '../../http/problems.ts'
import { defaultUnit } from '../../inventory/price-list.ts'
import { type BatchObserver, createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import type { Queryable, Sql } from '../../platform/postgres/database.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import type { Static } from '../../platform/schema/typebox.ts'
import { withOffset } from '../../platform/text/local-time.ts'
import { toMoney } from '../../platform/text/money.ts'
import { openingView } from '../opening-hours.ts'
import { createLists, type DateEntries } from './lists.ts'
import { type DateRow, type DatesAsked, listDates, listTimeslots, type SlotRow } from './queries.ts'
import type { dateEntrySchema, timeslotEntrySchema } from './schemas.ts'

type DateEntry = Static<typeof dateEntrySchema>
type TimeslotEntry = Static<typeof timeslotEntrySchema>

/** Both throw Problem activity-not-found when the account has no such product in the shopfront. */
export type Availability = ReturnType<typeof createAvailability>

export function createAvailability(read: Read, observe: ObserveBatches) {
  return {
    listDates: together(read, createLists(readDates), observe('dates')),
    /** Of one date: `from` and `to` are the same. */
    listTimeslots: together(read, createLists(readTimeslots, weightOf), observe('timeslots')),
  }
}

function together<Entry>(
  read: Read,
  list: (sql: Sql, asked: DatesAsked[]) => Promise<(Entry[] | null)[]>,
  observe: BatchObserver,
): (asked: DatesAsked) => Promise<Entry[]> {
  const batches = createBatcher<DatesAsked, Entry[]>({
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
      const outcomes = lists.map((entries) => entries ?? problems.activityNotFound())
      const places = new Map([...distinct.keys()].map((name, place) => [name, place]))
      return names.map((name) => outcomes[places.get(name)!]!)
    },
  })
  return batches.add
}

/** Units make a kept entry as large as so many more. */
function weightOf({ Units }: TimeslotEntry): number {
  return 1 + (Units?.length ?? 0)
}

async function readDates(sql: Queryable, asked: DatesAsked[]): Promise<(DateEntries<DateEntry>[] | null)[]> {
  const lists = await listDates(sql, asked)
  return lists.map((rows) => rows?.map((row) => ({ date: row.date, entries: [dateView(row)] })) ?? null)
}

async function readTimeslots(
  sql: Queryable,
  asked: DatesAsked[],
): Promise<(DateEntries<TimeslotEntry>[] | null)[]> {
  const lists = await listTimeslots(
    sql,
    asked.map(({ accountId, activity, from }) => ({ accountId, activity, date: from })),
  )
  return lists.map((rows, place) => rows && [{ date: asked[place]!.from, entries: rows.map(slotView) }])
}

function dateView({ date, timeslots, capacity, available }: DateRow): DateEntry {
  return { Date: date, Timeslots: timeslots, Capacity: capacity, Available: available }
}

function pricesView({ currency, priceMinor, units }: NonNullable<SlotRow['prices']>) {
  return (units ?? [{ id: defaultUnit, priceMinor }]).map((unit) => {
    return { UnitID: unit.id, Price: toMoney(unit.priceMinor, currency) }
  })
}

function slotView(row: SlotRow): TimeslotEntry {
  return {
    Time: row.time,
    StartsAt: withOffset(row.startsAt, row.localStart),
    EndsAt: withOffset(row.endsAt, row.localEnd),
    ...openingView(row.openingHours),
    OnSaleUntil: withOffset(row.saleEndsAt, row.localSaleEnd),
    Capacity: row.capacity,
    Available: row.available,
    ...(row.prices && { Units: pricesView(row.prices) }),
  }
}
