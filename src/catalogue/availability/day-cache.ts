/**
 * A cache of the days that this process has read, by account and product. The entries of a day are what a list of
 * availability shows for it: the date itself, or its timeslots. Every change of a timeslot writes an event in the same
 * transaction, so a cached day is up to date until there is a later event about the day.
 *
 * A cached day shows the effects of all events of its account up to the account's `number`. Each check reads the later
 * events and the events that have no number yet, and removes the days that these events changed. Every read of days
 * begins after a check. Days are not cached if, after the check that preceded their read, another check of the account
 * has read later events. The days may lack the effect of such an event, and no further check would read that event and
 * remove them.
 */
import type { LogCheck } from './queries.ts'

/**
 * The entries of each day. The key is the number of days since 1970-01-01. A day without entries has an empty
 * array.
 */
export type EntriesByDay<Entry> = Map<number, readonly Entry[]>

export type CachedAccount<Entry> = {
  /** As in LogCheck. */
  epoch: number | null
  /** The number of the last event whose effect the cached days show. */
  number: number
  /** When this object was created, in milliseconds of performance.now(). */
  since: number
  /** The number of products and days, plus the weights of all entries. */
  size: number
  products: Map<number, EntriesByDay<Entry>>
}

// Somebody may change the tables with SQL, which writes no event. Such a change is visible after a minute at
// the latest.
const maxAgeMs = 60_000
// In the same unit as CachedAccount.size, for all accounts together: about 20 MB.
const maxSize = 100_000
const maxAccounts = 10_000

/** @param weigh how much of `maxSize` an entry takes. */
export function createDayCache<Entry>(weigh: (entry: Entry) => number = () => 1) {
  const accounts = new Map<number, CachedAccount<Entry>>()
  let size = 0

  function sizeOf(entries: readonly Entry[]): number {
    return entries.reduce((size, entry) => size + weigh(entry), 1)
  }

  function forget(accountId: number): void {
    size -= accounts.get(accountId)?.size ?? 0
    accounts.delete(accountId)
  }

  function forgetAll(): void {
    accounts.clear()
    size = 0
  }

  function grow(account: CachedAccount<Entry>, by: number): void {
    account.size += by
    size += by
  }

  /**
   * Removes products of the account that has the most cached data, in the order in which they were added. So
   * one account cannot displace the days of other accounts. If no account has a tenth of the cache, this
   * function removes everything, because removing one account would free too little.
   */
  function makeRoom(): void {
    const largest = [...accounts.values()].reduce((one, other) => (other.size > one.size ? other : one))
    if (largest.size < maxSize / 10) {
      forgetAll()
      return
    }
    const enough = Math.max(0, largest.size - maxSize / 4)
    for (const [productId, days] of largest.products) {
      if (largest.size <= enough) return
      drop(largest, days, [...days.keys()])
      largest.products.delete(productId)
      grow(largest, -1)
    }
  }

  function drop(account: CachedAccount<Entry>, days: EntriesByDay<Entry>, dropped: number[]): void {
    for (const day of dropped) {
      const entries = days.get(day)
      if (entries && days.delete(day)) grow(account, -sizeOf(entries))
    }
  }

  return {
    /**
     * The cached days of an account, for a check of its log; undefined if there are none, or if they are too
     * old.
     */
    open(accountId: number): CachedAccount<Entry> | undefined {
      const account = accounts.get(accountId)
      if (!account || performance.now() - account.since < maxAgeMs) return account
      forget(accountId)
      return undefined
    },

    /**
     * Removes the days that have changed according to a check, and returns the account. `opened` is the
     * result of open() before the check. The returned account is new and empty if `opened` is undefined or
     * out of date: another check has replaced it, the epoch has changed, or there are too many new events.
     */
    apply(opened: CachedAccount<Entry> | undefined, check: LogCheck): CachedAccount<Entry> {
      const { accountId, epoch, number, changedDays } = check
      const isCurrent = opened && opened === accounts.get(accountId) && opened.epoch === epoch
      if (!isCurrent || !changedDays) {
        forget(accountId)
        if (accounts.size >= maxAccounts) forgetAll()
        const account = { epoch, number, since: performance.now(), size: 0, products: new Map() }
        accounts.set(accountId, account)
        return account
      }
      for (const changed of changedDays) {
        const [productId, day] = changed.split(' ') as [string, string]
        const days = opened.products.get(Number(productId))
        if (days) drop(opened, days, day === 'all' ? [...days.keys()] : [Number(day)])
      }
      opened.number = Math.max(opened.number, number)
      return opened
    },

    /**
     * Caches the days of a product that were read after `check`, unless another check has advanced further
     * than it.
     */
    store(account: CachedAccount<Entry>, check: LogCheck, read: EntriesByDay<Entry>): void {
      if (size > maxSize) makeRoom()
      if (check.number < account.number || account !== accounts.get(check.accountId)) return
      const known = account.products.get(check.productId)
      const days: EntriesByDay<Entry> = known ?? new Map()
      account.products.set(check.productId, days)
      if (!known) grow(account, 1)
      for (const [day, entries] of read) {
        // Days before `settledFrom` are not cached: the sale of their timeslots may end soon, and no event
        // reports that.
        if (day < check.settledFrom) continue
        const before = days.get(day)
        days.set(day, entries)
        grow(account, sizeOf(entries) - (before ? sizeOf(before) : 0))
      }
    },
  }
}
