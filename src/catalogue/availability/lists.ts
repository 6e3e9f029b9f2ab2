/**
 * Lists the days of products. Days that are cached and up to date come from memory, the others from
 * PostgreSQL.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import { addDays } from '../../platform/text/calendar.ts'
import { type CachedAccount, createDayCache, type EntriesByDay } from './day-cache.ts'
import { findChanges, type LogCheck, type RequestedDates } from './queries.ts'

/** The entries of a date. */
export type DateEntries<Entry> = { date: string; entries: Entry[] }
/**
 * For each request, the dates that have entries; null if the account has no such product in the shopfront.
 */
type ReadDates<Entry> = (sql: Queryable, asked: RequestedDates[]) => Promise<(DateEntries<Entry>[] | null)[]>
export type ListEntries<Entry> = (sql: Queryable, asked: RequestedDates[]) => Promise<(Entry[] | null)[]>

/**
 * Returns a function that lists the same entries as `read`, without their dates, but takes days from memory
 * if it can. Each day is at least as current as the database that is read (primary or standby) at the time of
 * the call.
 * @param weigh returns the size of an entry in the cache; 1 for a short entry.
 */
export function createCachedList<Entry>(read: ReadDates<Entry>, weigh = (_: Entry) => 1): ListEntries<Entry> {
  const cached = createDayCache<Entry>(weigh)
  return async (sql, asked) => {
    const opened = new Map(asked.map(({ accountId }) => [accountId, cached.open(accountId)]))
    const checks = await findChanges(sql, asked, opened)
    const accounts = new Map<number, CachedAccount<Entry>>()
    for (const check of checks) {
      if (!check || accounts.has(check.accountId)) continue
      accounts.set(check.accountId, cached.apply(opened.get(check.accountId), check))
    }
    const lists = checks.map((check, place) => {
      return check && startList(asked[place]!, check, accounts.get(check.accountId)!)
    })
    const unfinished = lists.filter((list): list is UnfinishedList<Entry> => Boolean(list?.lacking))
    if (unfinished.length > 0) {
      const dates = await read(sql, unfinished.map(restOf))
      for (const [index, list] of unfinished.entries()) {
        const days = daysOf(list.lacking, dates[index] ?? [])
        cached.store(list.account, list.check, days)
        for (const [day, entries] of days) list.days[day - list.first] = entries
      }
    }
    return lists.map((list) => (list ? entriesOf(list) : null))
  }
}

type DayRange = { from: number; to: number }

type DayList<Entry> = {
  asked: RequestedDates
  check: LogCheck
  account: CachedAccount<Entry>
  first: number
  /** The entries of each requested day; undefined until the day is read. */
  days: (readonly Entry[] | undefined)[]
  /** The range from the first to the last day that is not in memory; null if all days are in memory. */
  lacking: DayRange | null
}
type UnfinishedList<Entry> = DayList<Entry> & { lacking: DayRange }

function startList<Entry>(
  asked: RequestedDates,
  check: LogCheck,
  account: CachedAccount<Entry>,
): DayList<Entry> {
  const [first, last] = [dayOf(asked.from), dayOf(asked.to)]
  const cached = account.products.get(check.productId)
  const days: DayList<Entry>['days'] = []
  for (let day = first; day <= last; day++) days.push(cached?.get(day))
  const [from, to] = [days.indexOf(undefined), days.lastIndexOf(undefined)]
  const uncachedRange = from < 0 ? null : { from: first + from, to: first + to }
  return { asked, check, account, first, days, lacking: uncachedRange }
}

/**
 * The entries of all days; each day must have been read. Array.flat() takes 20 µs for a month, and this takes
 * 2 µs.
 */
function entriesOf<Entry>({ days }: DayList<Entry>): Entry[] {
  const all: Entry[] = []
  for (const entries of days) for (const entry of entries!) all.push(entry)
  return all
}

function restOf({ asked, first, lacking }: UnfinishedList<unknown>): RequestedDates {
  const dateOf = (day: number) => addDays(asked.from, day - first)
  return { ...asked, from: dateOf(lacking.from), to: dateOf(lacking.to) }
}

function daysOf<Entry>({ from, to }: DayRange, dates: DateEntries<Entry>[]): EntriesByDay<Entry> {
  const days: EntriesByDay<Entry> = new Map()
  for (let day = from; day <= to; day++) days.set(day, [])
  for (const { date, entries } of dates) days.set(dayOf(date), entries)
  return days
}

/** The number of days from 1970-01-01 to a date. */
function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000
}
