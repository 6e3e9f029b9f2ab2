/**
 * Availability for partners. Concurrent requests share batches, and a batch reads the same range of a product
 * only once. A day stays in memory until an event changes it, but for at most a minute, and may be removed
 * earlier to make room. Days on which a sale may end within 24 hours are not kept in memory.
 */

import { problems } from '../../http/problems.ts'
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import { type BatchObserver, createBatcher, type ObserveBatches } from '../../platform/async/batcher.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import type { Static } from '../../platform/schema/typebox.ts'
import { withOffset } from '../../platform/text/local-time.ts'
import { toMoney } from '../../platform/text/money.ts'
import { openingView } from '../opening-hours.ts'
import { createCachedList, type DateEntries, type ListEntries } from './lists.ts'
import { maxProducts, weeksOf } from './model.ts'
import {
  type DateRow,
  listDates,
  listTimeslots,
  type RequestedDates,
  type SlotRow,
  type TimeslotsAsked,
} from './queries.ts'
import type { calendarEntrySchema, dateEntrySchema, timeslotEntrySchema } from './schemas.ts'

type DateEntry = Static<typeof dateEntrySchema>
/**
 * A DateEntry as JSON. It is serialized once, when the date is read, because serializing JSON is the largest
 * cost of a response.
 */
type DateText = string
type TimeslotEntry = Static<typeof timeslotEntrySchema>
type CalendarEntry = Static<typeof calendarEntrySchema>

/**
 * Lists dates and timeslots of products. The functions for one product throw Problem activity-not-found if
 * the account has no such product in the shopfront.
 */
export type Availability = ReturnType<typeof createAvailability>

/** The most timeslots and prices of units, together, in one response. A single day never has so many. */
const maxWeight = 75_000

export function createAvailability(read: Read, observe: ObserveBatches) {
  const lists = createCachedList(readDates)
  const dates = createBatchedList(read, lists, { maxSize, observe: observe('dates') })
  // Requests for many products have their own batches, so that a request for one product does not wait behind
  // them.
  const datesOfMany = createBatchedList(read, lists, {
    maxSize: maxProducts,
    observe: observe('dates-of-many'),
  })
  const timeslots = createBatchedList(read, createCachedList(readTimeslots, weightOf), {
    maxSize,
    observe: observe('timeslots'),
  })
  const listOpen = async (asked: RequestedDates) => requireList(await timeslots([asked]))

  return {
    /** The dates with free places, each as JSON. */
    listDates: async (asked: RequestedDates) => requireList(await dates([asked])),

    /**
     * The dates with free places of up to `maxProducts` products of one account, each date as JSON. The
     * result has one list for each product, in the order of the request; null for a product that is not in
     * the shopfront.
     */
    listDatesOfMany: datesOfMany,

    /** The timeslots with free places on one date. `from` and `to` must both be this date. */
    async listTimeslots(asked: RequestedDates): Promise<TimeslotEntry[]> {
      return (await listOpen(asked)).filter(({ Available }) => Available > 0)
    },

    /**
     * All timeslots on sale, including full ones. It reads one week at a time, and shares batches with other
     * requests.
     * @throws Problem validation if the timeslots and prices of units together are more than `maxWeight`.
     */
    async listCalendar(asked: RequestedDates): Promise<CalendarEntry[]> {
      const entries: CalendarEntry[] = []
      let weight = 0
      for (const week of weeksOf(asked.from, asked.to)) {
        const days = await Promise.all(week.map((date) => listOpen({ ...asked, from: date, to: date })))
        for (const [index, day] of days.entries())
          for (const entry of day) {
            weight += weightOf(entry)
            entries.push({ Date: week[index]!, ...entry })
          }
        if (weight > maxWeight) throw problems.validation([tooMany])
      }
      return entries
    },
  }
}

const tooMany = {
  field: 'EndDate',
  message: `must be earlier: the range has more than ${maxWeight} timeslots and prices of units`,
}

function requireList<Entry>([entries]: (Entry[] | null)[]): Entry[] {
  if (!entries) throw problems.activityNotFound()
  return entries
}

const maxSize = 32

/**
 * Returns a function that reads lists in batches with other calls. All products of a call are of the same
 * account. The function returns a list for each product, or null for a product that is not in the shopfront.
 */
function createBatchedList<Entry>(
  read: Read,
  list: ListEntries<Entry>,
  { maxSize, observe }: { maxSize: number; observe: BatchObserver },
): (asked: RequestedDates[]) => Promise<(Entry[] | null)[]> {
  const batches = createBatcher<RequestedDates[], (Entry[] | null)[]>({
    maxSize,
    concurrency: 2,
    maxWaiting: 10_000,
    ownerOf: ([asked]) => asked!.accountId,
    measure: ({ length }) => ({ count: length, bytes: 0 }),
    refusal: () => problems.unavailable('Too many requests are waiting; please try again.'),
    observe,
    async run(requests) {
      const distinct = new Map(requests.flat().map((asked) => [nameOf(asked), asked]))
      const lists = await read((sql) => list(sql, [...distinct.values()]))
      const byName = new Map([...distinct.keys()].map((name, place) => [name, lists[place]]))
      return requests.map((request) => request.map((asked) => byName.get(nameOf(asked)) ?? null))
    },
  })
  return batches.add
}

function nameOf({ accountId, activity, from, to }: RequestedDates): string {
  return `${accountId} ${activity} ${from} ${to}`
}

/** Counts 1 for the timeslot, and 1 for each price of a unit. */
function weightOf({ Units }: TimeslotEntry): number {
  return 1 + (Units?.length ?? 0)
}

async function readDates(
  sql: Queryable,
  asked: RequestedDates[],
): Promise<(DateEntries<DateText>[] | null)[]> {
  const lists = await listDates(sql, asked)
  return lists.map((rows) => rows?.map((row) => ({ date: row.date, entries: [dateText(row)] })) ?? null)
}

async function readTimeslots(
  sql: Queryable,
  asked: RequestedDates[],
): Promise<(DateEntries<TimeslotEntry>[] | null)[]> {
  const lists = await listTimeslots(
    sql,
    asked.map(({ accountId, activity, from }) => ({ accountId, activity, date: from })),
  )
  return lists.map((rows, place) => rows && [{ date: asked[place]!.from, entries: rows.map(slotView) }])
}

/**
 * For each product and date, its timeslots on sale, including full ones, in the form that partners get; null
 * for a product that is not in the shopfront.
 */
export async function listTimeslotEntries(
  sql: Queryable,
  asked: TimeslotsAsked[],
): Promise<(TimeslotEntry[] | null)[]> {
  return (await listTimeslots(sql, asked)).map((rows) => rows?.map(slotView) ?? null)
}

function dateText({ date, timeslots, capacity, available }: DateRow): DateText {
  const entry: DateEntry = { Date: date, Timeslots: timeslots, Capacity: capacity, Available: available }
  return JSON.stringify(entry)
}

function pricesView({ currency, priceMinor, units }: NonNullable<SlotRow['prices']>) {
  return (units ?? [{ id: defaultUnitAlias, priceMinor }]).map((unit) => {
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
