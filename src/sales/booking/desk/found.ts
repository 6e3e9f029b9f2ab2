/**
 * Finds the bookings of a search. A search that is not narrow (see isNarrow()) reads a limited number of rows. It
 * first reads the newest bookings, which is enough for words that many bookings have. If they do not fill the page,
 * it looks up all matches in the index of words. If there are too many matches, it reads more of the newest
 * bookings, and the next page continues after them.
 */
import type { Sql } from '../../../platform/postgres/database.ts'
import { writeCursor } from '../../../platform/text/cursor.ts'
import type { ListPosition } from '../model.ts'
import { findCandidates } from '../search/candidates.ts'
import type { BookingSearch } from '../search/model.ts'
import { type BookingFilter, findPositionAfter, listBookings } from './list-queries.ts'
import type { BookingRow } from './queries.ts'

type FoundPlace = { after: ListPosition | null; limit: number }
type FoundPage = { rows: BookingRow[]; next: string | null }
type Searched = BookingFilter & { search: BookingSearch }

/**
 * How many of the newest bookings are read for a page: before the look-up in the index of words, and after
 * it.
 */
const [fewNewest, maxNewest] = [1000, 10_000]

/**
 * The bookings that match, newest first. A page may have fewer than requested, or none, if many others are between the
 * matches. `next` is the position of the next page, or null.
 */
export async function listFound(
  sql: Sql,
  accountId: number,
  filter: Searched,
  place: FoundPlace,
): Promise<FoundPage> {
  if (isNarrow(filter)) return listWhole(sql, accountId, filter, place)
  const newest = await listAmongNewest(sql, accountId, filter, { ...place, newest: fewNewest })
  if (newest.isWhole) return newest
  const ids = await findCandidates(sql, accountId, filter.search)
  if (ids) return listWhole(sql, accountId, { ...filter, ids }, place)
  return listAmongNewest(sql, accountId, filter, { ...place, newest: maxNewest })
}

/**
 * Whether the query needs no bound: the search has no words and no time, or a filter leaves one booking, day or
 * timeslot.
 */
function isNarrow({ search, from, to, timeslotId, reference }: Searched): boolean {
  const isOfDay = search.day !== undefined || (from !== undefined && from === to)
  const isAsked = search.words !== undefined || search.orNamed.length > 0 || search.time !== undefined
  return !isAsked || isOfDay || timeslotId !== undefined || (reference ?? search.reference) !== undefined
}

async function listWhole(
  sql: Sql,
  accountId: number,
  filter: BookingFilter,
  { after, limit }: FoundPlace,
): Promise<FoundPage> {
  const found = await listBookings(sql, accountId, filter, { after, limit: limit + 1 })
  return cut(found, limit)
}

/**
 * Searches only the next `newest` bookings of the account. `isWhole`: the page is full, or there are no more
 * bookings.
 */
async function listAmongNewest(
  sql: Sql,
  accountId: number,
  filter: BookingFilter,
  { after, limit, newest }: FoundPlace & { newest: number },
): Promise<FoundPage & { isWhole: boolean }> {
  const until = await findPositionAfter(sql, accountId, after, newest)
  const found = await listBookings(sql, accountId, filter, { after, until, limit: limit + 1 })
  if (found.length > limit || until === null) return { ...cut(found, limit), isWhole: true }
  return { rows: found, next: writeCursor(until), isWhole: false }
}

function cut(found: BookingRow[], limit: number): FoundPage {
  const rows = found.slice(0, limit)
  const { createdMicros, id } = rows.at(-1) ?? {}
  return { rows, next: found.length > limit ? writeCursor([createdMicros!, id!]) : null }
}
