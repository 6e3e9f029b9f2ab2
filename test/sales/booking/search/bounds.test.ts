/**
 * A search for frequent or rare words reads at most a fixed number of rows of 60,000 bookings. The bounds do not
 * depend on the number of bookings.
 */
import t from 'tap'
import type { Queryable, Sql } from '../../../../src/platform/postgres/database.ts'
import { listFound } from '../../../../src/sales/booking/desk/found.ts'
import { explain, type Node } from '../../../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../../../helper.ts'

const bookings = Number(process.env.SEARCH_BOOKINGS ?? 60_000)
// A page reads the newest 1,000 and then the newest 10,000 bookings, and up to 10,001 candidates for each part of the
// search. No search in this file has more than two parts.
const maxBookings = 35_000
const maxWords = 35_000

async function fill(sql: Sql, accountId: number) {
  const slots = { '2030-06-15 10:00': 9, '2030-06-16 10:00': 9 }
  const { id: rare } = await makeProduct(sql, accountId, { name: 'Rare', slots })
  const { id: usual } = await makeProduct(sql, accountId, { name: 'Usual', slots })
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      first_name, last_name, answers, created_at, unit_price_minor, currency)
    select ${accountId}, n, n, slot.id, 'R' || n, 'partner', 'confirmed', 1,
      case when n <= ${bookings / 2} then 'Early' when n > ${bookings - 15_000} then 'Late' else 'Middle' end,
      case when n % 5000 = 7 then 'Seldom' else 'Often' end, '[]', '2029-01-01'::timestamptz + n * interval '1 minute',
      4500, 'EUR'
    from generate_series(1, ${bookings}::integer) as n
    join lateral (
      select id from timeslots where account_id = ${accountId}
        and product_id = case when n % 9000 = 8 then ${rare}::bigint else ${usual}::bigint end
        and date = '2030-06-15'
    ) as slot on true`
  await sql`
    insert into booking_words (account_id, booking_id, words)
    select account_id, id, array_to_tsvector(array[account_id || '/' || lower(first_name),
      account_id || '/' || lower(last_name)])
    from bookings where account_id = ${accountId}`
  await sql`vacuum analyze`
  return { rare, usual }
}

function countRows(nodes: Node[], table: string): number {
  const rows = nodes
    .filter((node) => node['Relation Name'] === table)
    .map((node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      return (node['Actual Rows'] + removed) * node['Actual Loops']
    })
  return rows.reduce((sum, count) => sum + count, 0)
}

t.test(
  'a search reads a bounded number of rows, and its pages find all that match',
  { timeout: 600_000 },
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const { accountId } = await makeCaller(sql, { slug: 'one' })
    const { rare, usual } = await fill(sql, accountId)
    const word = (text: string) => `'${accountId}/${text}':*`
    const named = (query: string, productId: number) => ({
      ...{ query, productIds: [productId], partnerIds: [], saleIds: [] as number[] },
    })
    const cases: Record<string, { words?: string; orNamed: ReturnType<typeof named>[]; where: string }> = {
      'a word that few have': { words: word('seldom'), orNamed: [], where: `last_name = 'Seldom'` },
      'a word that nobody has': { words: word('nobody'), orNamed: [], where: 'false' },
      'a word that only recent bookings have': {
        words: word('late'),
        orNamed: [],
        where: `first_name = 'Late'`,
      },
      'a word that only old bookings have': {
        words: word('early'),
        orNamed: [],
        where: `first_name = 'Early'`,
      },
      'a word that nearly all have': { words: word('often'), orNamed: [], where: `last_name = 'Often'` },
      'two frequent words that no booking has together': {
        ...{ words: `${word('early')} & ${word('late')}`, orNamed: [], where: 'false' },
      },
      'a frequent and a rare word': {
        words: `${word('early')} & ${word('seldom')}`,
        ...{ orNamed: [], where: `first_name = 'Early' and last_name = 'Seldom'` },
      },
      'a product that few book': {
        orNamed: [named(word('rare'), rare)],
        where: 'id % 9000 = 8',
      },
      'a product that most book, and a rare one': {
        orNamed: [named(word('usual'), usual), named(word('rare'), rare)],
        where: 'false',
      },
      'a payment’s reference that is the beginning of a name too': {
        orNamed: [{ query: word('seldom'), productIds: [], partnerIds: [], saleIds: [8, 59_999] }],
        where: `last_name = 'Seldom' or id in (8, 59999)`,
      },
      'a frequent word and a frequent product': {
        ...{ words: word('early'), orNamed: [named(word('usual'), usual)] },
        where: `first_name = 'Early' and id % 9000 <> 8`,
      },
    }
    for (const [name, { where, ...search }] of Object.entries(cases)) {
      const found: number[] = []
      for (let after: [number, number] | null = null, pages = 0; ; pages++) {
        const filter = { timeZone: 'UTC', search }
        const place = { after, limit: 5000 }
        const listPage = (sql: Queryable) => listFound(sql as Sql, accountId, filter, place)
        if (pages < 2) {
          const nodes = await explain(url, listPage, {
            ...{ before: 'set enable_seqscan = off', options: 'analyze, format json' },
          })
          const counts = { bookings: countRows(nodes, 'bookings'), words: countRows(nodes, 'booking_words') }
          t.ok(counts.bookings <= maxBookings, `${name}: ${counts.bookings} bookings`)
          t.ok(counts.words <= maxWords, `${name}: words of ${counts.words} bookings`)
        }
        const page = await listPage(sql)
        found.push(...page.rows.map(({ id }) => id))
        if (!page.next) break
        after = JSON.parse(Buffer.from(page.next, 'base64url').toString())
      }
      const expected = await sql.unsafe(
        `select id from bookings where ${where} order by created_at desc, id desc`,
      )
      t.same(
        found,
        expected.map(({ id }) => id),
        `${name}: all of them, in order`,
      )
    }
  },
)
