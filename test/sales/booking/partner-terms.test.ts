/**
 * What partners owe for their sales, by the terms at the time of the sale, as the operator and the partner see
 * it.
 */
import t, { type Test } from 'tap'
import { bookingBody, bookingPath, makeCaller } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { openDesk } from './fixtures.ts'

const euros = (Amount: string) => ({ Amount, Currency: 'EUR' })

async function openWithTerms(t: Test) {
  const desk = await openDesk(t)
  const { app, sql, operator, partner, product, accountId } = desk
  const rival = await makeCaller(sql, { partner: 'Rival' })
  const keyless = await makeCaller(sql)
  const ids = new Map(
    (await sql<{ name: string; id: number }[]>`select name, id from partners`).map(({ name, id }) => [
      name,
      id,
    ]),
  )
  const setTerms = async (Terms: object[], name = 'Tours Online') => {
    const url = `/api/v2/operator/partners/${ids.get(name)}/terms`
    const answer = await app.inject({ method: 'PUT', url, headers: operator.headers, payload: { Terms } })
    t.equal(answer.statusCode, 200, answer.body)
  }
  const readOwn = async (reference: string, { headers } = partner) =>
    (await app.inject({ url: `${bookingPath}/${reference}`, headers })).json()
  const readDesk = async (reference: string) => (await desk.read(`/${reference}`)).json().data
  /** Adds an adult at 45.00, the default unit, and a child at 20.00; returns their ids. */
  const makeUnits = async () => {
    const rows = await sql<{ id: number }[]>`
      insert into units (account_id, product_id, position, name, type, price_minor, places, people)
      values (${accountId}, ${product.id}, 1, 'Adult', 'ADULT', null, 1, 1),
        (${accountId}, ${product.id}, 2, 'Child', 'CHILD', 2000, 1, 1)
      returning id`
    const [adult, child] = [rows[0]!.id, rows[1]!.id]
    await sql`update products set default_unit_id = ${adult}`
    return { adult, child }
  }
  return { ...desk, rival, keyless, setTerms, readOwn, readDesk, makeUnits }
}

t.test('a booking without partner terms has no Owed amount', async (t) => {
  const { book, readOwn, readDesk } = await openWithTerms(t)
  const reference = await book()
  t.match(await readDesk(reference), { Owed: null, PartnerTerms: null })
  t.equal((await readOwn(reference)).data.Owed, null)
})

t.test('under a commission the partner owes the rest of the total', async (t) => {
  const { book, setTerms, readOwn, readDesk } = await openWithTerms(t)
  await setTerms([{ ProductID: null, Commission: '12.5' }])
  const reference = await book({ Participants: 3 })
  t.match(await readDesk(reference), { Owed: euros('118.12'), PartnerTerms: { Commission: '12.5' } })
  t.same((await readOwn(reference)).data.Owed, euros('118.12'), '135.00 less 16.88')
})

t.test('under net prices the partner owes the net price of each person', async (t) => {
  const { book, setTerms, readOwn, readDesk, product } = await openWithTerms(t)
  await setTerms([{ ProductID: product.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] }])
  const reference = await book({ Participants: 3 })
  t.match(await readDesk(reference), {
    Owed: euros('108.00'),
    PartnerTerms: { NetPrices: [{ UnitID: 0, Amount: '36.00' }] },
  })
  t.same((await readOwn(reference)).data.Owed, euros('108.00'))
})

t.test('terms for a product take precedence over terms for all products', async (t) => {
  const { book, setTerms, readDesk, product } = await openWithTerms(t)
  await setTerms([
    { ProductID: null, Commission: '10' },
    { ProductID: product.id, Commission: '20' },
  ])
  t.match(await readDesk(await book()), { Owed: euros('72.00'), PartnerTerms: { Commission: '20' } })
  await setTerms([{ ProductID: null, Commission: '10' }])
  t.match(await readDesk(await book()), { Owed: euros('81.00'), PartnerTerms: { Commission: '10' } })
})

t.test(
  'terms apply to one partner; sales by a key without a partner and at the till have none',
  async (t) => {
    const { app, operator, book, setTerms, readDesk, rival, keyless, product } = await openWithTerms(t)
    await setTerms([{ ProductID: null, Commission: '20' }])
    await setTerms([{ ProductID: null, Commission: '30' }], 'Rival')
    t.match(await readDesk(await book()), { Owed: euros('72.00') })
    t.match(await readDesk(await book({}, rival)), { Owed: euros('63.00') })
    t.match(await readDesk(await book({}, keyless)), { Owed: null, PartnerTerms: null })
    const { Customer, ...line } = bookingBody(product.activityId, { Date: '2030-06-16' })
    const sold = await app.inject({
      method: 'POST',
      url: '/api/v2/operator/bookings',
      headers: operator.headers,
      payload: { ...line, Customer, Payment: { Method: 'cash' } },
    })
    t.match(sold.json().data, { Channel: 'pos', Owed: null, PartnerTerms: null })
  },
)

