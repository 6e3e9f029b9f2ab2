/** A sale with several lines at the till: its pages, and the form of its customer and answers. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

/** A kayak and a canoe to sell; the canoe asks for a height, once for each booking. */
async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const slots = { '2030-06-15 10:00': 20, '2030-06-15 12:00': 20 }
  const kayak = await makeProduct(sql, accountId, { slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${canoe.id}, 1, 'Height', 'text', true, '{}', 'booking') returning id`
  const { get, post } = await signIn('staff')
  const hold = async (count = 2) => {
    const Lines = Array.from({ length: count }, (_, n) => ({
      ActivityID: (n % 2 === 0 ? kayak : canoe).activityId,
      Date: '2030-06-15',
      Time: n < 2 ? '10:00' : '12:00',
      Participants: 1,
    }))
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines })
    return `/dashboard/sell/${data.BasketID}`
  }
  const height = `Answer-${question!.id}`
  /** An answer for each of five canoes. */
  const heights = Object.fromEntries(['', '-2', '-3', '-4', '-5'].map((nth) => [`${height}${nth}`, '1,80']))
  return { ...dashboard, get, post, hold, height, heights, questionId: question!.id }
}

t.test('a required answer that the second line lacks is named, and no line is changed', async (t) => {
  const { post, hold, height, sql } = await makeSalesDesk(t)
  const path = await hold()
  const half = await post(`${path}/customer`, { 'Customer.FirstName': 'Bo', [height]: '' })
  t.equal(half.statusCode, 422)
  t.match(half.body, `#field-${height}`)
  t.match(half.body, `<a href="#field-${height}">Height (Canoe, 10:00)</a>`)
  t.match(textOf(half.body), 'Has to be answered')
  t.same(await sql`select first_name, answers from bookings`, [
    { first_name: null, answers: [] },
    { first_name: null, answers: [] },
  ])
})

t.test('every line gets the customer and its own answers, and the page shows them again', async (t) => {
  const { get, post, hold, height, questionId, sql } = await makeSalesDesk(t)
  const path = await hold()
  const sent = await post(`${path}/customer`, { 'Customer.FirstName': 'Bo', [height]: '1,80' })
  t.equal(sent.headers.location, `${path}/pay`)
  t.same(await sql`select first_name, answers from bookings order by id`, [
    { first_name: 'Bo', answers: [] },
    { first_name: 'Bo', answers: [{ QuestionID: questionId, Value: '1,80' }] },
  ])
  const { body } = await get(path)
  t.match(body, 'value="Bo"')
  t.match(body, 'value="1,80"')
  await post(`${path}/pay`, { Method: 'cash' })
  t.match(textOf((await get(path)).body), /Kayak, .* 1 person, Bo .* Canoe, .* 1 person, Bo/)
})

t.test(
  'if the customer of the second line is erased, the form is refused and the first line stays as it was',
  async (t) => {
    const { post, hold, height, sql } = await makeSalesDesk(t)
    const path = await hold()
    await sql`update bookings set erasure_id = 1 where id = (select max(id) from bookings)`
    const refused = await post(`${path}/customer`, { 'Customer.FirstName': 'Bo', [height]: '1,80' })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), 'has been erased')
    t.same(await sql`select from bookings where first_name is not null`, [])
  },
)

t.test('the pages of a sale take as many queries for ten lines as for two', async (t) => {
  const { app, services, headers, get, post, hold, heights } = await makeSalesDesk(t)
  const [two, ten] = [await hold(2), await hold(10)]
  let queries = 0
  services.sql.options.debug = (_connection, text) => {
    // Counts only queries of the sale: keys and sessions are looked up again as time passes.
    if (/\b(baskets|bookings|events|timeslots|questions|payment_events)\b/.test(text)) queries++
  }
  const counting = async (act: () => Promise<{ statusCode: number }>, status = 200) => {
    queries = 0
    t.equal((await act()).statusCode, status)
    return queries
  }
  const count = async (path: string) => ({
    page: await counting(() => get(path)),
    customer: await counting(() => post(`${path}/customer`, { 'Customer.FirstName': 'Bo', ...heights }), 303),
    payment: await counting(() => get(`${path}/pay`)),
    api: await counting(() => {
      const url = path.replace('/dashboard/sell/', '/api/v2/operator/baskets/')
      return app.inject({ url, headers })
    }),
    paid: await counting(() => post(`${path}/pay`, { Method: 'cash' }), 303),
    sold: await counting(() => get(path)),
  })
  const ofTwo = await count(two)
  t.ok(Object.values(ofTwo).every((queries) => queries > 0))
  t.same(await count(ten), ofTwo)
})

t.test('the choice of another product begins with the day of the sale’s first line', async (t) => {
  const { get, hold } = await makeSalesDesk(t)
  const path = await hold(1)
  t.match((await get(`${path}/add`)).body, 'name="From" value="2030-06-15"')
  t.match((await get(`${path}/add?From=2030-06-20`)).body, 'name="From" value="2030-06-20"')
})
