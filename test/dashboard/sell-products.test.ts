/** Sales of several products at the till, and the form that chooses the product and timeslot of each. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

/** A kayak and a canoe to sell; the canoe asks whether everybody can swim. */
async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const slots = { [`${day} 10:00`]: 4, [`${day} 12:00`]: 8 }
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak', slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${canoe.id}, 1, 'Can you all swim?', 'text', true, '{}', 'booking') returning id`
  const { get, post } = await signIn('staff')
  /** The fields of the form that shows a product's timeslots. */
  const choice = ({ id, activityId }: typeof kayak, time = '10:00') => ({
    ProductID: String(id),
    From: day,
    ActivityID: activityId,
    Slot: `${day}T${time}`,
    Participants: '2',
  })
  const held = async () =>
    (await call('GET', '/timeslots')).data.reduce((sum: number, { Held }: { Held: number }) => sum + Held, 0)
  const answer = `Answer-${question!.id}`
  return { ...dashboard, get, post, kayak, canoe, choice, held, answer }
}

t.test(
  'if another product is selected without “Show”, nothing is sold, and that product’s timeslots are shown',
  async (t) => {
    const { get, post, kayak, canoe, choice, held } = await makeSalesDesk(t)
    const sent = await post('/dashboard/sell', { ...choice(kayak), ProductID: String(canoe.id) })
    const shown = `/dashboard/sell?ProductID=${canoe.id}&From=${day}`
    t.equal(sent.headers.location, `${shown}&Participants=2&done=choose-timeslot`)
    t.equal(await held(), 0)
    const { body } = await get(sent.headers.location!)
    t.match(textOf(body), /Nothing is held yet.*Timeslot of Canoe/)
    t.match(body, canoe.activityId)
    t.notMatch(body, kayak.activityId)
    const gone = await post('/dashboard/sell', { ...choice(kayak), ProductID: '999999' })
    t.match(gone.headers.location, 'choose-timeslot', 'a product that no longer exists is not sold either')
    t.equal(await held(), 0)
  },
)

t.test('a new sale asks for the product first, unless the link names one or there is only one', async (t) => {
  const { get, post, kayak, choice, held } = await makeSalesDesk(t)
  const begun = await get('/dashboard/sell')
  t.match(begun.body, '<option value="" selected>Choose a product</option>')
  t.match(textOf(begun.body), 'Next on sale')
  t.notMatch(begun.body, 'name="Slot"')
  const unchosen = await post('/dashboard/sell', { ProductID: '', From: day })
  t.equal(unchosen.statusCode, 422)
  t.match(unchosen.body, 'id="field-ProductID-about">Product has to be chosen<')
  t.equal(await held(), 0)
  const shown = await post('/dashboard/sell', { ProductID: '', From: '2030-06-01', Do: 'show' })
  t.equal(shown.headers.location, '/dashboard/sell?From=2030-06-01')
  t.match(textOf((await get(`/dashboard/sell?ProductID=${kayak.id}&From=${day}`)).body), 'Timeslot of Kayak')
  t.match((await post('/dashboard/sell', choice(kayak))).headers.location, /sell\/\d+$/)
  const other = await makeDashboard(t)
  await makeProduct(other.sql, other.accountId, { name: 'Surfboard', slots: { [`${day} 10:00`]: 4 } })
  const alone = await (await other.signIn('staff')).get(`/dashboard/sell?From=${day}`)
  t.match(textOf(alone.body), 'Timeslot of Surfboard', 'the only product')
})

t.test('“Show” shows the timeslots of a product from a day on, and sells nothing', async (t) => {
  const { post, kayak, canoe, choice, held } = await makeSalesDesk(t)
  const form = { ...choice(kayak), ProductID: String(canoe.id), From: '2030-06-01', Do: 'show' }
  const sent = await post('/dashboard/sell', form)
  t.equal(sent.headers.location, `/dashboard/sell?ProductID=${canoe.id}&From=2030-06-01&Participants=2`)
  t.equal(await held(), 0)
})

t.test('if a product has many timeslots, the page shows whole days, and links to later ones', async (t) => {
  const { sql, accountId, get } = await makeSalesDesk(t)
  const times = Array.from({ length: 10 }, (_, n) => `${String(n + 9).padStart(2, '0')}:00`)
  const days = [day, '2030-06-16', '2030-06-17']
  const slots = Object.fromEntries(days.flatMap((date) => times.map((time) => [`${date} ${time}`, 4])))
  const { id } = await makeProduct(sql, accountId, { name: 'Ferry', slots })
  const { body } = await get(`/dashboard/sell?ProductID=${id}&From=${day}`)
  t.match(body, 'value="2030-06-16T18:00"')
  t.notMatch(body, 'value="2030-06-17')
  t.match(
    body,
    new RegExp(`href="/dashboard/sell\\?ProductID=${id}&amp;From=2030-06-17[^"]*">Later timeslots`),
  )
  const preselected = await get(`/dashboard/sell?ProductID=${id}&From=${day}&Slot=2030-06-17T11:00`)
  t.match(preselected.body, /value="2030-06-17T11:00"[^>]* checked/)
})

