/**
 * The days that this process has read and keeps, by account and product, until the event log names them.
 * Every change of a timeslot writes an event in the same transaction, so a day that no later event names is
 * still up to date.
 *
 * A kept day includes every event of its account up to the account's `number`. Each check finds the days to
 * forget from later events, and from those without a number yet. A read that began after a check may be kept
 * only while no other check has advanced further: otherwise it may lack an event that no later check reads
 * again.
 */
import type { LogCheck } from './queries.ts'

/** By days since 1970: the entries of each day, empty when it has no free places. */
export type EntriesByDay<Entry> = Map<number, readonly Entry[]>

export type KeptAccount<Entry> = {
  epoch: number | null
  number: number
  since: number
  /** The number of products, days and entries together. */
  size: number
  products: Map<number, EntriesByDay<Entry>>
}

// A manual change of the tables, which writes no event, is visible after a minute at the latest.
const maxAgeMs = 60_000
// About 20 MB.
const maxSize = 100_000
const maxAccounts = 10_000

/** @param weigh how much of `maxSize` an entry takes. */
export function createKeptDays<Entry>(weigh: (entry: Entry) => number = () => 1) {
  const accounts = new Map<number, KeptAccount<Entry>>()
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

  function grow(account: KeptAccount<Entry>, by: number): void {
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

  function drop(account: KeptAccount<Entry>, days: EntriesByDay<Entry>, dropped: number[]): void {
    for (const day of dropped) {
      const entries = days.get(day)
      if (entries && days.delete(day)) grow(account, -sizeOf(entries))
    }
  }

  return {
    /** The kept days of an account before its log is checked; undefined when there are none. */
    open(accountId: number): KeptAccount<Entry> | undefined {
      const account = accounts.get(accountId)
      if (!account || performance.now() - account.since < maxAgeMs) return account
      forget(accountId)
      return undefined
    },

    /** What is still valid after a check that began when it was opened. */
    apply(opened: KeptAccount<Entry> | undefined, check: LogCheck): KeptAccount<Entry> {
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

    /** Keeps what was read of a product after a check. */
    keep(account: KeptAccount<Entry>, check: LogCheck, read: EntriesByDay<Entry>): void {
      if (size > maxSize) makeRoom()
      if (check.number < account.number || account !== accounts.get(check.accountId)) return
      const known = account.products.get(check.productId)
      const days: EntriesByDay<Entry> = known ?? new Map()
      account.products.set(check.productId, days)
      if (!known) grow(account, 1)
      for (const [day, entries] of read) {
        // The sale of timeslots of an earlier day may end, which writes no event.
        if (day < check.settledFrom) continue
        const before = days.get(day)
        days.set(day, entries)
        grow(account, sizeOf(entries) - (before ? sizeOf(before) : 0))
      }
    },
  }
}
