/**
 * The search for bookings: by names of customers and partners, phone numbers, e-mail addresses, references,
 * products, days and ticket codes.
 */
import t, { type Test } from 'tap'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import { foldedLetters } from '../../../../src/platform/text/fold.ts'
import { hasMatch } from '../../../../src/sales/booking/search/candidates.ts'
import { referenceQuery } from '../../../../src/sales/booking/search/model.ts'
import { listOld } from '../../../../src/sales/booking/search/queries.ts'
import { fillSearchWords, findSearch } from '../../../../src/sales/booking/search/service.ts'
import { explain } from '../../../explain.ts'
import { makeProduct } from '../../../helper.ts'
import { makeOperator } from '../../../operator.ts'
import { pumpEvents } from '../../../pump.ts'

const slots = { '2030-06-15 10:00': 50, '2030-06-16 10:00': 50 }

/**
 * Bookings of Ada Lovelace and Ada Byron on the kayak, and of Zoë O'Brien on the canoe. `find` returns the last
 * names of the bookings that a search finds, in alphabetical order.
 */
async function makeBookings(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId, call } = operator
  const kayak = await makeProduct(sql, accountId, { name: 'Sunset kayak', slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  const sell = async (activityId: string, date: string, Customer: object, Reference?: string) => {
    const line = { ActivityID: activityId, Date: date, Time: '10:00', Participants: 1 }
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line], Customer })
    await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'card', ...(Reference && { Reference }) })
    return data.Lines[0].BookingReference as string
  }
  const ada = await sell(
    kayak.activityId,
    '2030-06-15',
    { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com', Phone: '+491711234567' },
    'T1-000482',
  )
  await sell(canoe.activityId, '2030-06-15', { FirstName: 'Zoë', LastName: 'O’Brien', Phone: '+12125550123' })
  await sell(kayak.activityId, '2030-06-16', {
    FirstName: 'Ada',
    LastName: 'Byron',
    Email: 'byron@kayak.test',
  })
  await pumpEvents(sql)
  const find = async (search: string, more = '') => {
    const { data } = await call('GET', `/bookings?Search=${encodeURIComponent(search)}${more}`)
    return data
      .map(({ Customer }: { Customer: { LastName: string } }) => Customer.LastName)
      .sort()
      .join(' ')
  }
  return { ...operator, ada, find }
}

t.test('a search', async (t) => {
  const { find, ada, sql, call, accountId } = await makeBookings(t)

  t.test('finds a phone number in common notations, and by four or more of its last digits', async (t) => {
    for (const typed of [
      ...['+491711234567', '+49 171 123 45 67', '0049 171 1234567', '0171 123 4567', '0171/1234567'],
      ...['+49 (0)171 1234567', '1234567', '234567', '(0171) 123-4567'],
      ...['4567', '34567'],
    ])
      t.equal(await find(typed), 'Lovelace', typed)
    for (const typed of ['(212) 555-0123', '+1 212.555.0123', '212 555 0123'])
      t.equal(await find(typed), 'O’Brien', typed)
    for (const typed of ['999999', '9999', '567']) t.equal(await find(typed), '', typed)
  })

  t.test('finds names in any order, by their beginnings, with or without accents', async (t) => {
    for (const typed of ['lovelace ada', 'Ada Love', 'ada lovelace', 'LOVE'])
      t.equal(await find(typed), 'Lovelace', typed)
    t.equal(await find('ada'), 'Byron Lovelace')
    for (const typed of ['zoe', 'Zoë', 'obrien zoe', "o'brien", 'brien'])
      t.equal(await find(typed), 'O’Brien', typed)
    t.equal(await find('ada obrien'), '', 'all words have to match')
  })

  t.test(
    'finds e-mail addresses and references by their beginning, and a payment reference also by a later part',
    async (t) => {
      for (const typed of [
        'ada@example.com',
        'ADA@exa',
        ada,
        ada.toLowerCase(),
        ada.slice(0, 6),
        'T1-000482',
        '000482',
      ])
        t.equal(await find(typed), 'Lovelace', typed)
    },
  )

  t.test(
    'finds no booking that another filter excludes, even if `Text` and the search are both references',
    async (t) => {
      const [other] = await sql<{ reference: string }[]>`
      select reference from bookings where last_name = 'Byron'`
      t.equal(await find(ada, `&Text=${ada}`), 'Lovelace')
      t.equal(await find(ada, '&Text=lovelace'), 'Lovelace')
      t.equal(await find(ada, `&Text=${other!.reference}`), '')
      t.equal(await find(`${ada} ${other!.reference}`), '', 'all words have to match')
      t.equal(await find(ada, '&ToPay=true'), '')
    },
  )

  t.test('finds bookings by their product and day', async (t) => {
    for (const typed of ['kayak 2030-06-15', '2030-06-15 sunset', 'kayak 15 june 2030', 'lovelace 15.6.2030'])
      t.equal(await find(typed), 'Lovelace', typed)
    t.equal(await find('2030-06-15'), 'Lovelace O’Brien')
    t.equal(await find('kayak'), 'Byron Lovelace')
    t.equal(await find('canoe ada'), '')
    t.equal(await find('kayak today'), '')
    t.equal(await find('kayak', '&From=2030-06-16'), 'Byron', 'combined with another filter')
  })

  t.test('finds bookings by a word in the name of the product or of the customer', async (t) => {
    await sql`update products set name = 'Byron bay' where name = 'Canoe'`
    t.equal(await find('byron'), 'Byron O’Brien')
  })

  t.test('finds the booking of a ticket by the code on it', async (t) => {
    const { data } = await call('POST', `/bookings/${ada}/tickets`)
    t.equal(await find(data[0].TicketID), 'Lovelace')
    t.equal(await find(data[0].TicketID.toUpperCase()), 'Lovelace')
    t.equal(await find(crypto.randomUUID()), '')
  })

  t.test('finds nothing for punctuation alone', async (t) => {
    for (const signs of [" ':* \\ ", '%', '_']) t.equal(await find(signs), '', signs)
  })

  t.test('finds a booking by its changed data, and not by its old data', async (t) => {
    const changed = await call('PATCH', `/bookings/${ada}`, { Customer: { LastName: 'King' } })
    t.equal(changed.status, 200)
    await pumpEvents(sql)
    t.equal(await find('king'), 'King')
    t.equal(await find('lovelace'), '')
  })

  t.test(
    'finds bookings that were made before the table booking_words existed, once the search job has run',
    async (t) => {
      await sql`delete from booking_words`
      t.equal(await find('byron@kayak.test'), '')
      t.equal(await fillSearchWords(sql), 3)
      t.equal(await find('byron@kayak.test'), 'Byron')
      t.equal(await fillSearchWords(sql), 0)
      t.equal((await sql`select from booking_words where account_id = ${accountId}`).length, 3)
    },
  )
})

