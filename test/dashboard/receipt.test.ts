/** Receipts of sales: on paper, and by e-mail to the customer. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeSending, makeWorkflow } from '../messaging/emails/fixtures.ts'
import { startSmtp } from '../messaging/emails/smtp.ts'
import { pumpEvents } from '../pump.ts'
import { makeDashboard, textOf } from './fixtures.ts'

async function makeSales(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 80 } })
  const { get, post } = await signIn('staff')
  const hold = async (Email: string | null = 'ada@example.com') => {
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line, line] })
    const Customer = { FirstName: 'Ada', LastName: 'Lovelace', ...(Email && { Email }) }
    await call('PATCH', `/baskets/${data.BasketID}`, { Customer })
    return { id: data.BasketID as number, lines: data.Lines as { BookingReference: string }[] }
  }
  const sell = async (Email?: string | null, payment: object = { Method: 'card', Reference: 'T1-7' }) => {
    const basket = await hold(Email)
    await call('POST', `/baskets/${basket.id}/pay`, payment)
    return { ...basket, path: `/dashboard/sell/${basket.id}/receipt` }
  }
  const show = async (path: string) => textOf((await get(path)).body)
  return { ...dashboard, activityId, get, post, hold, sell, show }
}

t.test('a receipt', async (t) => {
  t.test('says who sold what, its total, how it was paid, and that nothing is owed', async (t) => {
    const { sell, show } = await makeSales(t)
    const { id, path, lines } = await sell()
    const text = await show(path)
    t.match(text, `Receipt ${id}`)
    t.match(text, /quay .* For Ada Lovelace Kayak, .*2 people/)
    for (const { BookingReference } of lines)
      t.match(text, `2 × €45.00 Subtotal €90.00 Booking ${BookingReference}`)
    t.match(text, /Total €180.00 Paid €180.00 \(card, T1-7, .*\) Still to be paid €0.00/)
  })

  t.test('says by how much the price was reduced, and which line was cancelled', async (t) => {
    const { sell, show, call } = await makeSales(t)
    const { path, lines } = await sell(null, {
      Method: 'cash',
      Reduction: { Amount: '10', Reason: 'Late start' },
    })
    t.match(
      await show(path),
      /Reduced by €5.00 .* Reduction €10.00 off, in the prices above Total €170.00 Paid €170.00 \(cash/,
    )
    await call('POST', `/bookings/${lines[1]!.BookingReference}/cancel`, { Override: true })
    t.match(await show(path), new RegExp(`Booking ${lines[1]!.BookingReference}: Cancelled`))
  })

  t.test('shows the money that is kept after a party became smaller', async (t) => {
    const { sell, show, call } = await makeSales(t)
    const { path, lines } = await sell()
    const amended = { Participants: 1, Refund: { Amount: '0.00' } }
    await call('POST', `/bookings/${lines[1]!.BookingReference}/amend`, amended)
    t.match(await show(path), /Kept for what was cancelled or changed €45.00 Total €180.00 Paid €180.00/)
  })

  t.test('is linked on the pages of the sale and of its bookings', async (t) => {
    const { sell, get } = await makeSales(t)
    const { id, path, lines } = await sell()
    t.match((await get(`/dashboard/sell/${id}`)).body, `href="${path}"`)
    t.match((await get(`/dashboard/bookings/${lines[0]!.BookingReference}`)).body, `href="${path}"`)
  })

  t.test('does not exist while nothing is paid, nor for a partner’s sale', async (t) => {
    const { hold, show, post, book, activityId, call, sql } = await makeSales(t)
    const { id } = await hold()
    const path = `/dashboard/sell/${id}/receipt`
    t.match(await show(path), 'Nothing has been paid for this sale yet, so there is no receipt.')
    t.equal((await post(path)).statusCode, 409)
    t.same(await sql`select from emails`, [])
    const { reference } = await book(activityId, { Date: '2030-06-15' })
    const { BasketID } = (await call('GET', `/bookings/${reference}`)).data
    t.equal((await post(`/dashboard/sell/${BasketID}/receipt`)).statusCode, 409)
  })
})

t.test(
  'a receipt is sent to the customer by a button or by the API, and the history of the booking says so',
  async (t) => {
    const { sell, show, post, sql, call } = await makeSales(t)
    const smtp = await startSmtp(t)
    const { id, path, lines } = await sell()
    const answer = await post(path)
    t.equal(answer.headers.location, `${path}?done=receipt-sent`)
    await pumpEvents(sql)
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    const { subject = '', text = '', to } = smtp.received[0]!.mail
    t.equal(subject, `Receipt ${id}: quay`)
    t.match(to, [{ address: 'ada@example.com' }])
    t.match(text, /Dear Ada,/)
    t.match(text, /Kayak\nSaturday 15 June 2030, at 10:00\n2 people\n/)
    t.match(text, /Total: €180.00/)
    t.match(text, /Paid on .*, card, T1-7: €180.00\nStill to be paid: €0.00/, 'the same sums as on paper')
    const { data } = await call('GET', `/bookings/${lines[0]!.BookingReference}`)
    t.ok(data.History.some(({ Action }: { Action: string }) => Action === 'receipt-sent'))
    t.match(data.Emails, [{ Kind: 'receipt', Status: 'sent' }])
    t.match(await show(`/dashboard/bookings/${lines[0]!.BookingReference}`), 'sent the receipt')
    t.equal((await call('POST', `/baskets/${id}/receipt`)).data.BasketID, id, 'the API sends it too')
    t.equal((await sql`select from emails where kind = 'receipt'`).length, 2)
  },
)

t.test('the e-mailed receipt has the lines, reductions and payments of the printed one', async (t) => {
  const { sell, show, post, get, sql, call } = await makeSales(t)
  const smtp = await startSmtp(t)
  const { path, lines } = await sell(undefined, {
    Method: 'card',
    Reference: 'T1-7',
    Reduction: { Amount: '10', Reason: 'Late start' },
  })
  const [first, second] = lines.map(({ BookingReference }) => BookingReference)
  await call('POST', `/bookings/${second}/cancel`, { Override: true, Refund: { Choice: 'full' } })
  const [due] = (await call('GET', '/refunds')).data
  await call('POST', `/refunds/${due.RefundID}/done`, { Method: 'transfer', Reference: 'SEPA-3' })
  await post(path)
  await pumpEvents(sql)
  await makeSending(sql, { SMTP_URL: smtp.url })()
  const { text = '', html } = smtp.received[0]!.mail
  const printed = await show(path)
  for (const words of [
    'For Ada Lovelace',
    'Kayak',
    '2 × €45.00',
    'Reduced by €5.00',
    'Subtotal €85.00',
    first!,
    second!,
    'Cancelled',
    'card, T1-7',
    'bank transfer, SEPA-3',
  ]) {
    t.match(printed, words, `${words}, on paper`)
    t.match(text, words, `${words}, by e-mail`)
    t.match(textOf(String(html)), words, `${words}, by e-mail in HTML`)
  }
  const at = /Paid €170\.00 \(card, T1-7, (.*?)\)/.exec(printed)![1]!
  t.match(text, `Paid on ${at}, card, T1-7: €170.00`, 'the same time of payment')
  t.match(text, /people\nBooking reference: \w+\n2 × €45\.00\nReduced by €5\.00\nSubtotal €85\.00\n\n/)
  t.match(text, 'Cancelled (2 × €45.00, Reduced by €5.00, Subtotal €85.00)')
  t.equal((await get(path)).body.match(/<s>/g)?.length, 3, 'struck out on paper')
})

t.test('a receipt says what is paid when it is sent, not what was paid when it was requested', async (t) => {
  const { sell, post, sql, call } = await makeSales(t)
  const { id, path } = await sell(undefined, { Method: 'cash', Amount: '50.00' })
  await post(path)
  await call('POST', `/baskets/${id}/payments`, { Method: 'card', Amount: '130.00' })
  const smtp = await startSmtp(t)
  await pumpEvents(sql)
  await makeSending(sql, { SMTP_URL: smtp.url })()
  const { text } = smtp.received
    .map(({ mail }) => mail)
    .find(({ subject }) => subject?.startsWith('Receipt'))!
  t.match(text, /cash: €50\.00\n.*card: €130\.00\nStill to be paid: €0\.00/)
})

t.test('a receipt is for the customer of the first booking that is not cancelled', async (t) => {
  const { sell, show, post, sql, call } = await makeSales(t)
  const { id, path, lines } = await sell()
  const [first, second] = lines.map(({ BookingReference }) => BookingReference)
  const bob = {
    'Customer.FirstName': 'Bob',
    'Customer.LastName': 'Bell',
    'Customer.Email': 'bob@example.com',
  }
  const saved = await post(`/dashboard/bookings/${second}/customer`, { ...bob, OfSale: 'false' })
  t.equal(saved.statusCode, 303)
  t.match(await show(path), /For Ada Lovelace .* It goes to ada@example.com/)
  await call('POST', `/bookings/${first}/cancel`, { Override: true })
  t.match(await show(path), /For Bob Bell .* It goes to bob@example.com/)
  t.match((await call('GET', `/baskets/${id}`)).data.Customer, { FirstName: 'Bob', Email: 'bob@example.com' })
  await post(path)
  const smtp = await startSmtp(t)
  await pumpEvents(sql)
  await makeSending(sql, { SMTP_URL: smtp.url })()
  const receipt = smtp.received.map(({ mail }) => mail).find(({ subject }) => subject?.startsWith('Receipt'))!
  t.match(receipt.to, [{ address: 'bob@example.com' }])
  t.match(receipt.text, /Dear Bob,.*For Bob Bell/s)
  t.notMatch(receipt.text, 'Ada')
})

t.test('a receipt for a customer without an e-mail address is to be printed, and is not sent', async (t) => {
  const { sell, show, post, sql } = await makeSales(t)
  const { path } = await sell(null)
  t.match(await show(path), 'There is no e-mail address: print this page.')
  t.equal((await post(path)).statusCode, 409)
  t.same(await sql`select from emails`, [])
})

t.test('a confirmation has the date and time, what was paid, and what is still to be paid', async (t) => {
  const { sell, hold, get, post, sql, call, accountId } = await makeSales(t)
  const smtp = await startSmtp(t)
  const sending = makeSending(sql, { SMTP_URL: smtp.url })
  const send = async (reference: string) => {
    t.equal((await post(`/dashboard/bookings/${reference}/resend`)).statusCode, 303)
    await pumpEvents(sql)
    await sending()
    return smtp.received.at(-1)!.mail.text ?? ''
  }
  const { lines } = await sell(undefined, { Method: 'cash', Amount: '50.00' })
  const text = await send(lines[0]!.BookingReference)
  t.match(text, 'Saturday 15 June 2030 at 10:00 (Europe/Lisbon)')
  t.match(
    text,
    'Paid: €50.00 (for your 2 bookings together)\nStill to be paid: €130.00 (for your 2 bookings together)',
  )
  const paid = await send((await sell()).lines[0]!.BookingReference)
  t.match(paid, 'Paid: €180.00')
  t.notMatch(paid, 'Still to be paid')
  await makeWorkflow(sql, accountId, { body: 'Paid {{ sale.paid }}, to pay {{ sale.to_pay }}.' })
  t.match(await send(lines[1]!.BookingReference), 'Paid €50.00, to pay €130.00.')
  const { id, lines: later } = await hold()
  await call('POST', `/baskets/${id}/pay`, { Method: 'cash', Amount: '0' })
  t.match(await send(later[0]!.BookingReference), 'Paid €0.00, to pay €180.00.')
  const body = 'To pay {{ sale.to_pay }}, {{ sale.bookings }} left.'
  await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled', body })
  const cancel = `/dashboard/bookings/${lines[0]!.BookingReference}/cancel`
  t.match(textOf((await get(cancel)).body), 'To pay €40.00, 1 left.', 'the preview of a cancellation')
  t.equal((await post(cancel, { TellCustomer: 'true' })).statusCode, 303)
  await pumpEvents(sql)
  await sending()
  t.match(smtp.received.at(-1)!.mail.text, 'To pay €40.00, 1 left.')
})
