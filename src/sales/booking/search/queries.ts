/** SQL that searches bookings, and keeps the words by which they are searched. */
import type { Fragment, Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { keysOf } from '../named-rows.ts'
import { type BookingSearch, type Searchable, type WordQuery, wordsOf } from './model.ts'

export type BookingKey = { accountId: number; id: number }
type SearchableRow = BookingKey & Searchable

/**
 * Writes the words of bookings as these are now: also of those that have some, with `again`. Without it nothing is
 * overwritten that was written after the bookings were read.
 */
export async function writeWords(
  tx: Transaction,
  keys: readonly BookingKey[],
  { again }: { again: boolean },
): Promise<void> {
  const rows = await listSearchable(tx, keys)
  if (rows.length === 0) return
  await tx`
    insert into booking_words (account_id, booking_id, words)
    select account_id, booking_id, array_to_tsvector(string_to_array(words, E'\n'))
    from unnest(
      ${rows.map(({ accountId }) => accountId)}::bigint[], ${rows.map(({ id }) => id)}::bigint[],
      ${rows.map((row) => wordsOf(row.accountId, row).join('\n'))}::text[]
    ) as given (account_id, booking_id, words)
    order by account_id, booking_id
    on conflict (account_id, booking_id) do ${
      again ? tx`update set words = excluded.words where booking_words.words <> excluded.words` : tx`nothing`
    }`
}

function listSearchable(sql: Queryable, keys: readonly BookingKey[]) {
  return sql<SearchableRow[]>`
    select bookings.account_id as "accountId", bookings.id,
      array[bookings.first_name, bookings.last_name] || array(
        select unnest(array[first_name, last_name]) from tickets as ticket where ${isTicketOf(sql)}
      ) as names,
      array[bookings.phone] || array(select phone from tickets as ticket where ${isTicketOf(sql)}) as phones,
      array[bookings.email] || array(select email from tickets as ticket where ${isTicketOf(sql)}) as emails,
      array[bookings.reference, bookings.payment_reference, baskets.payment_reference] || array(
        select reseller_reference from tickets as ticket where ${isTicketOf(sql)}
      ) as codes
    from ${keysOf(sql, keys)}
    join bookings on bookings.account_id = key.account_id and bookings.id = key.id
    left join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id`
}

function isTicketOf(sql: Queryable) {
  return sql`bookings.has_tickets and ticket.account_id = bookings.account_id and ticket.booking_id = bookings.id`
}

/** Some bookings of an account that have no words yet, behind an id in the order of their ids. */
export function listWithoutWords(
  sql: Queryable,
  accountId: number,
  { after, limit }: { after: number; limit: number },
) {
  return sql<BookingKey[]>`
    select account_id as "accountId", id from bookings
    where account_id = ${accountId} and id > ${after} and not exists (
      select from booking_words
      where booking_words.account_id = bookings.account_id and booking_words.booking_id = bookings.id
    )
    order by account_id, id
    limit ${limit}`
}

// The newest that match: a first name that thousands have stays an answer within milliseconds.
const mostMatches = 10_000
const [newest, frequent] = [1000, 100]

/**
 * Whether a tenth of the newest bookings match a tsquery. The index of words reads every match before the newest are
 * known: then it is cheaper to read bookings from the newest on until enough of them match.
 */
export async function isFrequent(sql: Queryable, accountId: number, query: string): Promise<boolean> {
  const [counted] = await sql<{ isFrequent: boolean }[]>`
    select count(*) filter (where words @@ ${query}::text::tsquery) >= ${frequent} as "isFrequent" from (
      select words from booking_words where account_id = ${accountId} order by booking_id desc limit ${newest}
    ) as newest`
  return counted!.isFrequent
}

/**
 * A condition on the rows `bookings` and `slot`: all that a search asks. Its words are found by their index. A word
 * that is in the name of a product or a partner too is looked at within what is found otherwise; where nothing else is asked, that is
 * every booking, so that it is found by the index once as well.
 */
export function isFound(sql: Queryable, accountId: number, search: BookingSearch): Fragment {
  const { reference, day, words, orNamed } = search
  const isAskedOfAll = day === undefined && words === undefined
  const isNamed = ({ productIds, partnerIds, ...words }: BookingSearch['orNamed'][number]) => {
    const isOfProduct = sql`slot.product_id = any(${productIds}::bigint[])`
    if (!isAskedOfAll)
      return sql`(${isOfProduct} or bookings.partner_id = any(${partnerIds}::bigint[]) or ${matchesHere(sql, words.query)})`
    const found = sql`(${matches(sql, accountId, words)}) union all (${ofPartners(sql, accountId, partnerIds)})`
    if (productIds.length === 0) return sql`bookings.id = any(array(${found}))`
    return sql`(${isOfProduct} or bookings.id in (${found}))`
  }
  const either = orNamed.reduce<Fragment>((all, named) => sql`${all} and ${isNamed(named)}`, sql``)
  return sql`
    ${reference === undefined ? sql`` : sql`and bookings.reference = ${reference}`}
    ${day === undefined ? sql`` : sql`and slot.date = ${day}`}
    ${words === undefined ? sql`` : sql`and bookings.id = any(array(${matches(sql, accountId, words)}))`}
    ${either}`
}

function ofPartners(sql: Queryable, accountId: number, partnerIds: number[]): Fragment {
  return sql`
    select sold.id from bookings as sold
    where sold.account_id = ${accountId} and sold.partner_id = any(${partnerIds}::bigint[])
    order by sold.created_at desc, sold.id desc limit ${mostMatches}`
}

/** The ids of the newest bookings with words that match, found by their index once, and sorted after that. */
function matches(sql: Queryable, accountId: number, { query, isFrequent }: WordQuery): Fragment {
  if (isFrequent)
    return sql`
      select newest.booking_id from (
        select booking_id, words from booking_words where account_id = ${accountId} order by booking_id desc offset 0
      ) as newest
      where newest.words @@ ${query}::text::tsquery limit ${mostMatches}`
  return sql`
    select found.booking_id from (
      select booking_id from booking_words where account_id = ${accountId} and words @@ ${query}::text::tsquery
      offset 0
    ) as found
    order by found.booking_id desc limit ${mostMatches}`
}

function matchesHere(sql: Queryable, query: string): Fragment {
  return sql`exists (
    select from booking_words
    where booking_words.account_id = bookings.account_id and booking_words.booking_id = bookings.id
      and words @@ ${query}::text::tsquery
  )`
}

/**
 * A condition on the rows `bookings`. Text is looked for in the booking itself, a line for each of its fields, so that no match reaches from one into
 * another; the basket's payment has to be named whole, since to look into every basket would take too long.
 */
export function mentions(sql: Queryable, accountId: number, text: string): Fragment {
  return sql`(
    strpos(
      lower(bookings.reference || E'\n' || coalesce(bookings.payment_reference, '') || E'\n'
        || coalesce(bookings.first_name, '') || ' ' || coalesce(bookings.last_name, '') || E'\n'
        || coalesce(bookings.email, '')),
      lower(${text})
    ) > 0
    or bookings.basket_id = any(array(
      select paid.id from baskets as paid
      where paid.account_id = ${accountId} and lower(paid.payment_reference) = lower(${text})
    ))
  )`
}

/** The reference of the booking that a ticket is of; null when the account has no such ticket. */
export async function findReferenceOfTicket(
  sql: Queryable,
  accountId: number,
  uuid: string,
): Promise<string | null> {
  const [found] = await sql<{ reference: string }[]>`
    select reference from tickets as ticket
    join bookings on bookings.account_id = ticket.account_id and bookings.id = ticket.booking_id
    where ticket.account_id = ${accountId} and ticket.uuid = ${uuid}`
  return found?.reference ?? null
}
