/** Undoing the mark of a refund that was marked as paid back by mistake: once, and with a correct ledger. */
import t from 'tap'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { euros, refundDesk } from './refund-fixtures.ts'

const Reason = 'The terminal refused it'

t.test('the mark of a refund', async (t) => {
  t.test('is undone: the refund is due again, and the ledger keeps both entries', async (t) => {
    const { sell, act, listRefunds, markDone, post, read, sql } = await refundDesk(t)
    const { basket, references } = await sell()
    await act(references[0]!, 'cancel')
    const [due] = await listRefunds()
    await markDone(due!, { Method: 'card', Reference: 'T1-9' })
    const undone = await post(`/refunds/${due!.RefundID}/undo`, { Reason })
    t.match(undone.json().data, { Status: 'due', DoneAt: null, Method: null, Refund: euros('45.00') })
    t.match(await listRefunds(), [{ RefundID: due!.RefundID }])
    t.same(await listRefunds('?Status=done'), [])
    const { Ledger } = await read(basket)
    t.match(Ledger, {
      Paid: euros('90.00'),
      PaidBack: euros('0.00'),
      RefundDue: euros('45.00'),
      Balance: euros('0.00'),
    })
    t.match(Ledger!.Entries, [
      {},
      { Type: 'refund', Reference: 'T1-9' },
      { Type: 'payment', UndoesID: Ledger!.Entries[1]!.ID },
    ])
    t.match(await sql`select type, details from events where type = 'refund.undone'`, [
      { details: { RefundID: due!.RefundID, Method: 'card', ...euros('45.00') } },
    ])
    t.match(await sql`select reason, actor, method, reference from undone_refunds`, [
      { reason: Reason, actor: 'key', method: 'card', reference: 'T1-9' },
    ])
    t.match((await act(references[0]!, 'cancel')).statusCode, 200)
    await markDone((await listRefunds())[0]!, { Method: 'transfer' })
    t.match((await read(basket)).Ledger, { PaidBack: euros('45.00'), RefundDue: euros('0.00') })
    t.match(await listRefunds('?Status=done'), [{ RefundID: due!.RefundID, Method: 'transfer' }])
  })

  t.test('is undone at most once each time it is set, also by concurrent requests', async (t) => {
    const { sell, act, listRefunds, markDone, post, sql } = await refundDesk(t)
    const { references } = await sell()
    await act(references[0]!, 'cancel')
    const [due] = await listRefunds()
    const undo = () => post(`/refunds/${due!.RefundID}/undo`, { Reason })
    t.match((await undo()).json(), { type: /refund-not-done$/, Status: 'due' })
    await markDone(due!)
    const answers = await Promise.all([undo(), undo(), markDone(due!), undo()])
    const undone = answers.filter((answer, index) => index !== 2 && answer.statusCode === 200).length
    const [{ balance } = { balance: null }] = await sql<{ balance: number }[]>`
      select sum(case when kind = 'refund' then 1 when undoes_id is not null then -1 else 0 end)::int as balance
      from payments`
    const [refund] = await sql<{ status: string }[]>`select status from refunds`
    t.equal(balance, refund!.status === 'done' ? 1 : 0, `${undone} undone`)
    t.equal((await sql`select from payments where undoes_id is not null`).length, undone)
  })

  t.test('cannot be undone after the provider has confirmed the refund', async (t) => {
    const { sell, act, listRefunds, markDone, post, sql } = await refundDesk(t)
    const { references } = await sell()
    await act(references[0]!, 'cancel')
    const [due] = await listRefunds()
    await markDone(due!)
    await sql`update payments set event_id = 're_1' where kind = 'refund'`
    t.match((await post(`/refunds/${due!.RefundID}/undo`, { Reason })).json(), { type: /refund-confirmed$/ })
  })

  t.test('is undone only with a reason, and only for a refund of the account', async (t) => {
    const { sell, hold, act, sendPaymentEvent, listRefunds, markDone, post, sql } = await refundDesk(t)
    const { references } = await sell()
    await act(references[0]!, 'cancel')
    const [due] = await listRefunds()
    t.equal((await markDone(due!)).statusCode, 200)
    const unsold = await hold()
    await sendPaymentEvent(unsold, { Amount: '1.00' })
    const path = `/baskets/${unsold.BasketID}/refunded`
    t.equal((await post(path, { Payments: ['evt_1'] })).statusCode, 200)
    const marked = await listRefunds('?Status=done')
    t.equal(marked.length, 2)
    const elsewhere = await makeCaller(sql, { slug: 'elsewhere', scopes: ['operator'] })
    for (const [undo, payload] of [
      [`/refunds/${due!.RefundID}/undo`, {}],
      [`${path}/undo`, { Payment: 'evt_1' }],
    ] as const) {
      t.match((await post(undo, payload)).json(), { type: /validation$/, errors: [{ field: 'Reason' }] })
      t.equal((await post(undo, { ...payload, Reason }, elsewhere.headers)).statusCode, 404, undo)
    }
    t.equal((await post('/refunds/999999/undo', { Reason })).statusCode, 404)
    t.equal((await post('/baskets/999999/refunded/undo', { Payment: 'evt_1', Reason })).statusCode, 404)
    t.same(await listRefunds('?Status=done'), marked, 'both are still marked as paid back')
  })
})

