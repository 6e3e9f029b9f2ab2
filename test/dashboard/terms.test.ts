/** The pages of refund terms, and of the terms of partners. */
import t, { type Test } from 'tap'
import { adult, child } from '../catalogue/units/fixtures.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

async function makeTerms(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const kayak = await makeProduct(sql, accountId)
  const bike = await makeProduct(sql, accountId, { name: 'Bike' })
  const [viator] = (await call('GET', '/partners')).data as { ID: number }[]
  const { get, post } = await signIn('owner')
  const show = async (page: string) => textOf((await get(page)).body)
  /** Sends a form with the version that a page shows. */
  const save = async (path: string, fields: Record<string, string> = {}, seenOn = path) =>
    post(path, { Version: hidden((await get(seenOn)).body, 'Version'), ...fields })
  return { ...dashboard, kayak, bike, viatorId: viator!.ID, get, post, show, save }
}

/** The fields of the form of refund terms, for these percents and hours. */
const refundTermFields = (...terms: [string, string][]) =>
  Object.fromEntries(
    terms.flatMap(([percent, hours], index) => [
      [`RefundTerms[${index}].Percent`, percent],
      [`RefundTerms[${index}].HoursBefore`, hours],
    ]),
  )

t.test('the refund terms of a product', async (t) => {
  t.test('are saved in the local format, and shown on its page in order', async (t) => {
    const { kayak, save, show, call } = await makeTerms(t)
    const product = `/dashboard/catalogue/${kayak.id}`
    t.match(await show(product), 'This product has no refund terms for cancelled bookings.')
    const saved = await save(
      `${product}/refund-terms`,
      refundTermFields(['50,5 %', '24'], ['', ''], ['100', '48']),
    )
    t.equal(saved.headers.location, `${product}?done=refund-terms#refund-terms`)
    t.match(
      await show(product),
      '100 % until 48 hours before the start 50.5 % until 24 hours before the start',
    )
    t.same((await call('GET', `/products/${kayak.id}/refund-terms`)).data, [
      { Percent: '100', HoursBefore: 48 },
      { Percent: '50.5', HoursBefore: 24 },
    ])
    await save(`${product}/refund-terms`, refundTermFields(['', ''], ['', '']))
    t.same((await call('GET', `/products/${kayak.id}/refund-terms`)).data, [], 'empty lines remove the terms')
  })

  t.test('invalid fields are refused, and each error names its field by the label', async (t) => {
    const { kayak, save } = await makeTerms(t)
    const path = `/dashboard/catalogue/${kayak.id}/refund-terms`
    const rises = await save(path, refundTermFields(['50', '48'], ['60', '24'], ['10', '24']))
    t.equal(rises.statusCode, 422)
    t.match(textOf(rises.body), 'Rule 2: percent paid back must not be higher than')
    t.match(textOf(rises.body), 'Rule 3: hours before the start must differ from the lines above')
    const shape = await save(path, refundTermFields(['101', '48'], ['50', ''], ['', 'x']))
    const text = textOf(shape.body)
    t.match(text, 'Rule 1: percent paid back must be a percentage from 0 to 100')
    t.match(text, 'Rule 2: hours before the start is required; to remove the line, clear all its fields')
    t.match(text, 'Rule 3: percent paid back is required')
    t.match(shape.body, 'value="101"', 'what was typed is kept')
  })

  t.test('changes that another user has saved meanwhile are not overwritten', async (t) => {
    const { kayak, get, post, call } = await makeTerms(t)
    const path = `/dashboard/catalogue/${kayak.id}/refund-terms`
    const Version = hidden((await get(path)).body, 'Version')
    const theirs = [{ Percent: '80', HoursBefore: 24 }]
    await call('PUT', `/products/${kayak.id}/refund-terms`, { RefundTerms: theirs })
    const refused = await post(path, { Version, ...refundTermFields(['50', '24']) })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'Rule 1: percent paid back is now “80”')
    t.same((await call('GET', `/products/${kayak.id}/refund-terms`)).data, theirs)
  })
})

