/** The operator's promotions: how they are made, changed and listed, and what is refused. */
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'

const tenth = { Code: 'summer-10', Percent: '10' }

t.test('a new promotion gets 201 with its code in capitals and no limits', async (t) => {
  const { call } = await makeOperator(t)
  const made = await call('POST', '/promotions', tenth)
  t.equal(made.status, 201)
  t.match(made.data, {
    PromotionID: Number,
    Code: 'SUMMER-10',
    Percent: '10',
    Amount: null,
    Currency: null,
    ProductIDs: null,
    SaleFrom: null,
    MaxUses: null,
    Active: true,
    Uses: 0,
  })
  t.same((await call('GET', `/promotions/${made.data.PromotionID}`)).data, made.data)
})

t.test('a promotion of an amount stores all its limits', async (t) => {
  const { call, sql, accountId } = await makeOperator(t)
  const { id: productId } = await makeProduct(sql, accountId, { name: 'Kayak', slots: {} })
  const limits = {
    ProductIDs: [productId],
    SaleFrom: '2030-05-01',
    SaleTo: '2030-05-31',
    TravelFrom: '2030-06-01',
    TravelTo: '2030-06-30',
    MaxUses: 100,
    MaxUsesPerCustomer: 1,
  }
  const made = await call('POST', '/promotions', { Code: 'FIVE', Amount: '5.00', Currency: 'EUR', ...limits })
  t.match(made.data, { Percent: null, Amount: '5.00', Currency: 'EUR', ...limits })
})

t.test('requests with the same idempotency key make one promotion', async (t) => {
  const { call } = await makeOperator(t)
  const key = { 'idempotency-key': 'promo-1' }
  const answers = [
    await call('POST', '/promotions', tenth, key),
    await call('POST', '/promotions', tenth, key),
  ]
  t.same(answers[0]!.data, answers[1]!.data)
  t.equal((await call('GET', '/promotions')).data.length, 1)
})

t.test(
  'a code that the account already has gets 409 promotion-code-taken, also in other upper or lower case',
  async (t) => {
    const { call } = await makeOperator(t)
    await call('POST', '/promotions', tenth)
    const again = await call('POST', '/promotions', { Code: 'Summer-10', Percent: '20' })
    t.match(again.problem, { status: 409, type: /promotion-code-taken$/ })
  },
)

t.test('an invalid promotion gets 422 with every wrong field', async (t) => {
  const { call } = await makeOperator(t)
  const fields = async (body: object) =>
    fieldsOf(await call('POST', '/promotions', { Code: 'CODE', ...body }))
  t.same(await fields({}), ['Percent'])
  t.same(await fields({ Percent: '0' }), ['Percent'])
  t.same(await fields({ Percent: '100.01' }), ['Percent'])
  t.same(await fields({ Percent: '10', Amount: '5.00', Currency: 'EUR' }), ['Percent'])
  t.same(await fields({ Amount: '5.00' }), ['Currency'])
  t.same(await fields({ Currency: 'EUR' }), ['Amount'])
  t.same(await fields({ Amount: '5.001', Currency: 'EUR' }), ['Amount'])
  t.same(await fields({ Amount: '0.00', Currency: 'EUR' }), ['Amount'])
  t.same(await fields({ Amount: '5', Currency: 'XXQ' }), ['Currency'])
  t.same(
    await fields({
      Percent: '10',
      SaleFrom: '2030-06-01',
      SaleTo: '2030-05-31',
      TravelFrom: '2030-07-02',
      TravelTo: '2030-07-01',
      ProductIDs: [999],
    }),
    ['SaleTo', 'TravelTo', 'ProductIDs[0]'],
  )
  for (const Code of ['AB', 'A'.repeat(41), 'ÄPFEL', 'A B C', 'A_B'])
    t.same(await fields({ Code, Percent: '10' }), ['Code'], Code)
  t.same(await fields({ Percent: '10', MaxUses: 0 }), ['MaxUses'])
})

t.test('a change of a promotion keeps omitted fields, and Unset removes a limit', async (t) => {
  const { call, sql } = await makeOperator(t)
  const { data } = await call('POST', '/promotions', { ...tenth, MaxUses: 5, SaleTo: '2030-05-31' })
  const path = `/promotions/${data.PromotionID}`
  t.match((await call('PATCH', path, { Unset: ['MaxUses'] })).data, {
    Percent: '10',
    MaxUses: null,
    SaleTo: '2030-05-31',
  })
  t.match((await call('PATCH', path, { Amount: '5.00', Currency: 'EUR' })).data, {
    Percent: null,
    Amount: '5.00',
    Currency: 'EUR',
  })
  t.match((await call('PATCH', path, { Active: false })).data, { Active: false })
  t.same(fieldsOf(await call('PATCH', path, { SaleFrom: '2030-06-01' })), ['SaleTo'])
  t.same(fieldsOf(await call('PATCH', path, { MaxUses: 3, Unset: ['MaxUses'] })), ['Unset[0]'])
  t.equal((await call('PATCH', '/promotions/999', { Active: false })).status, 404)
  t.match(await sql`select details from events where type like 'promotion.%' order by id`, [
    { details: { PromotionID: data.PromotionID } },
    { details: { Fields: ['MaxUses'] } },
    { details: { Fields: ['Percent', 'Amount', 'Currency'] } },
    { details: { Fields: ['Active'] } },
  ])
})

t.test('promotions are listed page by page, by code and by whether they are active', async (t) => {
  const { call } = await makeOperator(t)
  for (const Code of ['ONE-A', 'TWO-A', 'ONE-B']) await call('POST', '/promotions', { ...tenth, Code })
  const { data } = await call('GET', '/promotions?Code=two')
  await call('PATCH', `/promotions/${data[0].PromotionID}`, { Active: false })
  const codes = async (query: string) =>
    (await call('GET', `/promotions?${query}`)).data.map(({ Code }: { Code: string }) => Code)
  t.same(await codes('Code=one'), ['ONE-A', 'ONE-B'])
  t.same(await codes('Active=false'), ['TWO-A'])
  t.same(await codes('Active=true'), ['ONE-A', 'ONE-B'])
  const first = await call('GET', '/promotions?Limit=2')
  const next = /Cursor=([^>]+)>/.exec(String(first.headers.link))![1]
  t.same(await codes(`Limit=2&Cursor=${next}`), ['ONE-B'])
})
