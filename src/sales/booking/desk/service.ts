/** Use cases that read bookings for the operator. */

import type { Caller } from '../../../accounts/service.ts'
import { defaultLength, readPage, readPosition } from '../../../http/paging.ts'
import { problems } from '../../../http/problems.ts'
import type { Bought } from '../../../inventory/service.ts'
import type { Queryable, Sql } from '../../../platform/postgres/database.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { listMoneyHistory, type MoneyHistoryRow } from '../../ledger/money-history-queries.ts'
import { readLedger } from '../../ledger/service.ts'
import type { ListPosition } from '../model.ts'
import { isReference } from '../model.ts'
import { findSearch } from '../search/service.ts'
import { listFound } from './found.ts'
import { type BookingFilter, listBookings } from './list-queries.ts'
import type { SoldListQuery } from './list-query.ts'
import { listOwing } from './owing.ts'
import {
  type BookingChangeRow,
  findBooking,
  listBookingsByKeys,
  listChanges,
  listEmails,
  listParties,
} from './queries.ts'
import type { BookingDetail, BookingRecord } from './schemas.ts'
import { detailView, recordView } from './view.ts'

/**
 * The bookings that match, newest first. `next` is the cursor of the next page, or null.
 * @throws Problem validation for an invalid range or cursor.
 */
export async function browseBookings(
  sql: Sql,
  { accountId, timeZone }: Pick<Caller, 'accountId' | 'timeZone'>,
  query: SoldListQuery,
): Promise<{ bookings: BookingRecord[]; next: string | null }> {
  const { From, To, MadeFrom, MadeTo, SoldFrom, SoldTo } = query
  const errors = [
    ...rangeErrors('From', From, 'To', To),
    ...rangeErrors('MadeFrom', MadeFrom, 'MadeTo', MadeTo),
    ...rangeErrors('SoldFrom', SoldFrom, 'SoldTo', SoldTo),
  ]
  if (errors.length > 0) throw problems.validation(errors)
  const filter: BookingFilter = {
    timeZone,
    from: From,
    to: To,
    madeFrom: MadeFrom,
    madeTo: MadeTo,
    isSold: (query.Sold ?? SoldFrom ?? SoldTo) !== undefined,
    isNoShow: query.NoShow !== undefined,
    soldFrom: SoldFrom,
    soldTo: SoldTo,
    channel: query.Channel,
    statuses: query.Status,
    timeslotId: query.TimeslotID,
    productId: query.ProductID,
    partnerId: query.PartnerID,
    ...(await readText(sql, accountId, query.Text?.trim())),
    ...(await readSearched(sql, { accountId, timeZone }, query.Search?.trim())),
  }
  const after = positionOf(query.Cursor)
  const { search } = filter
  const place = { after, limit: query.Limit ?? defaultLength }
  if (query.ToPay || search) {
    const page = query.ToPay
      ? await listOwing(sql, accountId, filter, place)
      : await listFound(sql, accountId, { ...filter, search: search! }, place)
    return { bookings: page.rows.map(recordView), next: page.next }
  }
  const { rows, next } = await readPage(
    query.Limit,
    (limit) => listBookings(sql, accountId, filter, { after, limit }),
    ({ createdMicros, id }) => [createdMicros, id],
  )
  return { bookings: rows.map(recordView), next }
}

/**
 * Bookings as the operator sees them. The key of each is a text of account id and booking id (`7 12`). They have no
 * internal notes, because webhooks send them to other systems. Unknown bookings are left out.
 */
export async function listRecords(
  sql: Sql,
  keys: readonly { accountId: number; id: number }[],
): Promise<Map<string, BookingRecord>> {
  const rows = await listBookingsByKeys(sql, keys)
  return new Map(rows.map((row) => [`${row.accountId} ${row.id}`, withoutNotes(recordView(row))]))
}

function withoutNotes({ InternalNotes, ...rest }: BookingRecord): BookingRecord {
  return rest
}

