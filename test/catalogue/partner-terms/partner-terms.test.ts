/** Partner terms: how an operator writes and reads them, and what they mean for changes of products and units. */
import t from 'tap'
import { previewImport } from '../../../src/catalogue/file/preview.ts'
import { importCatalogue } from '../../../src/catalogue/file/service.ts'
import { describePreview } from '../../../src/catalogue/file/wording.ts'
import { theService } from '../../../src/events/actor.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'
import { fileProduct } from '../file/fixtures.ts'
import { adult, child, euros } from '../units/fixtures.ts'

async function setUp(t: Parameters<typeof makeOperator>[0]) {
  const operator = await makeOperator(t)
  const { sql, accountId, call } = operator
  const kayak = await makeProduct(sql, accountId)
  const bike = await makeProduct(sql, accountId, { name: 'Bike' })
  const [viator] = (await call('GET', '/partners')).data as { ID: number; Name: string }[]
  const path = `/partners/${viator!.ID}/terms`
  const put = (Terms: object[]) => call('PUT', path, { Terms })
  const marked = async () =>
    (await sql<{ id: number }[]>`select id from products where has_partner_terms order by id`).map(
      ({ id }) => id,
    )
  return { ...operator, kayak, bike, viator: viator!, path, put, marked }
}

t.test('an operator lists its partners, and none of another account', async (t) => {
  const { call, sql } = await setUp(t)
  await makeCaller(sql, { partner: 'Atrapalo' })
  await makeCaller(sql, { slug: 'elsewhere', partner: 'Musement' })
  const { data } = await call('GET', '/partners')
  t.match(data, [{ Name: 'Atrapalo' }, { Name: 'Viator' }])
  t.equal(data.length, 2)
})

t.test(
  'the list of partner terms is replaced as a whole, and read with the terms for all products first',
  async (t) => {
    const { call, path, put, kayak, bike } = await setUp(t)
    t.match(await call('GET', path), { status: 200, data: [] })
    const terms = [
      { ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] },
      { ProductID: null, Commission: '20.00' },
      { ProductID: bike.id, Commission: '12.5' },
    ]
    const answer = await put(terms)
    t.equal(answer.status, 200)
    const written = [{ ProductID: null, Commission: '20' }, terms[0], terms[2]]
    t.same(answer.data, written)
    t.same((await call('GET', path)).data, written)
    t.same((await put([])).data, [])
  },
)

t.test('net prices name units of the product', async (t) => {
  const { put, sql, accountId, kayak } = await setUp(t)
  const [adult, child] = await sql<{ id: number }[]>`
    insert into units (account_id, product_id, position, name, type, price_minor, places, people)
    values (${accountId}, ${kayak.id}, 1, 'Adult', 'ADULT', null, 1, 1),
      (${accountId}, ${kayak.id}, 2, 'Child', 'CHILD', 2000, 1, 1),
      (${accountId}, ${kayak.id}, null, 'Senior', 'SENIOR', 3000, 1, 1)
    returning id`
  await sql`update products set default_unit_id = ${adult!.id} where id = ${kayak.id}`
  const netPrices = (...UnitIDs: number[]) => [
    { ProductID: kayak.id, NetPrices: UnitIDs.map((UnitID) => ({ UnitID, Amount: '15.00' })) },
  ]
  t.equal((await put(netPrices(adult!.id, child!.id))).status, 200)
  t.equal((await put(netPrices(0, child!.id))).status, 200, '0 is the default unit')
  const dropped = child!.id + 1
  for (const [units, wrong] of [
    [[0, adult!.id], 1],
    [[child!.id, child!.id], 1],
    [[dropped], 0],
    [[999_999], 0],
  ] as const) {
    const answer = await put(netPrices(...units))
    t.equal(answer.status, 422)
    t.same(fieldsOf(answer), [`Terms[0].NetPrices[${wrong}].UnitID`])
  }
})

