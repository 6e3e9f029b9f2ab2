/**
 * Lists changed products for partners, in the order of their latest changes and in their current state,
 * including products that have left the shopfront.
 */
import { findReadPosition, type LogPosition } from '../../events/cursor.ts'
import { defaultLength, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { writeCursor } from '../../platform/text/cursor.ts'
import * as queries from './change-queries.ts'
import type { ProductsQuery } from './schemas.ts'

/**
 * The position of a reader in the list of changes. The list has two parts: products without an event in the
 * log, by id, and then products by their latest event. `id` is the last product of the first part that the
 * reader has received, or `noMore` if the reader has received them all or does not need this part. `number`
 * is the event after which the second part continues.
 */
type ChangesPosition = LogPosition & { id: number }
const noMore = Number.MAX_SAFE_INTEGER

type ChangesQuery = Pick<ProductsQuery, 'UpdatedSince' | 'Cursor' | 'Limit'>
type ChangesPage = { products: queries.ProductInLog[]; next: string }

// The log keeps events for at least a day, so a product without an event has not changed for a day.
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
 * Returns the next page of changes, and the cursor of the page after it. A caller that follows `next` misses
 * no change: an event that is numbered later gets a higher number, even if it was written earlier.
 * @throws Problem validation for an invalid instant or cursor. A cursor from before a restore or a failover
 * is also invalid, because changes that its reader has seen may be lost.
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
  // The end of the log is read before the lists, so that the lists have all changes up to this end.
  const { end } = await findReadPosition(sql, accountId, null)
  if (position && position.epoch > 0 && position.epoch !== end.epoch)
    throw problems.validation([beforeRestore])
  const from = position ?? (await findStart(sql, accountId, since, end))
  const unlogged =
    from.id === noMore ? [] : await queries.listUnlogged(sql, accountId, { after: from.id, limit, languages })
  const remaining = limit - unlogged.length
  if (remaining === 0) {
    const { id } = unlogged.at(-1)!
    return { products: unlogged, next: writeChangesCursor({ ...from, epoch: end.epoch, id }) }
  }
  const logged = await queries.listChanged(sql, accountId, {
    after: from.number,
    limit: remaining,
    languages,
  })
  const last = logged.at(-1)?.number ?? from.number
  // The list may contain events after `end`, which was read first. The next page must not repeat these.
  const number = logged.length === remaining ? last : Math.max(last, end.number)
  const next = writeChangesCursor({ epoch: end.epoch, number, id: noMore })
  return { products: [...unlogged, ...logged], next }
}

/** The position at which the changes since the instant `since` (Unix milliseconds) begin. */
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