t.test('a booking keeps the terms it was sold under', async (t) => {
  const { book, setTerms, readDesk, product } = await openWithTerms(t)
  await setTerms([{ ProductID: null, Commission: '20' }])
  const first = await book()
  await setTerms([{ ProductID: product.id, NetPrices: [{ UnitID: 0, Amount: '30.00' }] }])
  const second = await book()
  await setTerms([])
  const third = await book()
  t.match(await readDesk(first), { Owed: euros('72.00') })
  t.match(await readDesk(second), { Owed: euros('60.00') })
  t.match(await readDesk(third), { Owed: null })
})

t.test(
  'participants and units are sold under the same terms, with an idempotency key and without',
  async (t) => {
    const { book, act, setTerms, readDesk, makeUnits, product, partner } = await openWithTerms(t)
    const { adult, child } = await makeUnits()
    const keyed = (key: string) => {
      return { ...partner, headers: { ...partner.headers, 'idempotency-key': key } }
    }
    const adults = { Units: [{ UnitID: adult, Quantity: 2 }], Participants: undefined }
    for (const [terms, owed] of [
      [[{ ProductID: null, Commission: '12.5' }], '78.75'],
      [[{ ProductID: product.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] }], '72.00'],
      [[{ ProductID: product.id, NetPrices: [{ UnitID: adult, Amount: '35.00' }] }], '70.00'],
      [[{ ProductID: product.id, NetPrices: [{ UnitID: child, Amount: '15.00' }] }], '90.00'],
    ] as const) {
      await setTerms([...terms])
      const places = { Date: '2030-06-16' }
      const sold = [await book(places), await book(places, keyed(owed)), await book({ ...places, ...adults })]
      const seen = await Promise.all(sold.map(readDesk))
      t.match(
        seen,
        seen.map(() => ({ Owed: euros(owed) })),
      )
      t.same(seen[1].PartnerTerms, seen[0].PartnerTerms)
      t.same(seen[2].PartnerTerms, seen[0].PartnerTerms)
      for (const reference of sold) await act(reference, 'cancel')
    }
  },
)

t.test('a partner owes the net price of each unit, or its sale price if it has no net price', async (t) => {
  const { book, setTerms, readDesk, readOwn, makeUnits, product } = await openWithTerms(t)
  const { adult, child } = await makeUnits()
  const Units = [
    { UnitID: adult, Quantity: 2 },
    { UnitID: child, Quantity: 1 },
  ]
  const units = { Units, Participants: undefined }
  await setTerms([
    {
      ProductID: product.id,
      NetPrices: [
        { UnitID: adult, Amount: '36.00' },
        { UnitID: child, Amount: '15.00' },
      ],
    },
  ])
  const both = await book(units)
  t.same((await readOwn(both)).data.Owed, euros('87.00'))
  t.same((await readDesk(both)).PartnerTerms.NetPrices, [
    { UnitID: adult, Amount: '36.00' },
    { UnitID: child, Amount: '15.00' },
  ])
  await setTerms([{ ProductID: product.id, NetPrices: [{ UnitID: adult, Amount: '36.00' }] }])
  t.same((await readOwn(await book(units))).data.Owed, euros('92.00'))
})

t.test('a booking that is priced as a whole has one net price', async (t) => {
  const { book, setTerms, readDesk, sql, product } = await openWithTerms(t)
  await sql`update products set priced_per_booking = true, sells_plainly = false`
  await setTerms([{ ProductID: product.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] }])
  t.match(await readDesk(await book({ Participants: 4 })), { Owed: euros('36.00'), Total: euros('45.00') })
})

t.test('an amendment keeps the commission, and applies it to added people', async (t) => {
  const { book, act, setTerms, readDesk } = await openWithTerms(t)
  await setTerms([{ ProductID: null, Commission: '20' }])
  const reference = await book()
  await setTerms([{ ProductID: null, Commission: '50' }])
  t.match((await act(reference, 'amend', { Participants: 4 })).json().data, { Owed: euros('144.00') })
  t.match((await act(reference, 'amend', { Participants: 1 })).json().data, { Owed: euros('36.00') })
  t.match(await readDesk(reference), { PartnerTerms: { Commission: '20' } })
})

