/** The operator's list of bookings with its filters and pages, and the view of one booking. */
import t from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import { makeBasket, openDesk } from './fixtures.ts'

type Listed = { BookingReference: string }
const references = (answer: { json(): { data: Listed[] } }) =>
  answer.json().data.map(({ BookingReference }) => BookingReference)

t.test('the view of a booking has the fields of the list, and its history, e-mails and ledger', async (t) => {
  const { book, read, product, sql, slotId } = await openDesk(t)
  const reference = await book({ PaymentReference: 'OTA-1' })
  const listed = (await read('')).json().data
  t.match(listed, [
    {
      BookingReference: reference,
      Status: 'confirmed',
      Channel: 'partner',
      ProductID: product.id,
      ActivityID: product.activityId,
      ProductName: 'Kayak',
      TimeslotID: await slotId('2030-06-15', '10:00'),
      Date: '2030-06-15',
      Time: '10:00',
      StartsAt: '2030-06-15T10:00:00+01:00',
      Participants: 2,
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com', Phone: null },
      Answers: [],
      Partner: { Name: 'Tours Online' },
      PaymentReference: 'OTA-1',
      BasketID: (await sql`select basket_id from bookings`)[0]!.basket_id,
      UnitPrice: { Amount: '45.00', Currency: 'EUR' },
      Attendance: null,
      ConfirmedAt: String,
      CancelledAt: null,
      CancelReason: null,
    },
  ])
  const { History, Emails, Ledger, ...alone } = (await read(`/${reference}`)).json().data
  t.same(alone, listed[0])
  t.equal(Ledger, null, 'the customer of a partner’s booking pays the partner')
  t.match(History, [{ Action: 'confirmed', At: /Z$/, Actor: { Kind: 'partner', Name: 'Tours Online' } }])
  t.same(Emails, [])
})

t.test('a booking of the till shows its price, the payment of its basket, and its history', async (t) => {
  const { read, sql, accountId, slotId } = await openDesk(t)
  const timeslotId = await slotId('2030-06-15', '10:00')
  const sale = { channel: 'pos', paymentReference: 'TILL-7' } as const
  const [reference] = await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed' }], sale)
  t.match((await read(`/${reference}`)).json().data, {
    Channel: 'pos',
    Partner: null,
    PaymentReference: 'TILL-7',
    UnitPrice: { Amount: '45.00', Currency: 'EUR' },
    History: [{ Action: 'confirmed', Actor: { Kind: 'service', ID: null }, Details: { Participants: 1 } }],
  })
})

t.test('404 refuses a reference that is unknown or another account’s', async (t) => {
  const { read, book, sql } = await openDesk(t)
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  const reference = await book()
  for (const answer of [await read(`/${reference}`, other), await read('/2222222222'), await read('/x')]) {
    t.equal(answer.statusCode, 404)
    t.match(answer.json(), { type: /not-found$/ })
  }
  t.same((await read('', other)).json().data, [])
})

t.test('403 refuses a key without the scope operator, and 401 refuses a request without a key', async (t) => {
  const { read, app, partner } = await openDesk(t)
  t.equal((await read('', partner)).statusCode, 403)
  t.equal((await read('/x', partner)).statusCode, 403)
  t.equal((await app.inject('/api/v2/operator/bookings')).statusCode, 401)
})

t.test(
  'the list begins with the newest bookings, and bookings made during paging do not shift its pages',
  async (t) => {
    const { read, book, app, operator } = await openDesk(t)
    const made: string[] = []
    for (let number = 0; number < 5; number++) made.unshift(await book({ Participants: 1 }))
    t.same(references(await read('')), made)
    const paged: string[] = []
    let next = '/api/v2/operator/bookings?Limit=2&Channel=partner'
    while (next) {
      const answer = await app.inject({ url: next, headers: operator.headers })
      paged.push(...references(answer))
      await book({ Date: '2030-06-16', Participants: 1 })
      const link = String(answer.headers.link ?? '')
      next = /<http:\/\/booking\.test(.*)>; rel="next"/.exec(link)?.[1] ?? ''
    }
    t.same(paged, made)
  },
)

t.test('paging lists every booking, even if several were made at the same instant', async (t) => {
  const { read, book, sql } = await openDesk(t)
  for (let number = 0; number < 4; number++) await book({ Participants: 1 })
  await sql`update bookings set created_at = '2030-01-01 12:00:00.123456Z'`
  const whole = references(await read(''))
  const first = await read('?Limit=3')
  const cursor = /Cursor=([\w-]+)/.exec(String(first.headers.link))![1]
  t.same([...references(first), ...references(await read(`?Limit=3&Cursor=${cursor}`))], whole)
})