t.test('letters such as ø, æ and ł, which have no separate accent', async (t) => {
  const { sql, url, accountId, call } = await makeOperator(t)
  const { activityId } = await makeProduct(sql, accountId, { name: 'Kanał', slots })
  const names = ['Sørensen', 'Æbelø', 'Bœuf', 'Groß', 'Wałęsa', 'Đorđević', 'Þór', 'Sığır']
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
  for (const LastName of names)
    await call('POST', '/baskets', { Channel: 'pos', Lines: [line], Customer: { LastName } })
  await pumpEvents(sql)
  const find = async (search: string) => {
    const { data } = await call('GET', `/bookings?Search=${encodeURIComponent(search)}`)
    return data.map(({ Customer }: { Customer: { LastName: string } }) => Customer.LastName).sort()
  }
  const typed = ['sorensen', 'AEBELO', 'boeuf', 'Gross', 'Walesa', 'dordevic', 'Thor', 'sigir']
  const findAll = async (t: Test) => {
    for (const [index, name] of names.entries()) {
      t.same(await find(typed[index]!), [name], typed[index]!)
      t.same(await find(name), [name], name)
    }
  }

  t.test('are found by their usual replacements in names of people and of products', async (t) => {
    await findAll(t)
    t.equal((await find('kanal')).length, names.length)
  })

  t.test(
    'are found in bookings whose words an earlier version of the service wrote, once the search job has run',
    async (t) => {
      await sql`
      update booking_words set words = array_to_tsvector(array[bookings.account_id || '/' || lower(last_name)])
      from bookings where bookings.account_id = booking_words.account_id and bookings.id = booking_id`
      t.same(await find('Sørensen'), ['Sørensen'], 'as it was before')
      t.same(await find('sorensen'), [])
      t.equal(await fillSearchWords(sql), names.length)
      await findAll(t)
      t.equal(await fillSearchWords(sql), 0)
    },
  )

  t.test(
    'have an index by which the job finds bookings whose words an earlier version of the service wrote',
    async (t) => {
      const [index] = await sql<{ text: string }[]>`
      select pg_get_indexdef('booking_words_unfolded'::regclass) as text`
      t.match(index!.text, `[${foldedLetters}]`)
      const nodes = await explain(url, (sql) => listOld(sql, accountId, { after: 0, limit: 10 }), {
        before: 'set enable_seqscan = off',
      })
      t.ok(nodes.some((node) => node['Index Name'] === 'booking_words_unfolded'))
    },
  )
})