t.test('an amendment keeps net prices; the current terms apply to added people', async (t) => {
  const { book, act, setTerms, product, sql } = await openWithTerms(t)
  const setNetPrice = (Amount: string) =>
    setTerms([{ ProductID: product.id, NetPrices: [{ UnitID: 0, Amount }] }])
  await setNetPrice('36.00')
  const reference = await book()
  const amend = async (Participants: number) => (await act(reference, 'amend', { Participants })).json().data
  await setNetPrice('40.00')
  t.same((await amend(3)).Owed, euros('112.00'), '2 × 36 and 1 × 40')
  t.same((await amend(2)).Owed, euros('72.00'), 'the person who was added last is removed first')
  await setTerms([{ ProductID: null, Commission: '50' }])
  t.same((await amend(3)).Owed, euros('94.50'), '2 × 36 and half of 45')
  await setTerms([])
  await sql`update products set price_minor = 5000`
  t.same((await amend(4)).Owed, euros('144.50'), 'the full price is owed for a person added without terms')
})

t.test('an amendment adds no terms to a booking that was sold without terms', async (t) => {
  const { book, act, setTerms } = await openWithTerms(t)
  const reference = await book()
  await setTerms([{ ProductID: null, Commission: '20' }])
  const amended = (await act(reference, 'amend', { Participants: 4 })).json().data
  t.match(amended, { Owed: null, PartnerTerms: null })
})

t.test(
  'a booking that is moved, checked in or cancelled keeps its terms; nothing is owed once it is cancelled',
  async (t) => {
    const { book, act, setTerms } = await openWithTerms(t)
    await setTerms([{ ProductID: null, Commission: '20' }])
    const reference = await book()
    await setTerms([])
    const sold = { Owed: euros('72.00'), PartnerTerms: { Commission: '20' } }
    t.match((await act(reference, 'move', { Date: '2030-06-16', Time: '10:00' })).json().data, sold)
    t.match((await act(reference, 'attendance', { Attendance: 'checked-in' })).json().data, sold)
    t.match((await act(reference, 'cancel')).json().data, { ...sold, Owed: euros('0.00') })
  },
)

t.test('a partner sees what it owes, but no amount of another partner, and no terms', async (t) => {
  const { app, sql, book, setTerms, readOwn, partner, rival } = await openWithTerms(t)
  await setTerms([{ ProductID: null, Commission: '13.37' }])
  await setTerms([{ ProductID: null, Commission: '24.68' }], 'Rival')
  const [ours, theirs] = [
    await book({ PaymentReference: 'P-1' }),
    await book({ PaymentReference: 'P-1' }, rival),
  ]
  await pumpEvents(sql)
  const everything = async ({ headers }: typeof partner, reference: string) => {
    const answers = await Promise.all(
      [
        bookingPath,
        `${bookingPath}?PaymentReference=P-1`,
        `${bookingPath}/${reference}`,
        '/api/v2/ota/marketplace/products',
      ].map((url) => app.inject({ url, headers })),
    )
    t.same(
      answers.map(({ statusCode }) => statusCode),
      [200, 200, 200, 200],
    )
    return answers.map(({ body }) => body).join()
  }
  const [seen, seenByRival] = [await everything(partner, ours), await everything(rival, theirs)]
  t.match(seen, '"77.97"')
  t.notMatch(seen, /67\.79|13\.37|24\.68|Commission|PartnerTerms|NetPrices/)
  t.match(seenByRival, '"67.79"')
  t.notMatch(seenByRival, /77\.97|13\.37|24\.68|Commission|PartnerTerms|NetPrices/)
  t.equal((await readOwn(theirs)).status, 404)
  const answer = await app.inject({
    method: 'POST',
    url: `${bookingPath}/${theirs}/cancel`,
    headers: partner.headers,
  })
  t.equal(answer.statusCode, 404)
})

t.test('the response to a partner’s booking, and its stored copy, contain no terms', async (t) => {
  const { app, setTerms, partner, product, sql } = await openWithTerms(t)
  await setTerms([{ ProductID: null, Commission: '20' }])
  const answer = await app.inject({
    method: 'POST',
    url: bookingPath,
    headers: { ...partner.headers, 'idempotency-key': 'k' },
    payload: bookingBody(product.activityId),
  })
  t.notMatch(answer.body, /Owed|Terms|Commission/)
  const [kept] = await sql`select response from idempotency_keys`
  t.notMatch(JSON.stringify(kept), /commission|netMinor/i)
})
