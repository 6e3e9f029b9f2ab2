/** Amounts in forms that are shown again, for a user who chose Portuguese: "45,505" stays "45,505". */
import t, { type Test } from 'tap'
import { makeProduct } from '../../helper.ts'
import { hidden, makeDashboard, textOf } from '../fixtures.ts'

const day = '2030-06-15'

async function makeDesk(t: Test, currency = 'EUR') {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 8 } })
  await sql`update products set currency = ${currency}`
  const user = await signIn()
  await sql`update users set locale = 'pt-PT'`
  const hold = { ActivityID: activityId, Slot: `${day}T10:00`, Participants: '1' }
  const holdSale = async () => (await user.post('/dashboard/sell', hold)).headers.location!
  return { ...dashboard, ...user, id, activityId, holdSale }
}

t.test('an amount or a percentage that is refused is shown again as it was typed', async (t) => {
  const { get, post, call, id, activityId, holdSale } = await makeDesk(t)
  const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 1 }
  const { data } = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash', Amount: '20.00' } })
  const [sale, booking] = [await holdSale(), `/dashboard/bookings/${data.BookingReference}`]
  const unit = `/dashboard/catalogue/${id}/units/new`
  const Version = hidden((await get(unit)).body, 'Version')
  const forms: [path: string, name: string, others: Record<string, string>][] = [
    ['/dashboard/till', 'Float', { Currency: 'EUR' }],
    [`${sale}/pay`, 'Amount', { Method: 'cash', Part: 'true' }],
    [`${sale}/pay/reduction`, 'Reduction.Amount', { 'Reduction.Reason': 'x' }],
    [`${sale}/pay/reduction`, 'Reduction.Percent', { 'Reduction.Reason': 'x' }],
    [`${booking}/payments`, 'Amount', { Method: 'cash' }],
    [`${booking}/cancel`, 'Refund.Amount', { 'Refund.Choice': 'amount' }],
    ['/dashboard/promotions', 'Amount', { Code: 'SUN', Currency: 'EUR' }],
    ['/dashboard/promotions', 'Percent', { Code: 'SUN' }],
    [unit, 'Price.Amount', { Name: 'Adult', Type: 'ADULT', Version }],
    ['/dashboard/catalogue', 'Price.Amount', { Name: 'Dawn', 'Price.Currency': 'EUR' }],
    [`/dashboard/catalogue/${id}/refund-terms`, 'RefundTerms[0].Percent', { Version: 'old' }],
    ['/dashboard/calendar/closures', 'Refund.Percent', { Step: 'preview', 'Refund.Choice': 'percent' }],
  ]
  for (const [path, name, others] of forms) {
    const { statusCode, body } = await post(path, { ...others, [name]: '45,505' })
    t.ok(statusCode >= 400 && statusCode < 500, `${path} answers ${statusCode}`)
    const field = body.match(/<input[^>]*>/g)!.filter((input) => input.includes(` name="${name}"`))
    t.equal(field.length, 1, `${path} has ${name}`)
    t.match(field[0], 'value="45,505"', `${path} ${name}`)
  }
})

t.test('an amount keeps its value when its form is sent again after an error in another field', async (t) => {
  const { post, sql } = await makeDesk(t)
  const list = '/dashboard/usage/thresholds'
  const threshold = { Period: 'month', Threshold: '45,505' }
  const { body } = await post(list, { ...threshold, Meter: '' })
  const shown = /name="Threshold" value="([^"]*)"/.exec(body)![1]!
  t.equal((await post(list, { ...threshold, Meter: 'rain', Threshold: shown })).statusCode, 303)
  t.match(await sql`select amount::text from usage_thresholds`, [{ amount: '45.505' }])
})

t.test('in a currency with three decimals, a hidden field keeps the typed amount', async (t) => {
  const { get, post, call, holdSale } = await makeDesk(t, 'KWD')
  const sale = await holdSale()
  const reduction = { 'Reduction.Amount': '1,505', 'Reduction.Reason': 'Chuva' }
  const { body } = await post(`${sale}/pay/reduction`, reduction)
  const Due = hidden(body, 'Due')
  const sent = { 'Reduction.Amount': hidden(body, 'Reduction.Amount'), 'Reduction.Reason': 'Chuva', Due }
  const paid = await post(`${sale}/pay`, { ...sent, Held: hidden(body, 'Held'), Method: 'card' })
  t.equal(paid.headers.location, sale)
  const [sold] = (await call('GET', '/bookings')).data
  t.match(sold, { Reduction: { Amount: '1.505', Currency: 'KWD' } })
  await post('/dashboard/till', { Float: '45,500', Currency: 'KWD' })
  const [{ TillID }] = (await call('GET', '/tills')).data
  const till = `/dashboard/till/${TillID}`
  const compared = (await post(`${till}/compare`, { Counted: '45,500' })).body
  const count = { Counted: hidden(compared, 'Counted'), Difference: hidden(compared, 'Difference') }
  t.equal((await post(`${till}/close`, count)).headers.location, `${till}?done=till-closed`)
  t.match(textOf((await get(till)).body), '45,500')
})

t.test('a value that was changed meanwhile is shown in the format of its field', async (t) => {
  const { post, get, id, sql } = await makeDesk(t)
  const path = `/dashboard/catalogue/${id}`
  const Version = hidden((await get(path)).body, 'Version')
  await sql`update products set price_minor = 4550, duration_minutes = 150, in_shopfront = false`
  const product = { DurationMinutes: '120', TimeZone: 'Europe/Lisbon', CancelCutoffMinutes: '0' }
  const price = { 'Price.Amount': '50,00', 'Price.Currency': 'EUR', InShopfront: 'true' }
  const { statusCode, body } = await post(path, { Name: 'Kayak', ...product, ...price, Version })
  t.equal(statusCode, 409)
  for (const value of ['45,50', '2 h 30 min', 'não assinalado']) t.match(textOf(body), `agora é “${value}”`)
  t.notMatch(textOf(body), /45\.50|“150”|false/)
})
