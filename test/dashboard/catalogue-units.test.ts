/** The forms of units, of the rules for bookings of a product, and of the prices of a timeslot or schedule. */
import t, { type Test } from 'tap'
import { adult, child } from '../catalogue/units/fixtures.ts'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

/** Makes a product with these units, by default adults and children, and signs in staff. */
async function makeCatalogue(t: Test, Units: object[] = [adult, child]) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 8 } })
  const product = `/products/${id}`
  const { data } = await call('PUT', `${product}/units`, { Units })
  const [first, second] = data.map(({ UnitID }: { UnitID: number }) => UnitID) as number[]
  const { get, post } = await signIn('staff')
  const path = `/dashboard/catalogue/${id}`
  const show = async (page = '') => textOf((await get(path + page)).body)
  /** Sends a form to `page`, with the version that `seenOn` shows. */
  const save = async (page: string, fields: Record<string, string | string[]>, seenOn = page) => {
    const { body } = await get(path + seenOn)
    const Version = hidden(body, 'Version')
    return post(path + page, { Version, ...fields })
  }
  const units = async () => (await call('GET', `${product}/units`)).data
  const form = { Name: 'Senior', Type: 'SENIOR', 'Price.Amount': '30', Default: 'false' }
  return { ...dashboard, id, activityId, product, first, second, get, post, path, show, save, units, form }
}

