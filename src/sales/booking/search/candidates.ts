/** Finds the bookings that may match a search, if there are not too many. */
import type { Sql } from '../../../platform/postgres/database.ts'
import * as queries from './candidate-queries.ts'
import type { BookingSearch } from './model.ts'

/** A part of a search that matches more bookings, or products with more timeslots, is not used to find candidates. */
const maxCandidates = 10_000

/**
 * The ids of all bookings that match one part of the search; every result of the whole search is among them.
 * Null if the search has no words, or if each part matches more than 10,000 bookings, or products with more
 * than 10,000 timeslots.
 */
export async function findCandidates(
  sql: Sql,
  accountId: number,
  { words, orNamed }: BookingSearch,
): Promise<number[] | null> {
  const parts = orNamed.toSorted((one, other) => one.productIds.length - other.productIds.length)
  return sql.begin(async (tx) => {
    await queries.preferIndexOfWords(tx)
    if (words !== undefined) {
      const ids = await queries.listMatches(tx, accountId, words, maxCandidates + 1)
      if (ids.length <= maxCandidates) return ids
    }
    for (const part of parts) {
      const timeslots = await queries.countTimeslots(tx, accountId, part.productIds, maxCandidates + 1)
      if (timeslots > maxCandidates) continue
      const ids = await queries.listNamed(tx, accountId, part, maxCandidates + 1)
      if (ids.length <= maxCandidates) return ids
    }
    return null
  })
}

/** Whether a booking has a word that matches a tsquery. */
export function hasMatch(sql: Sql, accountId: number, query: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    await queries.preferIndexOfWords(tx)
    return (await queries.listMatches(tx, accountId, query, 1)).length > 0
  })
}