t.test('422 names every error, and nothing is changed', async (t) => {
  const { call, path, put, kayak, sql } = await setUp(t)
  const { accountId } = await makeCaller(sql, { slug: 'elsewhere' })
  const foreign = await makeProduct(sql, accountId)
  const before = (await put([{ ProductID: null, Commission: '20' }])).data
  const rules = await put([
    { ProductID: foreign.id, Commission: '20' },
    { ProductID: kayak.id },
    { ProductID: kayak.id, Commission: '20', NetPrices: [{ UnitID: 0, Amount: '1.00' }] },
    { ProductID: null, NetPrices: [{ UnitID: 0, Amount: '1.00' }] },
  ])
  t.equal(rules.status, 422)
  t.same(fieldsOf(rules), [
    'Terms[0].ProductID',
    'Terms[1].Commission',
    'Terms[2].ProductID',
    'Terms[2].Commission',
    'Terms[3].NetPrices',
  ])
  const cents = await put([{ ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '1.001' }] }])
  t.same(fieldsOf(cents), ['Terms[0].NetPrices[0].Amount'])
  const shape = await put([{ ProductID: 'x', Commission: '100.5', NetPrices: [] }])
  t.same(fieldsOf(shape).sort(), ['Terms[0].Commission', 'Terms[0].NetPrices', 'Terms[0].ProductID'])
  t.same((await call('GET', path)).data, before)
})

t.test('404 for an unknown partner, or one of another account', async (t) => {
  const { call, sql } = await setUp(t)
  await makeCaller(sql, { slug: 'elsewhere', partner: 'Musement' })
  const [foreign] = await sql<{ id: number }[]>`select id from partners where name = 'Musement'`
  for (const id of [999_999, foreign!.id]) {
    t.equal((await call('GET', `/partners/${id}/terms`)).status, 404)
    t.equal((await call('PUT', `/partners/${id}/terms`, { Terms: [] })).status, 404)
  }
})

t.test('products with partner terms are flagged, also those made later', async (t) => {
  const { call, put, marked, kayak, bike } = await setUp(t)
  const made = async (Name: string) => {
    const Price = { Amount: '45.00', Currency: 'EUR' }
    const rest = { Description: '', DurationMinutes: 60, TimeZone: 'Europe/Lisbon' }
    return (await call('POST', '/products', { Name, Price, ...rest })).data.ID as number
  }
  t.same(await marked(), [])
  await put([{ ProductID: bike.id, Commission: '20' }])
  t.same(await marked(), [bike.id])
  const canoe = await made('Canoe')
  t.same(await marked(), [bike.id])
  await put([{ ProductID: null, Commission: '20' }])
  t.same(await marked(), [kayak.id, bike.id, canoe])
  const raft = await made('Raft')
  t.same(await marked(), [kayak.id, bike.id, canoe, raft])
  await put([])
  t.same(await marked(), [])
})

t.test(
  'the event of a change does not contain the terms, and the same terms again change nothing',
  async (t) => {
    const { put, sql, viator } = await setUp(t)
    await put([{ ProductID: null, Commission: '20' }])
    await put([{ ProductID: null, Commission: '20.0' }])
    t.same(
      [...(await sql`select partner_id, details from events where type = 'partner-terms.changed'`)],
      [{ partner_id: null, details: { PartnerID: viator.ID } }],
    )
  },
)

t.test('the currency of a product cannot change while partners have net prices in it', async (t) => {
  const { call, sql, accountId, put, path, kayak } = await setUp(t)
  const terms = [{ ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] }]
  await put(terms)
  const yen = { Price: { Amount: '6000', Currency: 'JPY' } }
  const refused = await call('PATCH', `/products/${kayak.id}`, yen)
  t.same(fieldsOf(refused), ['Price.Currency'])
  t.match(refused.problem.detail, /net prices in EUR: remove those of “Viator” first/)
  const { data } = await call('GET', `/products/${kayak.id}`)
  const file = JSON.stringify({ Products: [fileProduct({ Name: data.Name, ...yen })] })
  const load = () => importCatalogue(sql, { accountId, actor: theService }, file, { horizonDays: 30 })
  t.match(await load().catch((error: unknown) => error), {
    faults: [{ pointer: '/Products/0/Price/Currency' }],
  })
  t.same((await call('GET', path)).data, terms)
  await put([{ ProductID: kayak.id, Commission: '20' }])
  t.match((await load()).updated, 1)
  t.same((await call('GET', `/products/${kayak.id}`)).data.Price, yen.Price)
})

