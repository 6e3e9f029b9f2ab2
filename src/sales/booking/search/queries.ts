/** SQL that searches bookings, and writes the words that bookings are found by. */

import { unnestKeys } from '../../../inventory/lock-queries.ts'
import type { Fragment, Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { type BookingSearch, type Searchable, wordsOf } from './model.ts'

export type BookingKey = { accountId: number; id: number }
type SearchableRow = BookingKey & Searchable

/**
 * Writes the words of bookings.
 * @param options `again`: overwrites existing words. Without it, only words of an earlier version are overwritten,
 *   and not newer words that another transaction has written meanwhile.
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
    on conflict (account_id, booking_id) do update set words = excluded.words
    where ${again ? tx`booking_words.words <> excluded.words` : areOld(tx)}`
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
    from ${unnestKeys(sql, keys)}
    join bookings on bookings.account_id = key.account_id and bookings.id = key.id
    left join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id`
}

function isTicketOf(sql: Queryable) {
  return sql`bookings.has_tickets and ticket.account_id = bookings.account_id and ticket.booking_id = bookings.id`
}

// Words of earlier versions are recognised by letters that this version folds: foldedLetters. The condition must be
// written exactly as in the index booking_words_unfolded. The lengths differ if there are letters of two bytes;
// comparing them first takes a fifth of the time of the regular expression.
function areOld(sql: Queryable): Fragment {
  return sql`(octet_length(booking_words.words::text) <> length(booking_words.words::text)
    and booking_words.words::text ~ '[øæœßłđðþı]')`
}

/**
 * Reads the next `limit` bookings of an account after an id. `last` is the id of the last booking, or null if
 * there are no more bookings; `ids` are the ids of the bookings without words. The query reads only keys, not
 * words.
 */
export async function findUnwritten(
  sql: Queryable,
  accountId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ last: number | null; ids: number[] }> {
  const [found] = await sql<{ last: number | null; ids: number[] }[]>`
    select max(id) as last, coalesce(array_agg(id order by id) filter (where is_unwritten), '{}') as ids
    from (
      select bookings.id, booking_words.booking_id is null as is_unwritten
      from (
        select account_id, id from bookings where account_id = ${accountId} and id > ${after}
        order by account_id, id limit ${limit}
      ) as bookings
      left join booking_words
        on booking_words.account_id = bookings.account_id and booking_words.booking_id = bookings.id
    ) as looked_at`
  return found!
}

/**
 * The ids of bookings whose words an earlier version wrote: the next `limit` of an account after an id. This
 * condition has its own index.
 */
export async function listOld(
  sql: Queryable,
  accountId: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select booking_id as id from booking_words
    where account_id = ${accountId} and booking_id > ${after} and ${areOld(sql)}
    order by booking_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * Conditions on the rows `bookings` and `slot`, one for each part of a search. They compare words row by row,
 * so the rest of the query must limit the rows.
 */
export function searchConditions(
  sql: Queryable,
  { reference, day, time, words, orNamed }: BookingSearch,
): Fragment {
  const either = orNamed.reduce<Fragment>(
    (all, { query, productIds, partnerIds, saleIds }) => sql`${all} and (
      slot.product_id = any(${productIds}::bigint[]) or bookings.partner_id = any(${partnerIds}::bigint[])
      or bookings.basket_id = any(${saleIds}::bigint[]) or ${matchesHere(sql, query)})`,
    sql``,
  )
  return sql`
    ${reference === undefined ? sql`` : sql`and bookings.reference = ${reference}`}
    ${day === undefined ? sql`` : sql`and slot.date = ${day}`}
    ${time === undefined ? sql`` : sql`and slot.time = ${time}`}
    ${words === undefined ? sql`` : sql`and ${matchesHere(sql, words)}`}
    ${either}`
}

// A scalar subquery, which PostgreSQL computes for each row. PostgreSQL could turn an `exists` into a search for all
// matching words.
function matchesHere(sql: Queryable, query: string): Fragment {
  return sql`coalesce((
    select words @@ ${query}::text::tsquery from booking_words
    where booking_words.account_id = bookings.account_id and booking_words.booking_id = bookings.id
  ), false)`
}

/**
 * A condition on the rows `bookings`: one of their fields contains the text, or the payment reference of their basket
 * equals it. Each field is on a line of its own, so that no match extends over two fields. Searching in the
 * references of all baskets would take too long.
 */
export function containsText(sql: Queryable, accountId: number, text: string): Fragment {
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

/** The reference of a ticket's booking; null if the account has no such ticket. */
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