/**
 * Reads a text as a booking reference if there is such a booking. This is the most frequent search, and it
 * then needs no look-up in the index of words.
 */
async function readText(sql: Sql, accountId: number, text: string | undefined) {
  const reference = text?.toUpperCase()
  const isWhole =
    reference !== undefined && isReference(reference) && (await findBooking(sql, accountId, reference))
  return isWhole ? { reference } : { text }
}

/** Reads a search. Its reference stays apart from that of `Text`, because a booking must match both. */
async function readSearched(
  sql: Sql,
  account: Pick<Caller, 'accountId' | 'timeZone'>,
  search: string | undefined,
) {
  if (!search) return {}
  const { reference } = await readText(sql, account.accountId, search)
  return { search: reference ? { reference, orNamed: [] } : await findSearch(sql, account, search) }
}

function rangeErrors(
  fromName: string,
  from: string | undefined,
  toName: string,
  to: string | undefined,
): FieldError[] {
  return from !== undefined && to !== undefined && to < from
    ? [{ field: toName, message: `must not be before ${fromName}` }]
    : []
}

/** The position in a cursor; null without a cursor. @throws Problem validation for an invalid cursor. */
export function positionOf(cursor: string | undefined): ListPosition | null {
  const position = readPosition(cursor, ['number', 'number'])
  if (position?.some((part) => part < 0)) throw problems.cursor()
  return position
}

/**
 * One booking with its history and its e-mails.
 * @throws Problem not-found when the account has no booking with this reference.
 */
export async function readBooking(sql: Sql, accountId: number, reference: string): Promise<BookingDetail> {
  const row = await findBooking(sql, accountId, reference)
  if (!row) throw problems.bookingNotFound()
  const [changes, moneyEvents, emails, ledgers] = await Promise.all([
    listChanges(sql, accountId, row.id),
    listMoneyHistory(sql, accountId, row.basketId),
    listEmails(sql, accountId, row.id),
    readLedger(sql, accountId, [row.basketId]),
  ])
  return detailView(row, inOrderOfTime(changes, moneyEvents), emails, ledgers.get(row.basketId))
}

/**
 * Merges the money events into the changes by time. The changes keep their order: some have the same time, so they
 * cannot be sorted by it.
 */
function inOrderOfTime(changes: readonly BookingChangeRow[], moneyEvents: readonly MoneyHistoryRow[]) {
  const rest = [...moneyEvents]
  const before = (at: Date) => {
    const index = rest.findIndex(({ madeAt }) => madeAt >= at)
    return rest.splice(0, index < 0 ? rest.length : index)
  }
  return [...changes.flatMap((change) => [...before(change.madeAt), change]), ...rest]
}

/** The purchase of a booking. @throws Problem not-found. */
export async function readBought(sql: Queryable, accountId: number, reference: string): Promise<Bought> {
  const row = await findBooking(sql, accountId, reference)
  if (!row) throw problems.bookingNotFound()
  return row
}

/** A booking as the operator sees it. The booking must exist. */
export async function getBooking(
  sql: Queryable,
  accountId: number,
  reference: string,
): Promise<BookingRecord> {
  return recordView((await findBooking(sql, accountId, reference))!)
}

/** The confirmed bookings of a day, in the order of their timeslots, up to a limit. */
export async function listPartiesOfDay(
  sql: Queryable,
  accountId: number,
  { date, limit }: { date: string; limit: number },
): Promise<BookingRecord[]> {
  return (await listParties(sql, accountId, { date }, limit)).map(recordView)
}

/** The confirmed bookings of one timeslot, up to a limit. */
export async function listPartiesOfTimeslot(
  sql: Sql,
  accountId: number,
  { timeslotId, limit }: { timeslotId: number; limit: number },
): Promise<BookingRecord[]> {
  return (await listParties(sql, accountId, { timeslotId }, limit)).map(recordView)
}
