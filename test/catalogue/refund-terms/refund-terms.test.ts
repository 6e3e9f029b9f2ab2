/** The refund terms of a product: written by its operator, and shown to partners. */
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'

const terms = [
  { Percent: '100', HoursBefore: 48 },
  { Percent: '50', HoursBefore: 24 },
]

async function setUp(t: Parameters<typeof makeOperator>[0]) {
  const operator = await makeOperator(t)
  const product = await makeProduct(operator.sql, operator.accountId)
  const path = `/products/${product.id}/refund-terms`
  const put = (RefundTerms: object[]) => operator.call('PUT', path, { RefundTerms })
  const partnerView = async () => {
    const answer = await operator.app.inject({
      url: `/api/v2/ota/marketplace/resolve-product?ID=${product.id}`,
      headers: operator.partner.headers,
    })
    return answer.json().data
  }
  return { ...operator, product, path, put, partnerView }
}

t.test('a product has no refund terms at first, and its partners see none', async (t) => {
  const { call, path, partnerView } = await setUp(t)
  t.match(await call('GET', path), { status: 200, data: [] })
  t.notOk('RefundTerms' in (await partnerView()))
})

t.test('the list of refund terms is replaced as a whole, in any order, and partners see it', async (t) => {
  const { call, path, put, partnerView, sql } = await setUp(t)
  const before = (await partnerView()).UpdatedAt
  const answer = await put([...terms].reverse())
  t.match(answer, { status: 200, data: terms })
  t.same((await call('GET', path)).data, terms)
  const view = await partnerView()
  t.same(view.RefundTerms, terms)
  t.not(view.UpdatedAt, before, 'UpdatedAt of the product changes')
  t.same((await put([])).data, [])
  t.notOk('RefundTerms' in (await partnerView()), 'partners see no terms after an empty list')
  t.equal((await sql`select from refund_terms`).length, 2, 'each version of the terms stays stored')
})

t.test('a change of refund terms appends an event, and the same terms again change nothing', async (t) => {
  const { put, sql, product } = await setUp(t)
  await put(terms)
  await put([{ Percent: '100.00', HoursBefore: 48 }, terms[1]!])
  t.match(await sql`select product_id, details from events where type = 'product.changed'`, [
    { product_id: product.id, details: { Fields: ['RefundTerms'] } },
  ])
  t.equal((await sql`select from refund_terms`).length, 1)
})

t.test('422 names every wrong term, and nothing is changed', async (t) => {
  const { call, path, put } = await setUp(t)
  await put(terms)
  const rules = await put([
    { Percent: '50', HoursBefore: 48 },
    { Percent: '60', HoursBefore: 24 },
    { Percent: '10', HoursBefore: 48 },
  ])
  t.equal(rules.status, 422)
  t.same(fieldsOf(rules), ['RefundTerms[1].Percent', 'RefundTerms[2].HoursBefore'])
  const shape = await put([
    { Percent: '100.01', HoursBefore: 1.5 },
    { Percent: 50, HoursBefore: 8761 },
  ])
  t.equal(shape.status, 422)
  t.same(fieldsOf(shape).sort(), [
    'RefundTerms[0].HoursBefore',
    'RefundTerms[0].Percent',
    'RefundTerms[1].HoursBefore',
    'RefundTerms[1].Percent',
  ])
  const many = Array.from({ length: 21 }, (_, index) => ({ Percent: '50', HoursBefore: index }))
  t.equal((await put(many)).status, 422, 'there are at most 20')
  t.same((await call('GET', path)).data, terms)
})

t.test('404 for an unknown product', async (t) => {
  const { call } = await setUp(t)
  t.equal((await call('GET', '/products/999999/refund-terms')).status, 404)
  t.equal((await call('PUT', '/products/999999/refund-terms', { RefundTerms: [] })).status, 404)
})
