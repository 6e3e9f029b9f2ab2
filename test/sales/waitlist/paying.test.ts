/** How a customer takes and pays for an offer: the page of the offer, the operator's payment page, and the event. */
import t from 'tap'
import { makeOffered, paymentPage } from './fixtures.ts'

t.test('a customer with an offer', async (t) => {
  t.test('takes the offer, pays on the operator’s payment page, and reads that it is paid', async (t) => {
    const { app, call, offer, look, press, pay, entry, link, statusOf } = await makeOffered(t)
    await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
    await offer()
    t.match(await look(), /Saturday 15 June 2030 at 10:00, 2 people, €90.00 in all/)
    t.match(await look(), /The places are yours if you take them by .+ You then pay €90.00/)
    for (const _ of [1, 2]) t.equal((await press('take')).statusCode, 303)
    const { body } = await app.inject(link)
    const [, href = ''] = /<a class="button" href="([^"]+)">Pay €90.00</.exec(body) ?? []
    const url = new URL(href.replaceAll('&#38;', '&'))
    t.equal(url.origin + url.pathname, 'https://pay.example/quay')
    t.same(Object.fromEntries(url.searchParams), {
      order: String(entry.BasketID),
      amount: '90.00',
      currency: 'EUR',
      back: `http://booking.test${link}`,
    })
    t.equal((await pay('evt_1')).Outcome, 'completed')
    t.match(await look(), 'Paid. Your places are booked.')
    t.match(await statusOf(), { Status: 'taken', BookingStatus: 'confirmed' })
    t.equal((await pay('evt_2')).Outcome, 'refund-due', 'the second payment is due to be refunded')
    t.match(await look(), 'Paid. Your places are booked.')
  })

  t.test('reads how to pay if the operator has no payment page', async (t) => {
    const { sql, call, offer, look, press, statusOf } = await makeOffered(t)
    await sql`update accounts set name = 'Quay Kayaks' where account_id > 0`
    await call('PUT', '/payment-settings', { Contact: '+351 291 123 456' })
    await offer()
    t.match(await look(), 'I want the places')
    await press('take')
    const text = await look()
    t.match(text, /The places are held for you until .+\. They are booked as soon as they are paid for\./)
    t.match(text, 'Pay €90.00 at the desk of Quay Kayaks, or ask how to: +351 291 123 456')
    t.match(await statusOf(), { Status: 'taken', BookingStatus: 'held' })
  })

  t.test('takes an offer of places that cost nothing, and they are booked without a payment', async (t) => {
    const { sql, offer, look, press, statusOf, pay } = await makeOffered(t, { priceMinor: 0 })
    await offer()
    t.match(await look(), /There is nothing to pay\..+Book the places/)
    await Promise.all([press('take'), press('take')])
    t.match(await look(), 'Your places are booked.')
    t.notMatch(await look(), 'Paid')
    t.match(await statusOf(), { Status: 'taken', BookingStatus: 'confirmed' })
    const completed = await sql`select from events where type = 'basket.completed'`
    t.equal(completed.length, 1)
    t.equal((await pay('evt_1', '0.00')).Outcome, 'refund-due')
  })

  t.test('who takes the offer and pays in two windows at the same time gets the places once', async (t) => {
    const { sql, offer, press, pay, look } = await makeOffered(t)
    await offer()
    const done = await Promise.all([pay('evt_1'), press('take'), pay('evt_2'), press('take')])
    t.same([done[0].Outcome, done[2].Outcome].sort(), ['completed', 'refund-due'])
    t.match(await look(), 'Paid. Your places are booked.')
    t.match(await sql`select booked, held from timeslots`, [{ booked: 2, held: 0 }])
    t.equal((await sql`select from events where type = 'waitlist.taken'`).length, 1)
  })

  t.test(
    'whose places the desk booked for a partial payment reads what is still to be paid, and pays it',
    async (t) => {
      const { call, offer, look, entry, pay } = await makeOffered(t)
      await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
      await offer()
      const paid = await call('POST', `/baskets/${entry.BasketID}/pay`, { Method: 'cash', Amount: '50.00' })
      t.equal(paid.status, 200)
      t.match(await look(), /Your places are booked\. €40\.00 is still to be paid\. Pay €40\.00/)
      t.equal((await pay('evt_1', '40.00')).Outcome, 'completed')
      t.match(await look(), 'Paid. Your places are booked.')
    },
  )

  t.test('declines the offer, and the next customer is offered the places', async (t) => {
    const { call, wait, offer, look, press } = await makeOffered(t)
    const next = await wait('Linus')
    await offer()
    await press('leave')
    t.match(await look(), 'You have left the waitlist.')
    t.equal((await call('GET', `/waitlist/${next.WaitlistID}`)).data.Status, 'offered')
  })

  t.test('who pays too late still gets the places if they are free', async (t) => {
    const { offer, press, look, pay, runOut } = await makeOffered(t)
    await offer()
    await press('take')
    await runOut()
    t.match(await look(), 'The time to pay has run out')
    t.notMatch(await look(), 'Paid')
    t.equal((await pay('evt_1')).Outcome, 'completed')
    t.match(await look(), 'Paid. Your places are booked.')
  })

  t.test('who pays after the places were sold reads that the payment will be refunded', async (t) => {
    const { sql, offer, press, look, pay, runOut, book, activityId, call, entry } = await makeOffered(t)
    await offer()
    await press('take')
    await runOut()
    t.equal((await book(activityId)).status, 201)
    t.equal((await pay('evt_1')).Outcome, 'refund-due')
    t.match(
      await look(),
      'Your payment could not buy these places. quay pays back €90.00. This page will say when and how it was paid back.',
    )
    await sql`update payment_events set refunded_minor = 4000 where event_id = 'evt_1'`
    t.match(await look(), '€40.00 has already been paid back. quay pays back €50.00.')
    await call('POST', `/baskets/${entry.BasketID}/refunded`, { Payments: ['evt_1'] })
    t.match(await look(), /€40\.00 has already been paid back\. €50\.00 was paid back on .+ 20\d\d/)
  })
})
