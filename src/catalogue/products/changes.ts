/**
 * Lists the products that changed, in the order of their latest changes and in their current state. It includes
 * products that have left the shopfront.
 */
import { findReadPosition, type LogPosition } from '../../events/cursor.ts'
import { defaultLength, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { writeCursor } from '../../platform/text/cursor.ts'
import * as queries from './change-queries.ts'
import type { ProductsQuery } from './schemas.ts'

/**
 * The position of a reader. The list begins with the products that have no event in the log: `id` is the last of these
 * that the reader has, or `noMore` after all of them. Then `number` is the reader's position in the log.
 */
type ChangesPosition = LogPosition & { id: number }
const noMore = Number.MAX_SAFE_INTEGER

type ChangesQuery = Pick<ProductsQuery, 'UpdatedSince' | 'Cursor' | 'Limit'>
type ChangesPage = { products: queries.ProductInLog[]; next: string }

// Events are kept for at least a day, so a product without an event was changed before that.
const leastRetentionMs = 86_400_000

/**
 * Whether a request is for the changes and not for the whole list.
 * @throws Problem validation for parameters that only the whole list accepts.
 */
export function isForChanges(query: ProductsQuery): boolean {
  if (query.UpdatedSince === undefined && query.Cursor === undefined) return false
  const others = (['name', 'After'] as const).filter((field) => query[field] !== undefined)
  const message = 'cannot be given with UpdatedSince or Cursor'
  if (others.length > 0) throw problems.validation(others.map((field) => ({ field, message })))
  return true
}

/**
 * The next page of changes. A caller that follows `next` misses none: an event that gets its number later has
 * a higher one, whenever it was written.
 * @throws Problem validation for an invalid instant or cursor, and for a cursor from before a restore or a
 * failover, because changes that its reader has seen may be lost.
 */
export async function listChanges(
  sql: Sql,
  accountId: number,
  query: ChangesQuery,
  languages: readonly string[],
): Promise<ChangesPage> {
  const { Limit: limit = defaultLength, Cursor, UpdatedSince } = query
  const position = readChangesCursor(Cursor)
  const since = position ? 0 : instantOf(UpdatedSince!)
  // The end of the log is read first, so that the list read after it is complete up to there.
  const { end } = await findReadPosition(sql, accountId, null)
  if (position && position.epoch > 0 && position.epoch !== end.epoch)
    throw problems.validation([beforeRestore])
  const from = position ?? (await findStart(sql, accountId, since, end))
  const unlogged =
    from.id === noMore ? [] : await queries.listUnlogged(sql, accountId, { after: from.id, limit, languages })
  const left = limit - unlogged.length
  if (left === 0) {
    const { id } = unlogged.at(-1)!
    return { products: unlogged, next: writeChangesCursor({ ...from, epoch: end.epoch, id }) }
  }
  const logged = await queries.listChanged(sql, accountId, { after: from.number, limit: left, languages })
  const last = logged.at(-1)?.number ?? from.number
  // The list may contain events after `end`, which was read first. The next page must not repeat these.
  const number = logged.length === left ? last : Math.max(last, end.number)
  const next = writeChangesCursor({ epoch: end.epoch, number, id: noMore })
  return { products: [...unlogged, ...logged], next }
}

/** The position where the changes since an instant begin; the instant is in Unix milliseconds. */
async function findStart(
  sql: Sql,
  accountId: number,
  since: number,
  end: LogPosition,
): Promise<ChangesPosition> {
  const first = await queries.findFirstSince(sql, accountId, since)
  return {
    epoch: end.epoch,
    number: first === null ? end.number : first - 1,
    id: since < Date.now() - leastRetentionMs ? 0 : noMore,
  }
}

const beforeRestore = {
  field: 'Cursor',
  message:
    'is from before the database was restored: list all products again, and then begin with UpdatedSince',
}

function instantOf(text: string): number {
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds))
    throw problems.validation([{ field: 'UpdatedSince', message: 'is not an instant' }])
  return milliseconds
}

function writeChangesCursor({ epoch, number, id }: ChangesPosition): string {
  return writeCursor(['products', epoch, number, id])
}

/** Null without a cursor. @throws Problem validation for a cursor of another list. */
function readChangesCursor(cursor: string | undefined): ChangesPosition | null {
  const position = readPosition(cursor, ['string', 'number', 'number', 'number'])
  if (!position) return null
  const [list, epoch, number, id] = position
  if (list !== 'products' || epoch < 0 || number < 0 || id < 0) throw problems.cursor()
  return { epoch, number, id }
}