t.test(
  'a search for a common word finds all bookings with it, and a search for a rare word only the few with it',
  async (t) => {
    const { sql, accountId, call } = await makeOperator(t)
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 200 } })
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const Lines = Array.from({ length: 10 }, () => line)
    for (let n = 0; n < 12; n++) {
      const Customer = { FirstName: n === 5 ? 'Grace' : 'Ada' }
      await call('POST', '/baskets', { Channel: 'pos', Lines, Customer })
    }
    await pumpEvents(sql)
    const find = async (search: string) => {
      const { data } = await call('GET', `/bookings?Search=${search}&Limit=200`)
      return data.map(({ Customer }: { Customer: { FirstName: string } }) => Customer.FirstName)
    }
    t.same(await find('ada'), Array(110).fill('Ada'))
    t.same(await find('ada 2030-06-15'), Array(110).fill('Ada'))
    t.same(await find('grace'), Array(10).fill('Grace'))
    t.same(await find('nobody'), [])
  },
)

t.test('bookings that were copied into the database are found once the search job has run', async (t) => {
  const { sql, find } = await makeBookings(t)
  await sql`
    insert into bookings
    select (jsonb_populate_record(original, jsonb_build_object(
      'id', id + 1000000, 'reference', reverse(reference), 'last_name', 'Copy'
    ))).* from bookings as original`
  t.equal(await fillSearchWords(sql), 3)
  t.equal(await find('copy'), 'Copy Copy Copy')
  t.equal(await find('kayak'), 'Byron Copy Copy Lovelace')
})

t.test('a partner’s reference or name finds the booking, and an erased customer is not found', async (t) => {
  const operator = await makeOperator(t)
  const { sql, accountId, call, book } = operator
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
  const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const { reference } = await book(activityId, { PaymentReference: 'VIATOR-77-A', Customer })
  await pumpEvents(sql)
  const find = async (search: string) =>
    (await call('GET', `/bookings?Search=${search}`)).data.map(
      ({ BookingReference }: { BookingReference: string }) => BookingReference,
    )
  for (const typed of ['viator-77-a', 'VIATOR-77', 'lovelace']) t.same(await find(typed), [reference], typed)
  await sql`update partners set name = 'Lisbon Tours'`
  for (const typed of ['lisbon', 'tours lovelace', 'LIS', 'lisbon 2030-06-15'])
    t.same(await find(typed), [reference], `by the partner’s name: ${typed}`)
  t.same(await find('lisbon byron'), [])
  await sql`update bookings set first_name = 'Erased', last_name = null, email = null`
  await sql`delete from booking_words`
  await sql`
    insert into events (account_id, type, booking_id, actor, details)
    select account_id, 'booking.customer-erased', id, 'service', '{}' from bookings`
  await pumpEvents(sql)
  t.same(await find('lovelace'), [])
  t.same(await find('viator-77-a'), [reference])
})

t.test('a reference that contains a date or a time is found as a whole and by its prefix', async (t) => {
  const { sql, url, accountId, call, book } = await makeOperator(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 50 } })
  const codes = ['TUI_2026-11-28_77', 'TUI 2026-11-28 78', '2026-11-28/GYG', 'TUI-2026-11-28-79', 'A 9:30 B']
  const references: string[] = []
  for (const PaymentReference of codes)
    references.push((await book(activityId, { PaymentReference })).reference)
  await pumpEvents(sql)
  const find = async (search: string) =>
    (await call('GET', `/bookings?Search=${encodeURIComponent(search)}`)).data.map(
      ({ BookingReference }: { BookingReference: string }) => BookingReference,
    )
  for (const [index, code] of codes.entries())
    for (const typed of [code, code.toLowerCase(), code.slice(0, -1)])
      t.ok((await find(typed)).includes(references[index]!), typed)
  t.same(await find('tui_2026-11-28_77'), [references[0]])
  t.same(await find('2026-11-28'), [], 'a day alone is not read as the beginning of a reference')
  t.equal((await find('tui 2030-06-15')).length, 3, 'a day beside a reference is the timeslot’s day')
  await book(activityId, { PaymentReference: 'Montana' })
  await pumpEvents(sql)
  const search = await findSearch(sql as Sql, { accountId, timeZone: 'Europe/Lisbon' }, 'mon tan')
  t.type(search.day, 'string', '“mon” is read as a weekday, although “montan” begins a reference')
  const query = referenceQuery(accountId, codes[0]!)
  const nodes = await explain(url, (sql) => hasMatch(sql as Sql, accountId, query), {
    before: 'set enable_seqscan = off',
  })
  t.same(
    nodes.flatMap((node) => node['Index Name'] ?? []),
    ['booking_words_by_word'],
  )
})
