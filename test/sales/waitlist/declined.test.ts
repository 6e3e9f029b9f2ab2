/** Offers of the waitlist whose payment was declined or late: the customer's pages and e-mails, and the dashboard. */
import t, { type Test } from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { takeEvent } from '../../../src/sales/payment/service.ts'
import { textOf } from '../../dashboard/fixtures.ts'
import { makeSending } from '../../messaging/emails/fixtures.ts'
import { startSmtp } from '../../messaging/emails/smtp.ts'
import { pumpEvents } from '../../pump.ts'
import { makeOffered, paymentPage } from './fixtures.ts'

/** A customer who took an offer and has not paid yet. The operator has a payment page. */
async function makeTaken(t: Test) {
  const offered = await makeOffered(t)
  const { sql, accountId, entry, call, offer, press, signIn } = offered
  await call('PUT', '/payment-settings', { PaymentPage: paymentPage, Contact: '+351 291 123 456' })
  await offer()
  await press('take')
  const decline = (ID: string) =>
    takeEvent(sql, accountId, {
      ...{ ID, Account: 'quay', Type: 'failed', BasketID: entry.BasketID, Amount: '90.00', Currency: 'EUR' },
    })
  const staff = await signIn('staff')
  const bookingPage = async () =>
    textOf((await staff.get(`/dashboard/bookings/${entry.BookingReference}`)).body)
  const waitlist = async () => textOf((await staff.get('/dashboard/calendar/waitlist')).body)
  return { ...offered, decline, bookingPage, waitlist }
}

/** Sends the queued e-mails about the unpaid offer, drops all others, and returns those that were sent. */
async function receive(
  t: Test,
  sql: Parameters<typeof makeSending>[0],
  SECRET_KEY = 'a secret that is long enough for a test',
) {
  await pumpEvents(sql)
  await sql`update emails set status = 'dropped' where kind <> 'offer-unpaid'`
  const smtp = await startSmtp(t)
  await makeSending(sql, { SMTP_URL: smtp.url, SECRET_KEY })()
  return smtp.received.map(({ mail: { subject = '', text = '' } }) => ({ subject, text }))
}

t.test('a customer whose payment of an offer was declined', async (t) => {
  t.test(
    'keeps the places until the offer expires, reads that the payment was declined, and can pay again',
    async (t) => {
      const { look, decline, statusOf, pay, sql } = await makeTaken(t)
      t.match(await decline('evt_1'), { Outcome: 'ignored', BasketStatus: 'open' })
      t.match(
        await look(),
        /Your payment was declined\. No money was taken\. The places are held for you until .+: you can pay again\. Pay €90\.00/,
      )
      t.match(await statusOf(), { Status: 'taken', BookingStatus: 'held' })
      t.equal((await pay('evt_2')).Outcome, 'completed')
      t.match(await look(), 'Paid. Your places are booked.')
      t.notMatch(await look(), 'declined')
      t.match(await sql`select booked, held from timeslots`, [{ booked: 2, held: 0 }])
    },
  )

  t.test(
    'reads that the booking is cancelled if it was paid at the desk first and cancelled later',
    async (t) => {
      const { look, decline, call, entry } = await makeTaken(t)
      await decline('evt_1')
      await call('POST', `/baskets/${entry.BasketID}/pay`, { Method: 'cash' })
      await call('POST', `/bookings/${entry.BookingReference}/cancel`, { By: 'operator' })
      t.match(await look(), 'This booking is cancelled.')
      t.notMatch(await look(), 'declined')
    },
  )

  t.test(
    'reads after the offer has expired that the places are gone, and how to contact the operator',
    async (t) => {
      const { look, decline, runOut, wait, call, sql } = await makeTaken(t)
      const next = await wait('Linus')
      await runOut()
      t.match(await decline('evt_1'), { Outcome: 'released', BasketStatus: 'expired' })
      const text = await look()
      t.match(text, 'Your payment was declined. No money was taken.')
      t.match(
        text,
        'The places are no longer held for you, and are offered to the next party on the waitlist.',
      )
      t.match(text, 'If you still want the places, ask quay: +351 291 123 456')
      t.equal((await call('GET', `/waitlist/${next.WaitlistID}`)).data.Status, 'offered')
      t.match(await sql`select held from timeslots`, [{ held: 2 }])
    },
  )

  t.test('gets an e-mail with the link to pay again, and only one for several declined cards', async (t) => {
    const { sql, decline, link } = await makeTaken(t)
    for (const id of ['evt_1', 'evt_2']) await decline(id)
    await decline('evt_2')
    const [first, ...more] = await receive(t, sql)
    t.equal(more.length, 0)
    t.match(first!.subject, 'Not booked yet:')
    t.match(first!.text, 'your payment for these places was declined. No money was taken.')
    t.match(first!.text, `We hold the places for you until`)
    t.match(first!.text, `http://booking.test${link}`)
    await decline('evt_3')
    t.equal((await receive(t, sql)).length, 0)
  })

  t.test('gets an e-mail that belongs to the trace of the declined payment', async (t) => {
    const { sql, decline } = await makeTaken(t)
    await decline('evt_1')
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await sql`update events set trace_context = ${trace} where type = 'payment.received'`
    await pumpEvents(sql)
    t.match(await sql`select trace_context as trace from emails where kind = 'offer-unpaid'`, [{ trace }])
  })

  t.test('gets no e-mail once the places are booked', async (t) => {
    const { sql, decline, pay } = await makeTaken(t)
    await decline('evt_1')
    await pay('evt_2')
    t.same(await receive(t, sql), [])
  })

  t.test('is shown with the declined payment on the waitlist and on the page of the booking', async (t) => {
    const { decline, waitlist, bookingPage } = await makeTaken(t)
    await decline('evt_1')
    t.match(await waitlist(), /taken, to be paid until .+ payment declined/)
    t.match(await bookingPage(), 'The payment provider declined the payment of €90.00. No money was taken.')
  })

  t.test('has the places booked exactly once when another payment succeeds at the same time', async (t) => {
    const { sql, decline, pay } = await makeTaken(t)
    await Promise.all([decline('evt_1'), pay('evt_2'), decline('evt_3')])
    t.match(await sql`select booked, held from timeslots`, [{ booked: 2, held: 0 }])
  })
})