t.test('the units of a product', async (t) => {
  t.test('are listed in their order with price, ages and rules, and the default is marked', async (t) => {
    const { show } = await makeCatalogue(t)
    t.match(
      await show(),
      /Units Adult , €45.00 default .* Child \(4–11\) , €20.00 At most 6, only with Adult/,
    )
  })

  t.test('are added, changed and removed', async (t) => {
    const { save, units, form, first, second } = await makeCatalogue(t)
    const added = await save('/units/new', {
      ...form,
      'Price.Amount': '30,50',
      MinAge: '65',
      AccompaniedBy: [String(first)],
    })
    t.equal(added.statusCode, 303)
    t.match((await units())[2], {
      Name: 'Senior',
      Price: { Amount: '30.50' },
      MinAge: 65,
      MaxAge: null,
      AccompaniedBy: [first],
    })
    const changed = { Name: 'Kid', Type: 'CHILD', 'Price.Amount': '21.00', MaxQuantity: '', Default: 'false' }
    t.equal((await save(`/units/${second}`, changed)).statusCode, 303)
    t.match((await units())[1], {
      UnitID: second,
      Name: 'Kid',
      MaxQuantity: null,
      MinAge: null,
      AccompaniedBy: [],
    })
    t.equal((await save(`/units/${second}/place`, { Do: 'remove' }, `/units/${second}`)).statusCode, 303)
    t.same(
      (await units()).map(({ Name }: { Name: string }) => Name),
      ['Adult', 'Senior'],
    )
  })

  t.test('that are removed lose the net prices that partners pay, and the page says so', async (t) => {
    const { save, call, show, id, path, second } = await makeCatalogue(t)
    const [viator] = (await call('GET', '/partners')).data as { ID: number }[]
    const NetPrices = [0, second].map((UnitID) => ({ UnitID, Amount: '15.00' }))
    await call('PUT', `/partners/${viator!.ID}/terms`, { Terms: [{ ProductID: id, NetPrices }] })
    const removed = await save(`/units/${second}/place`, { Do: 'remove' }, `/units/${second}`)
    t.equal(removed.headers.location, `${path}?done=unit-net-prices&count=1#units`)
    t.match(
      await show('?done=unit-net-prices&count=1'),
      '1 partner had a net price for a unit that is no longer',
    )
    const { data } = await call('GET', `/partners/${viator!.ID}/terms`)
    t.same(data, [{ ProductID: id, NetPrices: [{ UnitID: 0, Amount: '15.00' }] }])
  })

  t.test('are put in another order', async (t) => {
    const { save, units, second } = await makeCatalogue(t)
    t.equal((await save(`/units/${second}/place`, { Do: 'up' }, `/units/${second}`)).statusCode, 303)
    t.same(
      (await units()).map(({ Name }: { Name: string }) => Name),
      ['Child', 'Adult'],
    )
  })

  t.test('have one default: ticking another replaces it, and its price is that of the product', async (t) => {
    const { save, units, form, call, product } = await makeCatalogue(t)
    t.equal((await save('/units/new', { ...form, Default: 'true' })).statusCode, 303)
    t.same(
      (await units()).map(({ Default }: { Default: boolean }) => Default),
      [false, false, true],
    )
    t.match((await call('GET', product)).data.Price, { Amount: '30.00' })
  })

  t.test('that break a rule are refused, and each invalid field is named by its label', async (t) => {
    const { save, units, form, first } = await makeCatalogue(t)
    const refused = await save('/units/new', { ...form, Name: 'adult', MinAge: '70', MaxAge: '65' })
    t.equal(refused.statusCode, 422)
    const text = textOf(refused.body)
    t.match(text, 'Name is already used by another unit (upper and lower case count as the same)')
    t.match(text, 'Youngest age must not be more than “Oldest age”, 65')
    t.match(refused.body, 'value="70"', 'what was typed is kept')
    const other = await save(`/units/${first}`, { ...form, Name: 'Adult' })
    t.match(textOf(other.body), 'Default unit cannot be cleared here: make another unit the default unit')
    t.equal((await units()).length, 2)
  })

  t.test('that accompany other units cannot be removed while they do so', async (t) => {
    const { save, units, form, second, first, get, path } = await makeCatalogue(t)
    t.match((await get(path)).body, 'aria-label="Remove: Child"')
    await save('/units/new', { ...form, AccompaniedBy: [String(second)] })
    t.notMatch((await get(path)).body, 'aria-label="Remove: Child"', 'the button is not offered')
    const refused = await save(`/units/${second}/place`, { Do: 'remove' }, `/units/${second}`)
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), 'Child cannot be removed while it accompanies Senior')
    t.equal((await units())[0].UnitID, first)
  })

  t.test('that were changed meanwhile are not overwritten', async (t) => {
    const { save, units, call, product, first, get, path, post, form } = await makeCatalogue(t)
    const { body } = await get(`${path}/units/${first}`)
    const Version = hidden(body, 'Version')
    await call('PUT', `${product}/units`, { Units: [{ ...adult, UnitID: first, Name: 'Grown-up' }] })
    const refused = await post(`${path}/units/${first}`, { ...form, Name: 'Adult', Default: 'true', Version })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'is now “Grown-up”')
    t.equal((await units())[0].Name, 'Grown-up')
    t.equal((await save(`/units/${first}`, { ...form, Default: 'true' })).statusCode, 303)
  })

  t.test(
    'whose companions were changed meanwhile are not overwritten, and the new companions are named',
    async (t) => {
      const { units, call, product, first, second, get, path, post, form } = await makeCatalogue(t)
      const Version = hidden((await get(`${path}/units/${first}`)).body, 'Version')
      const [one, other] = await units()
      const changed = { ...one, Price: { ...one.Price }, AccompaniedBy: [second] }
      const answer = await call('PUT', `${product}/units`, { Units: [changed, other] })
      t.equal(answer.status, 200)
      const refused = await post(`${path}/units/${first}`, {
        ...form,
        Name: one.Name,
        Default: 'true',
        Version,
      })
      t.equal(refused.statusCode, 409)
      t.match(textOf(refused.body), 'is now “Child”')
    },
  )

  t.test('cannot be moved or removed before they are saved', async (t) => {
    const { save, units } = await makeCatalogue(t)
    const before = await units()
    for (const Do of ['up', 'down', 'remove'])
      t.equal((await save('/units/new/place', { Do }, '/units/new')).statusCode, 400)
    t.same(await units(), before)
  })
})

