/** Reading a list page by page: the position that a caller hands back, and the rows and the cursor it is given. */
import { type KeyOf, type KeyTypes, readCursor, type SortKey, writeCursor } from '../platform/text/cursor.ts'
import { problems } from './problems.ts'

/** How long a page is when nothing else is asked for. */
export const usualLength = 100

/**
 * A page of what `list` gives, and in `next` the cursor behind its last row where there is more; `keyOf` is what the
 * list is sorted by.
 */
export async function readPage<Row>(
  limit: number | undefined,
  list: (limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => SortKey,
): Promise<{ rows: Row[]; next: string | null }> {
  const length = limit ?? usualLength
  // One more than asked tells whether there is a next page.
  const found = await list(length + 1)
  const rows = found.slice(0, length)
  return { rows, next: found.length > length ? writeCursor(keyOf(rows.at(-1)!)) : null }
}

/**
 * The sort key behind which a list goes on; null for its beginning.
 * @throws Problem validation for text that is no cursor of these types.
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
