/** The SQL of the list of bookings, and its filters. */
import { peopleAbsent } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ListPosition } from '../model.ts'
import type { BookingSearch } from '../search/model.ts'
import { containsText, searchConditions } from '../search/queries.ts'
import { type BookingRow, selectBookings } from './queries.ts'

/**
 * Every given filter narrows the list. Ranges of days include both ends. `from` and `to` are days of the
 * timeslot in the product's time zone; the other days are in `timeZone`.
 */
export type BookingFilter = {
  timeZone: string
  from?: string | undefined
  to?: string | undefined
  madeFrom?: string | undefined
  madeTo?: string | undefined
  /** Only bookings that were confirmed at some time, even if they are cancelled now, as reports count sales. */
  isSold?: boolean | undefined
  /** Only confirmed bookings with people who did not come, as reports count them. */
  isNoShow?: boolean | undefined
  soldFrom?: string | undefined
  soldTo?: string | undefined
  channel?: string | undefined
  statuses?: string[] | undefined
  timeslotId?: number | undefined
  productId?: number | undefined
  partnerId?: number | undefined
  reference?: string | undefined
  /**
   * A part of the booking's reference, payment reference, name or e-mail address, or its basket's whole payment
   * reference.
   */
  text?: string | undefined
  search?: BookingSearch | undefined
  /** Only bookings with these ids. */
  ids?: number[] | undefined
  /** Only bookings whose sale may still owe something, as noted in owing_bookings. */
  mayOwe?: boolean | undefined
}

/**
 * Lists bookings by creation, newest first: those after the position `after` and up to the position `until`,
 * inclusive, if given. Bookings that are made while a client reads the list come before the first page.
 */
export function listBookings(
  sql: Queryable,
  accountId: number,
  filter: BookingFilter,
  { after, until = null, limit }: { after: ListPosition | null; until?: ListPosition | null; limit: number },
): Promise<BookingRow[]> {
  const { mayOwe } = filter
  const [at, id] = mayOwe
    ? [sql`owing.created_at`, sql`owing.booking_id`]
    : [sql`bookings.created_at`, sql`bookings.id`]
  return sql<BookingRow[]>`
    ${selectBookings(sql)} ${mayOwe ? withOwing(sql) : sql``}
    where bookings.account_id = ${accountId} ${matching(sql, accountId, filter)}
      ${after ? sql`and (${at}, ${id}) < (${instant(sql, after[0])}, ${after[1]})` : sql``}
      ${until ? sql`and (${at}, ${id}) >= (${instant(sql, until[0])}, ${until[1]})` : sql``}
    order by ${at} desc, ${id} desc
    limit ${limit}`
}

/**
 * The position of the booking that is `count` bookings after a position, or after the beginning of the list;
 * null if there are not so many.
 */
export async function findPositionAfter(
  sql: Queryable,
  accountId: number,
  after: ListPosition | null,
  count: number,
): Promise<ListPosition | null> {
  const [row] = await sql<{ micros: number; id: number }[]>`
    select (extract(epoch from created_at) * 1000000)::bigint as micros, id from bookings
    where account_id = ${accountId}
      ${after ? sql`and (created_at, id) < (${instant(sql, after[0])}, ${after[1]})` : sql``}
    order by created_at desc, id desc offset ${count - 1} limit 1`
  return row ? [row.micros, row.id] : null
}

/**
 * Limits a query to noted bookings. A note has the creation time of its booking, so an index returns the
 * notes in the order of the list.
 */
function withOwing(sql: Queryable) {
  return sql`
    join owing_bookings as owing on owing.account_id = bookings.account_id and owing.booking_id = bookings.id`
}

function matching(sql: Queryable, accountId: number, filter: BookingFilter) {
  const { timeZone, from, to, madeFrom, madeTo, channel, statuses, reference, text } = filter
  const { timeslotId, productId, partnerId, search, ids, isSold, isNoShow, soldFrom, soldTo } = filter
  const given = <T>(value: T | undefined, condition: (value: T) => ReturnType<Queryable>) =>
    value === undefined ? sql`` : condition(value)
  return sql`
    ${given(from, (day) => sql`and slot.date >= ${day}`)}
    ${given(to, (day) => sql`and slot.date <= ${day}`)}
    ${given(madeFrom, (day) => sql`and bookings.created_at >= ${firstInstant(sql, sql`${day}::date`, timeZone)}`)}
    ${given(madeTo, (day) => sql`and bookings.created_at < ${firstInstant(sql, sql`(${day}::date + 1)`, timeZone)}`)}
    ${isSold ? sql`and bookings.confirmed_at is not null and bookings.status in ('confirmed', 'cancelled')` : sql``}
    ${isNoShow ? sql`and bookings.status = 'confirmed' and ${peopleAbsent(sql)} > 0` : sql``}
    ${given(soldFrom, (day) => sql`and bookings.confirmed_at >= ${firstInstant(sql, sql`${day}::date`, timeZone)}`)}
    ${given(soldTo, (day) => sql`and bookings.confirmed_at < ${firstInstant(sql, sql`(${day}::date + 1)`, timeZone)}`)}
    ${given(channel, (name) => sql`and bookings.channel = ${name}`)}
    ${given(statuses, (names) => sql`and bookings.status ${oneOf(sql, names)}`)}
    ${given(timeslotId, (id) => sql`and bookings.timeslot_id = ${id}`)}
    ${given(productId, (id) => sql`and slot.product_id = ${id}`)}
    ${given(partnerId, (id) => sql`and bookings.partner_id = ${id}`)}
    ${given(reference, (whole) => sql`and bookings.reference = ${whole}`)}
    ${given(text, (part) => sql`and ${containsText(sql, accountId, part)}`)}
    ${given(ids, (some) => sql`and bookings.id = any(${some}::bigint[])`)}
    ${given(search, (all) => searchConditions(sql, all))}`
}

/** With a single value, the index returns the rows in the order of the list. */
function oneOf(sql: Queryable, names: string[]) {
  return names.length === 1 ? sql`= ${names[0]!}` : sql`= any(${names}::text[])`
}

/** When a day begins: its midnight, or the first instant after a clock change that skips midnight. */
function firstInstant(sql: Queryable, day: ReturnType<Queryable>, timeZone: string) {
  return sql`coalesce(local_instant(${day}::timestamp, ${timeZone}), ${day}::timestamp at time zone ${timeZone})`
}

function instant(sql: Queryable, micros: number) {
  return sql`(timestamptz 'epoch' + ${micros} * interval '1 microsecond')`
}