t.test('two products are sold in one basket, with one customer and their own answers', async (t) => {
  const { sql, get, post, kayak, canoe, choice, answer, call } = await makeSalesDesk(t)
  const { location } = (await post('/dashboard/sell', choice(canoe))).headers
  const customer = { 'Customer.FirstName': 'Bo', 'Customer.Email': 'bo@example.com' }
  // A product can be added before the required questions are answered.
  const saved = await post(`${location}/customer`, { ...customer, Next: 'add' })
  t.equal(saved.headers.location, `${location}/add`)
  const { body } = await get(`${location}/add`)
  t.match(textOf(body), /Already in this sale.*Canoe/)
  const added = await post(`${location}/add`, choice(kayak, '12:00'))
  t.equal(added.headers.location, location, textOf(added.body))
  const page = await get(location!)
  t.match(page.body, 'value="bo@example.com"')
  t.match(textOf(page.body), '€180.00')
  const refused = await post(`${location}/customer`, customer)
  t.match(refused.body, `<a href="#field-${answer}">Can you all swim? (Canoe, 10:00)</a>`)
  t.match(textOf(refused.body), 'Has to be answered')
  t.equal((await post(`${location}/customer`, { ...customer, [answer]: 'Yes' })).statusCode, 303)
  t.equal((await post(`${location}/pay`, { Method: 'cash', Due: '180.00' })).statusCode, 303)
  t.same(await sql`select status, first_name, answers from bookings order by id`, [
    {
      status: 'confirmed',
      first_name: 'Bo',
      answers: [{ QuestionID: Number(answer.slice(7)), Value: 'Yes' }],
    },
    { status: 'confirmed', first_name: 'Bo', answers: [] },
  ])
  const baskets = (await call('GET', '/baskets')).data
  t.equal(baskets.length, 1)
})

t.test('two lines of one product have answers of their own', async (t) => {
  const { sql, get, post, canoe, choice, answer } = await makeSalesDesk(t)
  const { location } = (await post('/dashboard/sell', choice(canoe))).headers
  t.equal((await post(`${location}/add`, choice(canoe, '12:00'))).statusCode, 303)
  const { body } = await get(location!)
  t.match(body, `name="${answer}"`)
  t.match(body, `name="${answer}-2"`)
  const half = await post(`${location}/customer`, { [answer]: 'Yes' })
  t.match(half.body, `#field-${answer}-2`)
  t.equal(
    (await post(`${location}/customer`, { [answer]: 'Yes', [`${answer}-2`]: 'One cannot' })).statusCode,
    303,
  )
  const rows = await sql<{ answers: { Value: string }[] }[]>`select answers from bookings order by id`
  t.same(
    rows.map(({ answers }) => answers.map(({ Value }) => Value)),
    [['Yes'], ['One cannot']],
  )
  t.match((await get(location!)).body, /value="One cannot"/)
})

t.test('a promotion code and a reduction reduce the price of every product of the sale', async (t) => {
  const { get, post, kayak, canoe, choice, call, answer } = await makeSalesDesk(t)
  await call('POST', '/promotions', { Code: 'TEN', Percent: '10' })
  const { location } = (await post('/dashboard/sell', choice(kayak))).headers
  t.equal((await post(`${location}/promotion`, { Code: 'TEN' })).statusCode, 303)
  await post(`${location}/add`, choice(canoe))
  await post(`${location}/customer`, { 'Customer.FirstName': 'Bo', [answer]: 'Yes' })
  t.match(textOf((await get(`${location}/pay`)).body), /The code TEN takes off €18.00. .* Take €162.00/)
  const reduction = { Method: 'cash', 'Reduction.Percent': '50', 'Reduction.Reason': 'Late start' }
  t.equal((await post(`${location}/pay`, { ...reduction, Due: '81.00' })).statusCode, 303)
  const { data } = await call('GET', '/baskets')
  t.match(data[0], { Status: 'completed', Total: { Amount: '81.00' } })
  t.same(
    data[0].Lines.map(({ Total }: { Total: { Amount: string } }) => Total.Amount),
    ['40.50', '40.50'],
  )
})

t.test('a line is removed from a sale, and its places are free again', async (t) => {
  const { get, post, kayak, canoe, choice, call, held } = await makeSalesDesk(t)
  const { location } = (await post('/dashboard/sell', choice(kayak))).headers
  t.notMatch((await get(location!)).body, '>Remove<', 'the only line cannot be removed')
  await post(`${location}/add`, choice(canoe))
  const [basket] = (await call('GET', '/baskets')).data
  const reference = basket.Lines[0].BookingReference
  t.match((await get(location!)).body, `${location}/lines/${reference}/remove`)
  const sent = await post(`${location}/lines/${reference}/remove`)
  t.equal(sent.headers.location, `${location}?done=line-removed`)
  t.equal(await held(), 2)
  t.notMatch(textOf((await get(location!)).body), 'Kayak')
})

t.test('nothing can be added to a released sale, and its page says so', async (t) => {
  const { get, post, kayak, choice, held } = await makeSalesDesk(t)
  const { location } = (await post('/dashboard/sell', choice(kayak))).headers
  await post(`${location}/release`)
  t.equal((await get(`${location}/add`)).headers.location, `${location}?done=sale-not-changed`)
  const late = await post(`${location}/add`, choice(kayak))
  t.equal(late.headers.location, `${location}?done=sale-not-changed`)
  t.equal(await held(), 0)
})