t.test('net prices stay those of their units when another unit becomes the default', async (t) => {
  const { call, sql, path, put, kayak, viator } = await setUp(t)
  const units = async (...Units: object[]) =>
    (await call('PUT', `/products/${kayak.id}/units`, { Units })).data as { UnitID: number }[]
  const netPrices = async () => (await call('GET', path)).data[0].NetPrices
  const price = (UnitID: number, Amount: string) => ({ UnitID, Amount })
  await put([{ ProductID: kayak.id, NetPrices: [price(0, '36.00')] }])
  const kid = { ...child, AccompaniedBy: [] }
  const [one, two] = (await units(adult, kid)).map(({ UnitID }) => UnitID)
  t.same(await netPrices(), [price(0, '36.00')], 'the net price of a place becomes that of the default unit')
  await put([{ ProductID: kayak.id, NetPrices: [price(0, '36.00'), price(two!, '15.00')] }])
  await sql`delete from events`
  await units({ ...adult, UnitID: one, Default: false }, { ...kid, UnitID: two, Default: true })
  t.same(await netPrices(), [price(one!, '36.00'), price(two!, '15.00')])
  const changes = await sql`select details from events where type = 'partner-terms.changed'`
  t.same([...changes], [{ details: { PartnerID: viator.ID } }])
  await units({ ...kid, UnitID: two, Default: true })
  t.same(await netPrices(), [price(two!, '15.00')])
  await units()
  t.same(await netPrices(), [price(0, '15.00')], 'the net price of the default unit becomes that of a place')
})

t.test('a partner owes the whole price once no unit with a net price is sold any more', async (t) => {
  const { call, path, put, kayak } = await setUp(t)
  const units = async (...Units: object[]) =>
    (await call('PUT', `/products/${kayak.id}/units`, { Units })).data as { UnitID: number }[]
  await units(adult)
  await put([{ ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] }])
  await units({ ...adult, Name: 'Guest', Price: euros('60.00') })
  t.same((await call('GET', path)).data, [{ ProductID: kayak.id, Commission: '0' }])
})

t.test('an import and its preview name the partners whose net prices are deleted with a unit', async (t) => {
  const { call, sql, accountId, put, path, kayak } = await setUp(t)
  const { data } = await call('GET', `/products/${kayak.id}`)
  const units = (await call('PUT', `/products/${kayak.id}/units`, { Units: [adult, child] })).data
  const [one, two] = units.map(({ UnitID }: { UnitID: number }) => UnitID) as number[]
  const price = (UnitID: number, Amount: string) => ({ UnitID, Amount })
  await put([{ ProductID: kayak.id, NetPrices: [price(one!, '36.00'), price(two!, '15.00')] }])
  const file = JSON.stringify({ Products: [fileProduct({ Name: data.Name, Units: [adult] as never })] })
  const options = { horizonDays: 1 }
  const shown = await previewImport(sql, accountId, file, options)
  t.same(shown.report.partnersWithLoss, ['Viator'])
  t.match(
    describePreview(shown).join(' '),
    'Terms of Viator: net prices for units that are no longer sold are',
  )
  t.same((await call('GET', path)).data[0].NetPrices.length, 2, 'the preview changes nothing')
  const report = await importCatalogue(sql, { accountId, actor: theService }, file, options)
  t.same(report.partnersWithLoss, ['Viator'])
  t.same((await call('GET', path)).data[0].NetPrices, [price(one!, '36.00')])
})

t.test(
  'the price of a product cannot become one for the whole booking while partners have net prices',
  async (t) => {
    const { call, put, kayak } = await setUp(t)
    await put([{ ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '36.00' }] }])
    const change = () => call('PATCH', `/products/${kayak.id}`, { PricedPer: 'booking' })
    const refused = await change()
    t.same(fieldsOf(refused), ['PricedPer'])
    t.match(
      refused.problem.detail,
      /cannot change while partners have net prices: remove those of “Viator” first/,
    )
    await put([{ ProductID: kayak.id, Commission: '20' }])
    t.match((await change()).data, { PricedPer: 'booking' })
  },
)
