/**
 * A cache of the days that this process has read, by account and product. Every change of a timeslot writes an
 * event in the same transaction, so a cached day is up to date until there is a later event about it.
 *
 * A cached day shows the effects of all events of its account up to the account's `number`. Each check reads the
 * later events, and those that have no number yet, and removes the days that they are about. The result of a
 * read that began after a check may be cached only if no other check has advanced further in the meantime:
 * otherwise it may lack the effect of an event that no later check reads again.
 */
import type { LogCheck } from './queries.ts'

/** The entries of each day, by days since 1970. A day without anything to list has an empty array. */
export type EntriesByDay<Entry> = Map<number, readonly Entry[]>

export type CachedAccount<Entry> = {
  epoch: number | null
  number: number
  since: number
  /** The number of products and days, plus the weights of all entries. */
  size: number
  products: Map<number, EntriesByDay<Entry>>
}

// A manual change of the tables, which writes no event, is visible after a minute at the latest.
const maxAgeMs = 60_000
// About 20 MB.
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
   * Forgets products of the account that keeps most, oldest first, so that one account cannot displace the
   * days of others. If no account keeps much, it forgets everything: a single account would free too little.
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
    /** The cached days of an account, for a check of its log; undefined if there are none, or if they are too old. */
    open(accountId: number): CachedAccount<Entry> | undefined {
      const account = accounts.get(accountId)
      if (!account || performance.now() - account.since < maxAgeMs) return account
      forget(accountId)
      return undefined
    },

    /**
     * Removes the days that a check found changed, and returns the account. `opened` is the result of open() before
     * the check. The returned account is empty if `opened` is out of date: it was replaced meanwhile, the epoch has
     * changed, or there are too many new events.
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

    /** Caches the days of a product that were read after a check, unless another check has advanced further. */
    keep(account: CachedAccount<Entry>, check: LogCheck, read: EntriesByDay<Entry>): void {
      if (size > maxSize) makeRoom()
      if (check.number < account.number || account !== accounts.get(check.accountId)) return
      const known = account.products.get(check.productId)
      const days: EntriesByDay<Entry> = known ?? new Map()
      account.products.set(check.productId, days)
      if (!known) grow(account, 1)
      for (const [day, entries] of read) {
        // The sale of timeslots before `settledFrom` may end soon, and no event reports that. So they are not cached.
        if (day < check.settledFrom) continue
        const before = days.get(day)
        days.set(day, entries)
        grow(account, sizeOf(entries) - (before ? sizeOf(before) : 0))
      }
    },
  }
}
