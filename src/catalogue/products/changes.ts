/** What changed of products: each that is or was in the shopfront, as it is now, in the order of the latest changes. */
import { findPlace, type LogPosition } from '../../events/cursor.ts'
import { readPosition, usualLength } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { writeCursor } from '../../platform/text/cursor.ts'
import * as queries from './change-queries.ts'
import type { ProductsQuery } from './schemas.ts'

/**
 * Where a reader goes on: first behind the ID of a product of which the log has nothing, until `noMore`, and then behind
 * a number of the log.
 */
type ChangesPosition = LogPosition & { id: number }
const noMore = Number.MAX_SAFE_INTEGER

type ChangesQuery = Pick<ProductsQuery, 'UpdatedSince' | 'Cursor' | 'Limit'>
type ChangesPage = { products: queries.ProductInLog[]; next: string }

// Events are kept for a day at least, so that what the log has nothing of was changed before.
const leastRetentionMs = 86_400_000

/**
 * Whether a request is for what changed, not for the whole list.
 * @throws Problem validation for what only the whole list takes.
 */
export function isForChanges(query: ProductsQuery): boolean {
  if (query.UpdatedSince === undefined && query.Cursor === undefined) return false
  const others = (['name', 'After'] as const).filter((field) => query[field] !== undefined)
  const message = 'cannot be given with UpdatedSince or Cursor'
  if (others.length > 0) throw problems.validation(others.map((field) => ({ field, message })))
  return true
}

/**
 * The next page of changes. A caller that follows `next` misses none: an event that is numbered later has a higher
 * number, whenever it was written.
 * @throws Problem validation for an instant or a cursor that makes no sense, and for a cursor of before a restore or a
 *   failover: what its reader has seen may be lost.
 */
export async function listChanges(sql: Sql, accountId: number, query: ChangesQuery): Promise<ChangesPage> {
  const { Limit: limit = usualLength, Cursor, UpdatedSince } = query
  const position = readChangesCursor(Cursor)
  const since = position ? 0 : instantOf(UpdatedSince!)
  // The end of the log is read first, so that what is listed afterwards is complete up to it.
  const { end } = await findPlace(sql, accountId, null)
  if (position && position.epoch > 0 && position.epoch !== end.epoch)
    throw problems.validation([beforeRestore])
  const from = position ?? (await findStart(sql, accountId, since, end))
  const unlogged =
    from.id === noMore ? [] : await queries.listUnlogged(sql, accountId, { after: from.id, limit })
  const left = limit - unlogged.length
  if (left === 0) {
    const { id } = unlogged.at(-1)!
    return { products: unlogged, next: writeChangesCursor({ ...from, epoch: end.epoch, id }) }
  }
  const logged = await queries.listChanged(sql, accountId, { after: from.number, limit: left })
  const last = logged.at(-1)?.number ?? from.number
  // What is listed may be behind the end that was read before it, and must not come again.
  const number = logged.length === left ? last : Math.max(last, end.number)
  const next = writeChangesCursor({ epoch: end.epoch, number, id: noMore })
  return { products: [...unlogged, ...logged], next }
}

/** Where the changes since an instant begin, in Unix milliseconds. */
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
    'is of before the database was restored: list all products anew, and begin again with UpdatedSince',
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

/** Null without a cursor. @throws Problem validation when it is of another list. */
function readChangesCursor(cursor: string | undefined): ChangesPosition | null {
  const position = readPosition(cursor, ['string', 'number', 'number', 'number'])
  if (!position) return null
  const [list, epoch, number, id] = position
  if (list !== 'products' || epoch < 0 || number < 0 || id < 0) throw problems.cursor()
  return { epoch, number, id }
}
