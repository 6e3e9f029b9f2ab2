/** Reads a list page by page: the cursor that a caller sends, and the rows and the cursor that it gets. */
import { type KeyOf, type KeyTypes, readCursor, type SortKey, writeCursor } from '../platform/text/cursor.ts'
import { problems } from './problems.ts'

/** The number of rows in a page if the request has no `Limit`. */
export const defaultLength = 100

/**
 * A page of the rows that `list` returns, with at most `limit` rows. `next` is the cursor after its last row,
 * or null if there are no more rows. `keyOf` returns the sort key of a row.
 */
export async function readPage<Row>(
  limit: number | undefined,
  list: (limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => SortKey,
): Promise<{ rows: Row[]; next: string | null }> {
  const length = limit ?? defaultLength
  // One more row than needed shows whether there is a next page.
  const found = await list(length + 1)
  const rows = found.slice(0, length)
  return { rows, next: found.length > length ? writeCursor(keyOf(rows.at(-1)!)) : null }
}

/**
 * The sort key after which a list continues; null for its beginning.
 * @throws Problem validation for text that is not a cursor of these types.
 */
export function readPosition<const T extends KeyTypes>(
  cursor: string | undefined,
  types: T,
): KeyOf<T> | null {
  if (cursor === undefined) return null
  const position = readCursor(cursor, types)
  if (!position) throw problems.cursor()
  return position
}
