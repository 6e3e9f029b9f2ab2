/**
 * The step of a sale that asks who travels: every way to the payment leads through it, and it keeps what was
 * typed.
 */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

/** A sale of two places, without a customer yet. A required question asks for the height of each guest. */
async function makeSale(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 20 } })
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${id}, 1, 'Height', 'text', true, '{}', 'participant') returning id`
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  await call('POST', '/promotions', { Code: 'TEN', Percent: '10' })
  const { get, post } = await signIn('staff')
  const path = `/dashboard/sell/${data.BasketID}`
  const statuses = async () => (await sql`select status from bookings`).map(({ status }) => status)
  return {
    ...dashboard,
    basketId: data.BasketID,
    get,
    post,
    path,
    statuses,
    questionId: question!.id,
    height: `Answer-${question!.id}`,
  }
}

const payment = { Method: 'cash', Due: '90.00' }

t.test('a sale without a required answer asks for it before the payment', async (t) => {
  const { get, post, path, height, questionId, statuses, sql } = await makeSale(t)
  const asked = `${path}?Next=pay`
  t.equal((await get(`${path}/pay`)).headers.location, asked, 'opened directly')
  t.equal((await get(`${path}/pay?Nameless=true`)).headers.location, asked)
  t.equal((await post(`${path}/pay`, payment)).headers.location, asked, 'from a page that was open before')
  const reduction = { 'Reduction.Percent': '10', 'Reduction.Reason': 'Late start' }
  t.equal((await post(`${path}/pay/reduction`, reduction)).headers.location, asked)
  t.match(textOf((await get(asked)).body), 'To pay: €81.00', 'the reduction is kept meanwhile')
  await post(`${path}/pay/reduction/remove`)
  t.same(await statuses(), ['held'], 'nothing is sold')
  const { body } = await get(asked)
  t.match(textOf(body), 'This is asked before the payment: Name (optional) Height')
  t.match(body, `<a href="#field-${height}">Height</a>`, 'with a link to the field')
  t.notMatch(body, /role="alert"|Has to be answered|aria-invalid/, 'it does not look like an error yet')
  const refused = await post(`${path}/customer`, { 'Customer.FirstName': 'Grace' })
  t.equal(refused.statusCode, 422)
  t.match(refused.body, `id="field-${height}-about">Has to be answered`, 'an error once it was sent')
  t.match(textOf(refused.body), 'Height (Participant 1) Height (Participant 2)', 'one for each guest')
  t.match(refused.body, /value="Grace"/, 'what was typed is kept')
  const named = { 'Customer.FirstName': 'Grace', [height]: ['1,80', '1,70'] }
  t.equal((await post(`${path}/customer`, named)).headers.location, `${path}/pay`)
  const answers = [{ QuestionID: questionId, Value: ['1,80', '1,70'] }]
  t.same(await sql`select answers from bookings`, [{ answers }])
  t.match((await get(path)).body, 'value="1,70"', 'the page shows the answers to a user who comes back')
  t.match(textOf((await get(`${path}/pay`)).body), 'Take €90.00')
  t.equal((await post(`${path}/pay`, payment)).headers.location, path)
  t.same(await statuses(), ['confirmed'])
})

t.test(
  'a required answer that one guest of a party lacks is named with the question and the guest',
  async (t) => {
    const { post, path, height } = await makeSale(t)
    const { statusCode, body } = await post(`${path}/customer`, {
      'Customer.FirstName': 'Grace',
      [height]: ['1,80', ''],
    })
    t.equal(statusCode, 422)
    t.match(body, `<a href="#field-${height}-p2">Height (Participant 2)</a>`)
    t.match(body, `id="field-${height}-p2-about">Has to be answered<`, 'beside the empty field')
    t.equal(body.match(/aria-invalid/g)?.length, 1)
  },
)

t.test('questions to each guest are grouped by guest, in the language of the user', async (t) => {
  const { get, path, sql } = await makeSale(t)
  await sql`update users set locale = 'pt-PT'`
  const { body } = await get(path)
  t.match(textOf(body), 'Participante 1 Height (obrigatório) Participante 2 Height (obrigatório)')
})

t.test('a sale shows the time until which its places are held, and how long that is', async (t) => {
  const { sql, get, path } = await makeSale(t)
  // The account gets a time zone in which it is about noon, so that the hold ends on the same day.
  const west = new Date().getUTCHours() - 12
  await sql`update accounts set time_zone = ${`Etc/GMT${west < 0 ? west : `+${west}`}`}`
  t.match(textOf((await get(path)).body), /Held until \d+:\d\d , \d+ min left: nobody else/)
})

t.test('a name is asked for before the payment, and may be left empty', async (t) => {
  const { get, post, path, height } = await makeSale(t)
  const sent = await post(`${path}/customer`, { [height]: ['1,80', '1,70'] })
  t.equal(sent.headers.location, `${path}/pay?Nameless=true`)
  t.match(textOf((await get(sent.headers.location!)).body), 'No name yet')
  t.equal((await get(`${path}/pay`)).headers.location, `${path}?Next=pay`)
  t.match(textOf((await get(`${path}?Next=pay`)).body), 'Name (optional)')
})

t.test('a sale that has expired without its required answers is not completed', async (t) => {
  const { get, post, path, sql, statuses } = await makeSale(t)
  await sql`update baskets set expires_at = now() - interval '1 minute'`
  const sent = await post(`${path}/pay`, payment)
  t.equal(sent.headers.location, `${path}?Next=pay`)
  t.notMatch(await statuses(), ['confirmed'])
  t.ok((await get(sent.headers.location!)).statusCode === 200)
})

t.test('a promotion code and a longer hold keep the customer and the answers that were typed', async (t) => {
  const { get, post, path, height } = await makeSale(t)
  const typed = (name: string) => ({
    Described: 'true',
    'Customer.FirstName': name,
    [height]: ['1,80', ''],
  })
  const shows = async (name: string) => {
    const { body } = await get(path)
    t.match(body, `value="${name}"`)
    t.match(body, 'value="1,80"')
  }
  t.equal((await post(`${path}/promotion`, { ...typed('Ada'), Code: 'TEN' })).statusCode, 303)
  await shows('Ada')
  t.match(textOf((await get(path)).body), 'The code TEN takes off €9.00')
  t.equal((await post(`${path}/promotion/remove`, typed('Bo'))).statusCode, 303)
  await shows('Bo')
  t.equal((await post(`${path}/extend`, typed('Cy'))).headers.location, `${path}?done=held-longer`)
  await shows('Cy')
  // From the list of held sales, which has none of these fields.
  await post(`${path}/extend`, { Back: 'held' })
  await shows('Cy')
})

t.test('a code that cannot be used says why, and what was typed stays in its fields', async (t) => {
  const { post, path, height } = await makeSale(t)
  const fields = { Described: 'true', 'Customer.FirstName': 'Ada', [height]: ['1,80', ''], Code: 'WINTER' }
  const refused = await post(`${path}/promotion`, fields)
  t.equal(refused.statusCode, 409)
  for (const text of ['value="Ada"', 'value="1,80"', 'name="Code" value="WINTER"'])
    t.match(refused.body, text)
  const beside = 'id="field-Code-about">Promotion code is not one of your promotions: check its spelling<'
  t.match(refused.body, beside, 'beside the field')
  t.match(textOf(refused.body), 'send it again: Promotion code Continue to payment', 'named at the top')
  const wrong = await post(`${path}/promotion`, { ...fields, Code: '?' })
  t.equal(wrong.statusCode, 422)
  t.match(textOf(wrong.body), 'Promotion code must be 3 to 40 letters')
})

t.test('a typed code is applied when the user continues to the payment without applying it', async (t) => {
  const { get, post, path, height } = await makeSale(t)
  const fields = { 'Customer.FirstName': 'Ada', [height]: ['1,80', '1,70'], Code: 'ten' }
  t.equal((await post(`${path}/customer`, fields)).headers.location, `${path}/pay`)
  t.match(textOf((await get(`${path}/pay`)).body), /The code TEN takes off €9.00. .* Take €81.00/)
})

t.test('errors name the fields by their labels, and say what to type', async (t) => {
  const { post, path, height } = await makeSale(t)
  const wrong = { 'Customer.Phone': '12', 'Customer.Email': 'nobody', [height]: ['1,80', '1,70'] }
  const { statusCode, body } = await post(`${path}/customer`, wrong)
  t.equal(statusCode, 422)
  t.match(textOf(body), /Phone (needs \+|is not a number of)/)
  t.match(textOf(body), 'and the country code, for example +351 912 345 678')
  t.match(textOf(body), /E-mail address must/)
  t.notMatch(textOf(body), 'Customer.')
})

t.test('one response names the errors in the customer’s fields and each missing answer', async (t) => {
  const { post, path, height, sql } = await makeSale(t)
  const fields = { 'Customer.FirstName': 'Ada', 'Customer.Email': 'nobody', [height]: ['1,80', ''] }
  const { statusCode, body } = await post(`${path}/customer`, fields)
  t.equal(statusCode, 422)
  t.match(textOf(body), /E-mail address must.* Has to be answered/)
  t.match(body, 'value="1,80"')
  t.match(await sql`select first_name from bookings`, [{ first_name: null }], 'nothing is written')
  t.match(
    body,
    /<form [^>]*action="[^"]*\/customer"[^>]* novalidate/,
    'the browser does not stop at the first wrong field',
  )
  const elsewhere = await post(`${path}/customer`, { ...fields, Next: 'add' })
  t.match(textOf(elsewhere.body), 'E-mail address must')
  t.notMatch(textOf(elsewhere.body), 'Has to be answered', 'an answer can come later')
})

t.test('“Hold for longer” beside the payment leads back to the payment', async (t) => {
  const { post, path } = await makeSale(t)
  const sent = await post(`${path}/extend`, { Back: 'pay' })
  t.equal(sent.headers.location, `${path}/pay?Nameless=true&done=held-longer`)
})

t.test('the API completes a sale without required answers: the caller must collect them', async (t) => {
  const { call, basketId, statuses } = await makeSale(t)
  t.equal((await call('POST', `/baskets/${basketId}/pay`, { Method: 'cash' })).data.Status, 'completed')
  t.same(await statuses(), ['confirmed'])
})

t.test('fields that are saved when a page is left do not overwrite later changes', async (t) => {
  const { get, post, path, height, statuses, sql } = await makeSale(t)
  const { body } = await get(path)
  const shown = /name="Shown" value="([^"]+)"/.exec(body)![1]!
  const name = async () => (await sql`select first_name as name from bookings`)[0]!.name
  const keep = (first: string, Shown: string) => post(`${path}/keep`, { 'Customer.FirstName': first, Shown })
  t.equal((await keep('Ann', shown)).statusCode, 204)
  t.equal(await name(), 'Ann')
  t.equal((await keep('Eve', shown)).statusCode, 204)
  t.equal(await name(), 'Ann', 'the page is older than the name')
  await post(`${path}/customer`, { 'Customer.FirstName': 'Bob', [height]: ['1,80', '1,70'] })
  const latest = /name="Shown" value="([^"]+)"/.exec((await get(path)).body)![1]!
  await post(`${path}/pay`, payment)
  t.same(await statuses(), ['confirmed'])
  await keep('Eve', latest)
  t.equal(await name(), 'Bob', 'a sold booking does not change')
})

t.test('a payment for a completed sale takes nothing, and leads to the sale, which says so', async (t) => {
  const { get, post, path, height, statuses } = await makeSale(t)
  await post(`${path}/customer`, { 'Customer.FirstName': 'Grace', [height]: ['1,80', '1,70'] })
  t.equal((await post(`${path}/pay`, payment)).headers.location, path)
  const again = await post(`${path}/pay`, payment)
  t.equal(again.statusCode, 303)
  const sold = textOf((await get(again.headers.location!)).body)
  t.match(sold, 'Nothing was taken: this sale was already completed')
  t.match(sold, /Paid.*€90\.00/)
  t.notMatch(sold, 'Take €90.00')
  t.same(await statuses(), ['confirmed'])
})

t.test('a payment for released places takes nothing, and says so', async (t) => {
  const { get, post, path, height, statuses } = await makeSale(t)
  await post(`${path}/customer`, { 'Customer.FirstName': 'Grace', [height]: ['1,80', '1,70'] })
  await post(`${path}/release`)
  const late = await post(`${path}/pay`, payment)
  t.equal(late.statusCode, 303)
  const text = textOf((await get(late.headers.location!)).body)
  t.match(text, 'Nothing was taken: the places of this sale were already released.')
  t.same(await statuses(), ['cancelled'])
})
