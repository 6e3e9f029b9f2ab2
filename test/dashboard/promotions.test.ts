/** Promotions in the dashboard: users make, change and end them, and an error names each wrong field. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const list = '/dashboard/promotions'

async function makePromotions(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const kayak = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const bike = await makeProduct(sql, accountId, { name: 'Bike' })
  const { get, post } = await signIn('staff')
  const show = async (page = list) => textOf((await get(page)).body)
  const all = async () => (await call('GET', '/promotions')).data
  /** Makes a promotion by the API; returns its id and the address of its page. */
  const make = async (promotion: object = {}) => {
    const { data } = await call('POST', '/promotions', { Code: 'SPRING', Percent: '10', ...promotion })
    return { id: data.PromotionID as number, path: `${list}/${data.PromotionID}` }
  }
  /** Sends the form of a promotion with the version that its page shows. */
  const save = async (path: string, fields: Record<string, string | string[]>) => {
    const Version = hidden((await get(path)).body, 'Version')
    return post(path, { Version, ...fields })
  }
  return { ...dashboard, kayak, bike, get, post, show, all, make, save }
}

t.test('the list of promotions', async (t) => {
  t.test('shows the reduction, products, dates and uses of each promotion', async (t) => {
    const { make, show, call, kayak } = await makePromotions(t)
    await make({ ProductIDs: [kayak.id], MaxUses: 5, TravelFrom: '2030-06-01', TravelTo: '2030-06-30' })
    await make({ Code: 'FIFTEEN', Percent: undefined, Amount: '15', Currency: 'EUR', SaleTo: '2020-01-31' })
    const line = { ActivityID: kayak.activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const basket = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
    await call('PUT', `/baskets/${basket.data.BasketID}/promotion`, { Code: 'SPRING' })
    const text = await show()
    t.match(text, /SPRING 10 % Kayak\S* Any day Sat, 1 Jun 2030 – Sun, 30 Jun 2030 1 of 5 on End/)
    t.match(text, /FIFTEEN €15.00 All Until Fri, 31 Jan 2020 Any day 0 times expired End/)
  })

  t.test('is filtered by a part of the code, and by whether a promotion has ended', async (t) => {
    const { make, show } = await makePromotions(t)
    await make()
    await make({ Code: 'AUTUMN', Active: false })
    t.notMatch(await show(`${list}?Code=autu`), 'SPRING')
    t.notMatch(await show(`${list}?Active=false`), 'SPRING')
    t.match(await show(`${list}?Active=false`), 'AUTUMN')
    t.match(await show(`${list}?Code=winter`), 'No promotion matches the filters.')
  })
})

t.test('a promotion', async (t) => {
  t.test('is made with a percentage in the local format, for some products and days', async (t) => {
    const { post, all, kayak, bike } = await makePromotions(t)
    const made = await post(list, {
      Code: ' summer-10 ',
      Percent: '12,5 %',
      Currency: 'EUR',
      ProductIDs: [String(kayak.id), String(bike.id)],
      SaleFrom: '2030-05-01',
      TravelTo: '2030-09-30',
      MaxUsesPerCustomer: '1',
    })
    t.equal(made.headers.location, `${list}?done=saved`)
    t.match(await all(), [
      {
        Code: 'SUMMER-10',
        Percent: '12.5',
        Currency: null,
        ProductIDs: [kayak.id, bike.id],
        SaleFrom: '2030-05-01',
        SaleTo: null,
        TravelTo: '2030-09-30',
        MaxUses: null,
        MaxUsesPerCustomer: 1,
        Active: true,
      },
    ])
  })

  t.test('is made once, however often its form is sent', async (t) => {
    const { post, all } = await makePromotions(t)
    const once = crypto.randomUUID()
    const fields = { Code: 'TWICE', Percent: '10' }
    for (const _ of [1, 2]) t.equal((await post(list, fields, { once })).statusCode, 303)
    t.equal((await all()).length, 1)
  })

  t.test(
    'with invalid fields is refused; the form names each by its label and keeps what was typed',
    async (t) => {
      const { post, all } = await makePromotions(t)
      const refused = await post(list, { Code: '?', Percent: 'half', Amount: 'much', MaxUses: '0' })
      t.equal(refused.statusCode, 422)
      const text = textOf(refused.body)
      t.match(text, 'Code must be 3 to 40 letters')
      t.match(text, 'Percent off must be a percentage')
      t.match(text, 'Amount off must be a decimal amount')
      t.match(text, 'Uses in all must be')
      t.match(refused.body, 'value="half"')
      const rules = await post(list, {
        Code: 'RULES',
        SaleFrom: '2030-05-02',
        SaleTo: '2030-05-01',
        TravelFrom: '2030-06-02',
        TravelTo: '2030-06-01',
      })
      t.equal(rules.statusCode, 422)
      const said = textOf(rules.body)
      t.match(said, 'Percent off or “Amount off” is needed')
      t.match(said, 'Can be used until must not be before “Can be used from”')
      t.match(said, 'For timeslots until must not be before “For timeslots from”')
      const both = await post(list, { Code: 'BOTH', Percent: '10', Amount: '5', Currency: 'EUR' })
      t.match(textOf(both.body), 'Percent off must not be given with an amount')
      t.same(await all(), [])
    },
  )

  t.test('needs a code that no other promotion has', async (t) => {
    const { make, post } = await makePromotions(t)
    await make()
    const refused = await post(list, { Code: 'spring', Percent: '20' })
    t.equal(refused.statusCode, 409)
    t.match(refused.body, 'id="field-Code-about">Code is already used by another promotion')
  })

  t.test('is not made for a product of another account', async (t) => {
    const { post, all, sql } = await makePromotions(t)
    const elsewhere = await makeCaller(sql, { slug: 'elsewhere' })
    const theirs = await makeProduct(sql, elsewhere.accountId)
    const refused = await post(list, { Code: 'FOREIGN', Percent: '20', ProductIDs: String(theirs.id) })
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Only for these products is not a product of this account')
    t.same(await all(), [])
  })

  t.test('is changed by its form, and an emptied field no longer limits it', async (t) => {
    const { make, save, all, get, kayak } = await makePromotions(t)
    const { path } = await make({ ProductIDs: [kayak.id], MaxUses: 5, SaleFrom: '2030-05-01' })
    t.match((await get(path)).body, 'name="MaxUses" value="5"')
    const changed = await save(path, { Percent: '', Amount: '7,50', Currency: 'eur', MaxUses: '' })
    t.equal(changed.headers.location, `${list}?done=saved`)
    t.match(await all(), [
      { Percent: null, Amount: '7.50', Currency: 'EUR', ProductIDs: null, MaxUses: null, SaleFrom: null },
    ])
    const nothing = await save(path, { Percent: '', Amount: '' })
    t.equal(nothing.statusCode, 422)
    t.match(textOf(nothing.body), 'Percent off or “Amount off” is needed')
  })

  t.test('that was changed meanwhile is not overwritten; its use by a sale is not a change', async (t) => {
    const { make, post, call, get, all, kayak } = await makePromotions(t)
    const { id, path } = await make()
    const Version = hidden((await get(path)).body, 'Version')
    const line = { ActivityID: kayak.activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const basket = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
    await call('PUT', `/baskets/${basket.data.BasketID}/promotion`, { Code: 'SPRING' })
    t.equal((await post(path, { Percent: '11', Version })).statusCode, 303)
    await call('PATCH', `/promotions/${id}`, { Percent: '30' })
    const refused = await post(path, { Percent: '12', Version })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'Percent off is now “30”')
    t.match(await all(), [{ Percent: '30' }])
  })

  t.test('is ended, and begun again, by a button', async (t) => {
    const { make, post, all, show } = await makePromotions(t)
    const { path } = await make({ MaxUses: 5 })
    const ended = await post(`${path}/active`, { Active: 'false' })
    t.equal(ended.headers.location, `${list}?done=promotion-ended`)
    t.match(await show(), /0 of 5 ended Begin again/)
    t.match(await all(), [{ Active: false, MaxUses: 5, Percent: '10' }])
    await post(`${path}/active`, { Active: 'true' })
    t.match(await all(), [{ Active: true }])
  })
})

t.test('the fields of an amount off are folded unless the promotion has an amount', async (t) => {
  const { get, post, make } = await makePromotions(t)
  const isOpen = (body: string) => /<details class="fold" open>/.test(body)
  t.notOk(isOpen((await get(`${list}/new`)).body), 'folded for a new promotion')
  t.notOk(isOpen((await get((await make()).path)).body), 'folded for a percentage')
  const { path } = await make({ Code: 'FIFTEEN', Percent: undefined, Amount: '15', Currency: 'EUR' })
  t.ok(isOpen((await get(path)).body), 'open for an amount')
  const refused = await post(list, { Code: 'SIXTEEN', Amount: 'much', Currency: 'EUR' })
  t.ok(isOpen(refused.body), 'open if the amount is wrong')
})
