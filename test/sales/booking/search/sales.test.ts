/** Bookings are found by the number of the receipt of their sale, and by the references of its payments and refunds. */
import t, { type Test } from 'tap'
import { listSalesOf } from '../../../../src/sales/booking/search/sale-queries.ts'
import { explain } from '../../../explain.ts'
import { makeCaller } from '../../../helper.ts'
import { pumpEvents } from '../../../pump.ts'
import { refundDesk } from '../../ledger/refund-fixtures.ts'

type Found = { BookingReference: string }

async function searchDesk(t: Test) {
  const desk = await refundDesk(t)
  const find = async (search: string, headers = desk.headers): Promise<string[]> => {
    await pumpEvents(desk.sql)
    const url = `/api/v2/operator/bookings?Search=${encodeURIComponent(search)}`
    const answer = await desk.app.inject({ method: 'GET', url, headers })
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.map(({ BookingReference }: Found) => BookingReference)
  }
  return { ...desk, find }
}

t.test('the number of a receipt finds the bookings of its sale, and of no other', async (t) => {
  const { sell, find } = await searchDesk(t)
  const lines = [{ Participants: 1 }, { Time: '12:00', Participants: 1 }]
  const { basket, references } = await sell(lines)
  const other = await sell([{ Participants: 1 }])
  t.same((await find(String(basket.BasketID))).sort(), [...references].sort())
  t.same(await find(String(other.basket.BasketID)), other.references)
  t.same(await find(`${basket.BasketID} byron`), [], 'every word of the search must match')
  t.equal((await find(`${basket.BasketID} lovelace`)).length, 2)
  for (const none of ['9007199254740993', '99999999999999999999', '0']) t.same(await find(none), [], none)
})

t.test('the references of later payments and of refunds find their sale', async (t) => {
  const { sell, act, post, find, listRefunds, markDone } = await searchDesk(t)
  const { basket, references } = await sell([{}], { Method: 'cash', Amount: '40.00' })
  const payment = { Method: 'card', Amount: '50.00', Reference: 'KARTE998' }
  t.equal((await post(`/baskets/${basket.BasketID}/payments`, payment)).statusCode, 200)
  await sell([{ Participants: 1 }])
  for (const typed of ['KARTE998', 'karte998', 'karte', 'karte998 lovelace', 'kayak karte998'])
    t.same(await find(typed), references, typed)
  for (const typed of ['arte998', 'karte999', 'karte998 byron', 'kd']) t.same(await find(typed), [], typed)
  await act(references[0]!, 'cancel')
  const [due] = await listRefunds()
  t.equal((await markDone(due!, { Method: 'cash', Reference: 'R-1' })).statusCode, 200)
  t.same(await find('R-1'), references)
})

t.test(
  'a reference of several words is found whole or by its beginning, even if it contains a number or a day',
  async (t) => {
    const { sell, post, find } = await searchDesk(t)
    const { basket, references } = await sell([{}], { Method: 'cash', Amount: '40.00' })
    for (const Reference of ['Transfer Smith & Sons', '0049 123 456 789', 'SEPA_2030-06-15_7'])
      await post(`/baskets/${basket.BasketID}/payments`, { Method: 'card', Amount: '1.00', Reference })
    for (const typed of ['transfer smith & sons', 'Transfer Smith', '0049 123 456 789', 'sepa_2030-06-15_'])
      t.same(await find(typed), references, typed)
  },
)

t.test(
  'the references of a provider’s payments find the sale, and so does that of a refund of a second payment',
  async (t) => {
    const { hold, sendPaymentEvent, post, find } = await searchDesk(t)
    const basket = await hold([{}])
    for (const ID of ['evt_1', 'evt_2']) await sendPaymentEvent(basket, { ID, Reference: `ch_${ID}` })
    const references = basket.Lines.map(({ BookingReference }) => BookingReference)
    for (const typed of ['ch_evt_1', 'ch_evt_2']) t.same(await find(typed), references, typed)
    const marked = await post(`/baskets/${basket.BasketID}/refunded`, {
      ...{ Payments: ['evt_2'], Method: 'transfer', Reference: 'BACK-77' },
    })
    t.equal(marked.statusCode, 200, marked.body)
    t.same(await find('back-77'), references)
  },
)

t.test('another account finds neither the number of a receipt nor a reference', async (t) => {
  const { sell, find, sql } = await searchDesk(t)
  const { basket } = await sell([{}], { Method: 'card', Reference: 'KARTE998' })
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  for (const typed of [String(basket.BasketID), 'KARTE998'])
    t.same(await find(typed, other.headers), [], typed)
})

t.test('references are looked up by index, up to a limit, with the exact match among them', async (t) => {
  const { sql, url, accountId } = await searchDesk(t)
  await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, reference, actor)
    select ${accountId}, n, 'payment', 'card', 100, 'EUR', 'POS' || n, 'service' from generate_series(1, 20000) as n`
  await sql`analyze payments`
  const terms = [{ text: 'pos1', isBeginning: true }]
  const [found] = await listSalesOf(sql, accountId, terms, 50)
  t.ok(found!.includes(1))
  t.equal(found!.length, 50)
  const nodes = await explain(url, (sql) => listSalesOf(sql, accountId, terms, 50), {
    options: 'analyze, format json',
  })
  const read = nodes.filter((node) => node['Relation Name'] === 'payments')
  t.same([...new Set(read.map((node) => node['Index Name']))], ['payments_by_reference'])
  for (const node of read) t.ok(node['Actual Rows'] * node['Actual Loops'] <= 50)
})