t.test('the list is filtered by dates, channels, statuses, products and partners', async (t) => {
  const { read, book, sql, accountId, slotId, act } = await openDesk(t)
  const second = await makeCaller(sql, { partner: 'Second' })
  const other = await makeProduct(sql, accountId, { name: 'Sail', slots: { '2030-07-01 10:00': 5 } })
  const kayak = await book()
  const sail = await book({ ActivityID: other.activityId, Date: '2030-07-01' })
  const theirs = await book({ Date: '2030-06-16' }, second)
  const timeslotId = await slotId('2030-06-15', '14:00')
  const [held] = await makeBasket(sql, accountId, [{ timeslotId, status: 'held' }])
  const [till] = await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed' }], { channel: 'pos' })
  const [partnerRow] = await sql`select id from partners where name = 'Second'`
  const all = [till, held, theirs, sail, kayak]
  const cases: [string, (string | undefined)[]][] = [
    ['', all],
    ['From=2030-06-16', [theirs, sail]],
    ['To=2030-06-15', [till, held, kayak]],
    ['From=2030-06-16&To=2030-06-30', [theirs]],
    ['Channel=partner', [theirs, sail, kayak]],
    ['Channel=online', [held]],
    ['Channel=pos', [till]],
    ['Status=held', [held]],
    ['Status=held&Status=confirmed', all],
    ['Status=cancelled&Status=expired', []],
    [`ProductID=${other.id}`, [sail]],
    [`PartnerID=${partnerRow!.id}`, [theirs]],
    [`PartnerID=${partnerRow!.id}&ProductID=${other.id}`, []],
    ['Channel=partner&Status=confirmed&From=2030-06-16&To=2030-06-16&Text=ada', [theirs]],
    ['ProductID=999999', []],
  ]
  for (const [query, expected] of cases) t.same(references(await read(`?${query}`)), expected, query)
  t.equal((await act(kayak, 'cancel')).statusCode, 200)
  t.same(references(await read('?Status=cancelled')), [kayak])
})

t.test(
  'Text finds references, names and e-mail addresses in upper or lower case, and % and _ are not wildcards',
  async (t) => {
    const { read, book } = await openDesk(t)
    const customer = (FirstName: string, LastName: string, Email: string) => ({
      Customer: { FirstName, LastName, Email },
    })
    const ada = await book()
    const odd = await book(customer("O'Neil", '50%_\\', 'odd@example.com'))
    const elodie = await book(customer('Élodie', 'Straße', 'Elodie@Example.org'))
    const cases: [string, (string | undefined)[]][] = [
      [ada.toLowerCase(), [ada]],
      [ada.slice(0, 6), [ada]],
      ['ADA LOVE', [ada]],
      [' lovelace ', [ada]],
      ['éLODIE', [elodie]],
      ['@EXAMPLE.ORG', [elodie]],
      ["o'neil", [odd]],
      ['50%_\\', [odd]],
      ['%', [odd]],
      ['_', [odd]],
      ["' or 1=1 --", []],
      ['hopper grace', []],
    ]
    for (const [text, expected] of cases) {
      t.same(references(await read(`?Text=${encodeURIComponent(text)}`)), expected, text)
    }
  },
)

t.test(
  'Text finds a partner’s payment reference by a part of it, and one of the till only whole',
  async (t) => {
    const { read, book, sql, accountId, slotId } = await openDesk(t)
    const partners = await book({ PaymentReference: 'Ota-77' })
    const timeslotId = await slotId('2030-06-15', '14:00')
    const sale = { channel: 'pos', paymentReference: 'Till-9' } as const
    const [tills] = await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed' }], sale)
    for (const text of ['oTA-7', 'ta-77']) t.same(references(await read(`?Text=${text}`)), [partners], text)
    t.same(references(await read('?Text=till-9')), [tills])
    for (const text of ['till', 'ill-9']) t.same(references(await read(`?Text=${text}`)), [], text)
  },
)

t.test('MadeFrom and MadeTo are days in the account’s time zone, even when the clocks change', async (t) => {
  const { read, book, sql } = await openDesk(t)
  // In Lisbon the 31st of March 2030 begins at midnight UTC and ends at 23:00 UTC.
  const instants = [
    '2030-03-30T23:59:59.9Z',
    '2030-03-31T00:00Z',
    '2030-03-31T22:59:59.9Z',
    '2030-03-31T23:00Z',
  ]
  const made: string[] = []
  for (const instant of instants) {
    const reference = await book({ Participants: 1 })
    await sql`update bookings set created_at = ${instant} where reference = ${reference}`
    made.push(reference)
  }
  t.same(references(await read('?MadeFrom=2030-03-31&MadeTo=2030-03-31')), [made[2], made[1]])
  t.same(references(await read('?MadeTo=2030-03-30')), [made[0]])
  t.same(references(await read('?MadeFrom=2030-04-01')), [made[3]])
})

t.test('422 names every failing field of a filter', async (t) => {
  const { read } = await openDesk(t)
  const cases: [string, string[]][] = [
    ['From=2030-02-30', ['From']],
    ['From=2030-06-02&To=2030-06-01&MadeFrom=2030-06-02&MadeTo=2030-06-01', ['To', 'MadeTo']],
    ['Channel=phone', ['Channel']],
    ['Status=held&Status=lost', ['Status[1]']],
    ['ProductID=0&PartnerID=x', ['ProductID', 'PartnerID']],
    ['Limit=0', ['Limit']],
    ['Limit=501', ['Limit']],
    ['Cursor=nonsense', ['Cursor']],
    [`Cursor=${Buffer.from('[1,2,3]').toString('base64url')}`, ['Cursor']],
    [`Cursor=${Buffer.from('[-1,1.5]').toString('base64url')}`, ['Cursor']],
    [`Text=${'x'.repeat(256)}`, ['Text']],
    ['Text=%00', ['Text']],
  ]
  for (const [query, fields] of cases) {
    const answer = await read(`?${query}`)
    t.equal(answer.statusCode, 422, query)
    t.same(
      answer.json().errors.map(({ field }: { field: string }) => field),
      fields,
    )
  }
  const farthest = Buffer.from(`[${Number.MAX_SAFE_INTEGER},${Number.MAX_SAFE_INTEGER}]`).toString(
    'base64url',
  )
  t.equal((await read(`?Cursor=${farthest}&MadeTo=9999-12-31&MadeFrom=0001-01-01`)).statusCode, 200)
})