t.test('the terms of a partner', async (t) => {
  t.test('are a commission for all products, and other terms for one product', async (t) => {
    const { viatorId, kayak, save, show, call } = await makeTerms(t)
    const page = `/dashboard/partners/${viatorId}`
    t.match(await show('/dashboard/partners'), 'Viator')
    t.match(await show(page), 'No terms are agreed, so bookings do not show an owed amount.')
    const saved = await save(`${page}/terms`, { Commission: '12,5 %' })
    t.equal(saved.headers.location, `${page}?done=partner-terms`)
    t.match(await show(page), 'All products Commission of 12.5 %')
    await save(`${page}/terms?ProductID=${kayak.id}`, { 'Price-0': '36,50' })
    t.match(
      await show(page),
      /All other products Commission of 12.5 % .* Kayak\S* Net prices: each person €36.50/,
    )
    t.same((await call('GET', `/partners/${viatorId}/terms`)).data, [
      { ProductID: null, Commission: '12.5' },
      { ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '36.50' }] },
    ])
  })

  t.test('are net prices by unit where the product has units', async (t) => {
    const { viatorId, kayak, save, show, get, call } = await makeTerms(t)
    const units = (await call('PUT', `/products/${kayak.id}/units`, { Units: [adult, child] })).data
    const [first, second] = units.map(({ UnitID }: { UnitID: number }) => UnitID)
    const Terms = [{ ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '30.00' }] }]
    await call('PUT', `/partners/${viatorId}/terms`, { Terms })
    const page = `/dashboard/partners/${viatorId}`
    const form = `${page}/terms?ProductID=${kayak.id}`
    t.match((await get(form)).body, `name="Price-${first}" value="30.00"`)
    await save(form, { [`Price-${first}`]: '31', [`Price-${second}`]: '15' })
    t.match(await show(page), 'Net prices: Adult €31.00, Child €15.00')
    const wrong = await save(form, { [`Price-${first}`]: 'dear', Commission: '101' })
    t.equal(wrong.statusCode, 422)
    t.match(textOf(wrong.body), 'Adult must be a decimal amount')
    t.match(textOf(wrong.body), 'Commission (%) must be a percentage from 0 to 100')
    t.match(wrong.body, 'value="dear"')
  })

  t.test('are a commission or net prices, and one of them is needed', async (t) => {
    const { viatorId, kayak, save, call } = await makeTerms(t)
    const path = `/dashboard/partners/${viatorId}/terms`
    const none = await save(path)
    t.equal(none.statusCode, 422)
    t.match(textOf(none.body), 'Commission (%) is needed')
    for (const fields of [{}, { Commission: '10', 'Price-0': '30' }] as Record<string, string>[]) {
      const refused = await save(`${path}?ProductID=${kayak.id}`, fields)
      t.equal(refused.statusCode, 422)
      t.match(textOf(refused.body), 'Commission (%) or “Net prices”: fill in one of them')
    }
    t.same((await call('GET', `/partners/${viatorId}/terms`)).data, [])
  })

  t.test('are removed one by one', async (t) => {
    const { viatorId, kayak, bike, save, call } = await makeTerms(t)
    const Terms = [
      { ProductID: null, Commission: '20' },
      { ProductID: kayak.id, Commission: '10' },
      { ProductID: bike.id, Commission: '15' },
    ]
    await call('PUT', `/partners/${viatorId}/terms`, { Terms })
    const page = `/dashboard/partners/${viatorId}`
    const removed = await save(`${page}/terms/remove?ProductID=${kayak.id}`, {}, page)
    t.equal(removed.headers.location, `${page}?done=partner-terms-removed`)
    await save(`${page}/terms/remove`, {}, page)
    t.same((await call('GET', `/partners/${viatorId}/terms`)).data, [Terms[2]])
  })

  t.test('terms for a product can be changed after another product stopped selling a unit', async (t) => {
    const { viatorId, kayak, bike, save, call } = await makeTerms(t)
    const units = (await call('PUT', `/products/${kayak.id}/units`, { Units: [adult, child] })).data
    const [first, second] = units.map(({ UnitID }: { UnitID: number }) => UnitID)
    const Terms = [{ ProductID: kayak.id, NetPrices: [{ UnitID: second, Amount: '15.00' }] }]
    await call('PUT', `/partners/${viatorId}/terms`, { Terms })
    await call('PUT', `/products/${kayak.id}/units`, { Units: [{ ...adult, UnitID: first }] })
    const saved = await save(`/dashboard/partners/${viatorId}/terms?ProductID=${bike.id}`, {
      Commission: '10',
    })
    t.equal(saved.statusCode, 303)
    t.same((await call('GET', `/partners/${viatorId}/terms`)).data, [
      { ProductID: kayak.id, Commission: '0' },
      { ProductID: bike.id, Commission: '10' },
    ])
  })

  t.test('changes that another user has saved meanwhile are not overwritten', async (t) => {
    const { viatorId, get, post, call } = await makeTerms(t)
    const path = `/dashboard/partners/${viatorId}/terms`
    const Version = hidden((await get(path)).body, 'Version')
    await call('PUT', `/partners/${viatorId}/terms`, { Terms: [{ ProductID: null, Commission: '20' }] })
    const refused = await post(path, { Version, Commission: '10' })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'Commission (%) is now “20”')
    t.equal((await post(`${path}/remove`, { Version })).statusCode, 409)
    t.match((await call('GET', `/partners/${viatorId}/terms`)).data, [{ Commission: '20' }])
  })

  t.test('a refused form shows the net prices that another user has set meanwhile', async (t) => {
    const { viatorId, kayak, get, post, call } = await makeTerms(t)
    const path = `/dashboard/partners/${viatorId}/terms?ProductID=${kayak.id}`
    const Version = hidden((await get(path)).body, 'Version')
    const theirs = { ProductID: kayak.id, NetPrices: [{ UnitID: 0, Amount: '30.00' }] }
    const set = await call('PUT', `/partners/${viatorId}/terms`, { Terms: [theirs] })
    t.equal(set.status, 200)
    const refused = await post(path, { Version, 'Price-0': '36,50' })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'is now “30.00”')
    t.match((await call('GET', `/partners/${viatorId}/terms`)).data, [theirs])
  })

  t.test('can be seen and changed by owners only', async (t) => {
    const { viatorId, signIn, call, get } = await makeTerms(t)
    const page = `/dashboard/partners/${viatorId}`
    const agreed = [{ ProductID: null, Commission: '20' }]
    await call('PUT', `/partners/${viatorId}/terms`, { Terms: agreed })
    const Version = hidden((await get(`${page}/terms`)).body, 'Version')
    const staff = await signIn('staff')
    for (const shown of [page, `${page}/terms`]) t.equal((await staff.get(shown)).statusCode, 403, shown)
    t.equal((await staff.post(`${page}/terms`, { Version, Commission: '10' })).statusCode, 403)
    t.equal((await staff.post(`${page}/terms/remove`, { Version })).statusCode, 403)
    t.same((await call('GET', `/partners/${viatorId}/terms`)).data, agreed)
  })

  t.test('terms for a partner or a product of another account get 404', async (t) => {
    const { viatorId, sql, get, post } = await makeTerms(t)
    const elsewhere = await makeCaller(sql, { slug: 'elsewhere', partner: 'Theirs' })
    const product = await makeProduct(sql, elsewhere.accountId)
    const [partner] = await sql<{ id: number }[]>`
      select id from partners where account_id = ${elsewhere.accountId}`
    const Version = hidden((await get(`/dashboard/partners/${viatorId}/terms`)).body, 'Version')
    t.equal((await get(`/dashboard/partners/${partner!.id}`)).statusCode, 404)
    for (const path of [`${partner!.id}/terms`, `${viatorId}/terms?ProductID=${product.id}`]) {
      t.equal((await get(`/dashboard/partners/${path}`)).statusCode, 404, path)
      const fields = { Version, Commission: '10' }
      t.equal((await post(`/dashboard/partners/${path}`, fields)).statusCode, 404, path)
    }
    t.same(await sql`select from partner_terms`, [])
  })
})
