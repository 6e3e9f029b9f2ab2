/**
 * The position of a reader in the log. A cursor has the number of an event, and the epoch of the account's
 * last event when the number was read. Each restore or failover begins a new epoch. If it lost commits, new
 * events get the numbers of the lost events. The epoch shows whether a number may belong to a lost event.
 */
import { readPosition } from '../http/paging.ts'
import { problems } from '../http/problems.ts'
import type { Queryable } from '../platform/postgres/database.ts'
import { writeCursor } from '../platform/text/cursor.ts'

/** `epoch` is 0 before an account has its first number. */
export type LogPosition = { epoch: number; number: number }

export function writeLogCursor({ epoch, number }: LogPosition): string {
  return writeCursor(['log', epoch, number])
}

/**
 * Returns the position in a cursor, or null without a cursor.
 * @throws Problem validation for an invalid cursor.
 */
export function readLogCursor(cursor: string | undefined): LogPosition | null {
  const position = readPosition(cursor, ['string', 'number', 'number'])
  if (!position) return null
  const [log, epoch, number] = position
  if (log !== 'log' || epoch < 0 || number < 0) throw problems.cursor()
  return { epoch, number }
}

/**
 * Returns the number after which a reader continues, and the end of the account's log. A reader without a
 * position starts at the beginning. A reader whose position is of an older epoch continues after its number
 * or after the last number before the newer epochs, whichever is lower. If the epoch is unknown, a restore
 * lost it: the reader then gets the whole log again, so that it misses no event.
 */
export async function findReadPosition(
  sql: Queryable,
  accountId: number,
  position: LogPosition | null,
): Promise<{ after: number; end: LogPosition }> {
  const epoch = position?.epoch ?? 0
  const [log] = await sql<{ epoch: number | null; number: number; shared: number | null }[]>`
    select counter.epoch, counter.last_number as number, (
      select min(first_number) - 1 from event_epoch_starts as start
      join event_epochs on event_epochs.id = start.epoch
      where start.account_id = counter.account_id
        and event_epochs.place > coalesce((select place from event_epochs where id = ${epoch}), 0)
    ) as shared
    from event_counters as counter where account_id = ${accountId}`
  const after = position ? Math.min(position.number, log?.shared ?? position.number) : 0
  return { after, end: { epoch: log?.epoch ?? 0, number: log?.number ?? 0 } }
}