t.test('a user undoes the mark of a refund in the dashboard', async (t) => {
  const { sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 40 } })
  const [staff, owner] = [await signIn('staff'), await signIn('owner')]
  /** Makes a refund of 90.00, which a user with the role staff pays back in cash. */
  const payBack = async () => {
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
    const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
    const { data } = await call('POST', '/bookings', { ...line, Customer, Payment: { Method: 'cash' } })
    await call('POST', `/bookings/${data.BookingReference}/cancel`, { By: 'operator' })
    const [due] = await sql<{ id: number }[]>`select id from refunds order by id desc limit 1`
    const page = `/dashboard/refunds/${due!.id}`
    t.equal((await staff.post(`${page}/done`, { Method: 'cash', Amount: '90.00' })).statusCode, 303)
    return { page, reference: data.BookingReference as string }
  }
  const openTill = async () => {
    await staff.post('/dashboard/till', { Currency: 'EUR', Float: '200.00' })
    const [till] = await sql<{ id: number }[]>`select id from tills order by id desc limit 1`
    return { id: till!.id, text: async () => textOf((await staff.get(`/dashboard/till/${till!.id}`)).body) }
  }

  t.test(
    'after an undo, the page of the refund asks for confirmation again, and reading it changes nothing',
    async (t) => {
      const { page } = await payBack()
      await staff.post(`${page}/undo`, { Reason })
      const { body } = await staff.get(page)
      t.match(textOf(body), 'Mark the refund only after you have paid it')
      t.match(textOf(body), 'Yes, this is paid back')
      t.match(await sql`select status from refunds order by id desc limit 1`, [{ status: 'due' }])
    },
  )

  t.test('cash goes back into the till that it came out of while that till is open', async (t) => {
    const till = await openTill()
    const { page } = await payBack()
    t.match(await till.text(), /Expected €110\.00/)
    t.equal((await staff.post(`${page}/undo`, { Reason })).statusCode, 303)
    t.match(await till.text(), /Expected €200\.00/)
    t.match(await till.text(), 'not paid back after all')
  })

  t.test('cash goes back into no till if the till that it came out of is closed', async (t) => {
    const { page } = await payBack()
    const [till] = await sql<{ id: number }[]>`select id from tills order by id desc limit 1`
    await staff.post(`/dashboard/till/${till!.id}/close`, { Counted: '110.00' })
    t.equal((await owner.post(`${page}/undo`, { Reason })).statusCode, 303)
    const [row] = await sql`select till_id from payments where undoes_id is not null order by id desc limit 1`
    t.equal(row!.till_id, null)
  })

  t.test('undoing a mark needs a reason, which the history shows', async (t) => {
    const { page, reference } = await payBack()
    const missing = await staff.post(`${page}/undo`, {})
    t.equal(missing.statusCode, 422)
    t.match(await sql`select status from refunds order by id desc limit 1`, [{ status: 'done' }])
    await staff.post(`${page}/undo`, { Reason: 'Ada came back' })
    const text = textOf((await staff.get(`/dashboard/bookings/${reference}`)).body)
    t.match(text, 'noted that €90.00 by cash was not paid back after all. Reason: Ada came back.')
  })
})