t.test(
  'the page describes the rules of a product, and names errors in them by the labels of its form',
  async (t) => {
    const { get, show, post, path, call, product } = await makeCatalogue(t, [])
    const { body } = await get(path)
    t.match(await show(), 'This product has one price for each place')
    const Version = hidden(body, 'Version')
    const form = {
      ...{ Version, Name: 'Boat', DurationMinutes: '60', 'Price.Amount': '450', 'Price.Currency': 'EUR' },
      ...{ TimeZone: 'Europe/Lisbon', CancelCutoffMinutes: '0', InShopfront: 'true' },
    }
    const rules = { MinPlaces: '1', MaxPlaces: '8', PricedPer: 'booking', TakesTimeslot: 'true' }
    const wrong = await post(path, { ...form, ...rules, MinPlaces: '9', PricedPer: 'person' })
    t.equal(wrong.statusCode, 422)
    t.match(
      textOf(wrong.body),
      'Fewest places of a booking must not be more than “Most places of a booking”, 8',
    )
    t.match(
      textOf(wrong.body),
      'A booking takes the whole timeslot is possible only with a price for the whole booking',
    )
    t.equal((await post(path, { ...form, ...rules })).statusCode, 303)
    t.match((await call('GET', product)).data, { MaxPlaces: 8, PricedPer: 'booking', TakesTimeslot: true })
    t.match(await show(), 'The price of this product is for the whole booking, so it has no units.')
  },
)

t.test('own prices', async (t) => {
  t.test('of a timeslot are changed for each unit, and apply to the next sale', async (t) => {
    const { sql, get, post, first, second, activityId, call } = await makeCatalogue(t)
    const [slot] = await sql<{ id: number }[]>`select id from timeslots`
    const path = `/dashboard/calendar/timeslots/${slot!.id}`
    const wrong = await post(`${path}/prices`, { [`Price-${first}`]: 'dear', [`Price-${second}`]: '' })
    t.equal(wrong.statusCode, 422)
    t.match(wrong.body, `id="field-Price-${first}-about">Adult must be a decimal amount`)
    const changed = await post(`${path}/prices`, { [`Price-${first}`]: '55,50', [`Price-${second}`]: '' })
    t.equal(changed.headers.location, `${path}?done=prices`)
    t.match(textOf((await get(path)).body), 'Adult €55.50, Child €20.00.')
    const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 2 }
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
    t.match(data.Total, { Amount: '111.00' })
    await post(`${path}/prices`, { [`Price-${first}`]: '', [`Price-${second}`]: '' })
    t.match(textOf((await get(path)).body), 'Adult €45.00, Child €20.00.')
  })

  t.test(
    'of a schedule are saved with it, stay when its form is saved unchanged, and an invalid price is refused',
    async (t) => {
      const { post, path, call, product, first, second, get } = await makeCatalogue(t)
      const season = {
        From: '2030-07-01',
        To: '2030-07-31',
        Weekdays: 'Mon',
        Times: '10:00',
        Capacity: '8',
        'ClosedDates[0]': '',
      }
      const saved = await post(`${path}/schedules/new`, { ...season, [`Price-${second}`]: '25' })
      t.equal(saved.statusCode, 200)
      const [schedule] = (await call('GET', `${product}/schedules`)).data
      t.match(schedule.UnitPrices, [{ UnitID: second, Amount: '25.00' }])
      const { body } = await get(`${path}/schedules/${schedule.ID}`)
      const priceOf = (unit?: number) => new RegExp(`name="Price-${unit}" value="([^"]*)"`).exec(body)![1]!
      t.equal(priceOf(second), '25.00')
      const unchanged = await post(`${path}/schedules/${schedule.ID}`, {
        ...{ ...season, Version: hidden(body, 'Version') },
        ...{ [`Price-${first}`]: priceOf(first), [`Price-${second}`]: priceOf(second) },
      })
      t.equal(unchanged.statusCode, 200)
      t.same((await call('GET', `${product}/schedules`)).data[0].UnitPrices, schedule.UnitPrices)
      const wrong = await post(`${path}/schedules/new`, { ...season, [`Price-${second}`]: '-1' })
      t.match(wrong.body, `<a href="#field-Price-${second}">Child</a>`)
    },
  )
})