t.test('a customer who did not pay for an offer in time', async (t) => {
  t.test('gets one e-mail that the places are offered to the next customer', async (t) => {
    const { sql, runOut } = await makeTaken(t)
    await runOut()
    t.equal(await sweepExpiredHolds(sql), 1)
    const [first, ...more] = await receive(t, sql)
    t.equal(more.length, 0)
    t.match(first!.subject, 'Not booked:')
    t.match(first!.text, 'the time to pay for these places has run out.')
    t.match(
      first!.text,
      'The places are no longer held for you, and are offered to the next party on the waitlist.',
    )
  })

  t.test('gets this e-mail, which has no link, also from a worker without SECRET_KEY', async (t) => {
    const { sql, runOut } = await makeTaken(t)
    await runOut()
    t.equal(await sweepExpiredHolds(sql), 1)
    t.match(await receive(t, sql, ''), [{ subject: /^Not booked:/ }])
  })

  t.test('reads that a payment under way buys the places if they are free, or is refunded', async (t) => {
    const { look, runOut } = await makeTaken(t)
    await runOut()
    t.match(
      await look(),
      'Have you just paid? Look again in a minute: you get the places if they are still free, and your money back if they are not.',
    )
  })

  t.test('gets an e-mail that belongs to the trace in which the offer expired', async (t) => {
    const { sql, runOut } = await makeTaken(t)
    await runOut()
    t.equal(await sweepExpiredHolds(sql), 1)
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await sql`update events set trace_context = ${trace} where type = 'booking.expired'`
    await pumpEvents(sql)
    t.match(await sql`select trace_context as trace from emails where kind = 'offer-unpaid'`, [{ trace }])
  })

  t.test('gets no e-mail if the offer was not taken', async (t) => {
    const { sql, offer, runOut } = await makeOffered(t)
    await offer()
    await runOut()
    t.equal(await sweepExpiredHolds(sql), 1)
    t.same(await receive(t, sql), [])
  })
})

t.test(
  'an entry that the previous version ended after a failed payment shows that the payment was declined',
  async (t) => {
    const { sql, look, entry, accountId, offer, press } = await makeOffered(t)
    await offer()
    await press('leave')
    await sql`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, outcome, basket_status)
    values (${accountId}, 'evt_1', '', ${entry.BasketID}, 'failed', '90.00', 'EUR', 'released', 'cancelled')`
    t.match(await look(), 'Your payment was declined. No money was taken.')
  },
)
