/**
 * Reads typed searches, and writes the search words of bookings: after each event that changes them, and by a job
 * for bookings without words or with words of an earlier version.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import { listAccountIds, listPartners } from '../../../accounts/service.ts'
import { listProducts } from '../../../catalogue/products/service.ts'
import type { EventConsumer } from '../../../events/pump/pump.ts'
import type { EventType } from '../../../events/types.ts'
import type { Queryable, Sql } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { dateIn } from '../../../platform/text/calendar.ts'
import { fold } from '../../../platform/text/fold.ts'
import { hasMatch } from './candidates.ts'
import {
  type BookingSearch,
  findsByBeginning,
  isTicketCode,
  readSearch,
  referenceQuery,
  type SearchTerm,
} from './model.ts'
import * as queries from './queries.ts'
import { listSalesOf } from './sale-queries.ts'

/** The events that may change the search words of a booking. */
const changing: ReadonlySet<string> = new Set<EventType>([
  'booking.held',
  'booking.waitlisted',
  'booking.confirmed',
  'booking.customer-changed',
  'booking.customer-erased',
  'booking.tickets-made',
  'booking.ticket-changed',
])
/** With these changes, a reseller may add tickets that have references and contacts. */
const changingByPartners: ReadonlySet<string> = new Set<EventType>(['booking.moved', 'booking.amended'])

/** Writes the words of bookings in the transaction that numbers their events. */
export const writeSearchWords: EventConsumer = async (tx, events) => {
  const keys = new Map<string, queries.BookingKey>()
  for (const { accountId, type, bookingId, actor } of events)
    if (bookingId !== null && (changing.has(type) || (actor === 'partner' && changingByPartners.has(type))))
      keys.set(`${accountId} ${bookingId}`, { accountId, id: bookingId })
  if (keys.size > 0) await queries.writeWords(tx, [...keys.values()], { again: true })
}

const bookingsAtOnce = 1000

/**
 * Writes the words of all bookings that have none, for example because they are older than the search, and
 * rewrites words of earlier versions with letters that are folded now.
 * @returns the number of bookings.
 * @throws as forEachAccount().
 */
export async function fillSearchWords(sql: Sql): Promise<number> {
  const accounts = (await listAccountIds(sql)).map((accountId) => ({ accountId }))
  const write = (keys: queries.BookingKey[]) =>
    keys.length > 0 ? runAgain(sql, (tx) => queries.writeWords(tx, keys, { again: false })) : undefined
  return forEachAccount(accounts, {
    async work({ accountId }) {
      let sum = 0
      for (let after = 0; ; ) {
        const ids = await queries.listOld(sql, accountId, { after, limit: bookingsAtOnce })
        await write(ids.map((id) => ({ accountId, id })))
        sum += ids.length
        if (ids.length < bookingsAtOnce) break
        after = ids.at(-1)!
      }
      for (let after = 0; ; ) {
        const { last, ids } = await queries.findUnwritten(sql, accountId, { after, limit: bookingsAtOnce })
        if (last === null) return sum
        await write(ids.map((id) => ({ accountId, id })))
        after = last
        sum += ids.length
      }
    },
  })
}

/** The maximum number of sales that each part of a search finds by each kind of reference. */
const maxSales = 200

/**
 * Reads a typed search. A word in the name of a product or a partner also finds all its bookings. The number of a
 * sale, or the reference of a payment or a refund, also finds the bookings of that sale. The code of a ticket finds
 * only its booking. If the whole text is a reference, or the beginning of one, a day or a time in it is not read as
 * that of the timeslot.
 */
export async function findSearch(
  sql: Sql,
  { accountId, timeZone }: { accountId: number; timeZone: string },
  text: string,
): Promise<BookingSearch> {
  const code = text.trim().toLowerCase()
  const reference = isTicketCode(code) ? await queries.findReferenceOfTicket(sql, accountId, code) : null
  if (reference !== null) return { reference, orNamed: [] }
  const { day, time, terms } = readSearch(accountId, text, dateIn(timeZone, new Date()))
  // A reference may contain text that looks like a day or a time.
  if ((day !== null || time !== null) && terms.length > 0) {
    const whole = await findWhole(sql, accountId, text.trim())
    if (whole) return whole
  }
  const when = { ...(day !== null && { day }), ...(time !== null && { time }) }
  // A search that has only signs, such as %, finds nothing.
  if (terms.length === 0 && day === null && time === null && code !== '')
    return { reference: '', orNamed: [] }
  if (terms.length === 0) return { ...when, orNamed: [] }
  const products = await listProducts(sql, accountId, {})
  const partners = await listPartners(sql, accountId)
  const sales = await findSales(sql, accountId, text.trim(), terms)
  const named = terms.map(({ text, query }, index) => ({
    query,
    productIds: idsOfNamed(products, text),
    partnerIds: idsOfNamed(partners, text),
    saleIds: sales[index]!,
  }))
  const namesNothing = ({ productIds, partnerIds, saleIds }: (typeof named)[number]) =>
    productIds.length === 0 && partnerIds.length === 0 && saleIds.length === 0
  const plainQueries = named.filter(namesNothing).map(({ query }) => query)
  return {
    ...when,
    ...(plainQueries.length > 0 && { words: plainQueries.join(' & ') }),
    orNamed: named.filter((words) => !namesNothing(words)),
  }
}

/**
 * The search for references that are equal to the whole typed text or begin with it; null if there are none.
 */
async function findWhole(sql: Sql, accountId: number, text: string): Promise<BookingSearch | null> {
  const query = referenceQuery(accountId, text)
  const [saleIds] = await listSalesOf(sql, accountId, [{ text, isBeginning: true }], maxSales)
  if (saleIds!.length > 0) return { orNamed: [{ query, productIds: [], partnerIds: [], saleIds: saleIds! }] }
  // A weekday and the beginning of a name, read as one word, may be the beginning of another name: "mon tan" of
  // Montana.
  if (/\s/.test(text) && !/\d/.test(text)) return null
  return (await hasMatch(sql, accountId, query)) ? { words: query, orNamed: [] } : null
}

/**
 * The sales that each term finds. All terms also find the sales of the whole text, because the text may be
 * one reference of several words.
 */
async function findSales(
  sql: Queryable,
  accountId: number,
  whole: string,
  terms: readonly SearchTerm[],
): Promise<number[][]> {
  const texts = [whole, ...terms.map(({ text }) => text)].map((text) => ({
    text,
    isBeginning: findsByBeginning(text),
  }))
  const [ofWhole, ...ofTerms] = await listSalesOf(sql, accountId, texts, maxSales)
  return ofTerms.map((ids) => [...new Set([...ids, ...ofWhole!])])
}

/** The ids of products or partners whose name has a word that begins with the text. */
function idsOfNamed(all: readonly { id: number; name: string }[], text: string): number[] {
  return all.filter(({ name }) => ` ${fold(name)}`.includes(` ${text}`)).map(({ id }) => id)
}
