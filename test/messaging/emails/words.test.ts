/** The texts of built-in e-mails and of workflows, as they arrive. */
import t, { type Test } from 'tap'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { pumpEvents } from '../../pump.ts'
import { buildQuay, makeBooking, makeEmails, makeSending, makeWorkflow } from './fixtures.ts'
import { startSmtp } from './smtp.ts'

/** Sends a built-in e-mail about a new booking. Returns its subject, its text and the booking. */
async function sendAboutBooking(t: Test, row: { kind: string; details?: object }, status = 'confirmed') {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const booking = await makeBooking(sql, accountId, { status, cancelReason: 'closure' })
  await makeEmails(sql, accountId, [{ ...row, bookingId: booking.id }])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  const { subject = '', text = '' } = smtp.received[0]!.mail
  return { subject, text, ...booking }
}

t.test('a confirmation has the product, the time, the party and the booking reference', async (t) => {
  const { subject, text, reference } = await sendAboutBooking(t, { kind: 'confirmation' })
  t.equal(subject, `Booking ${reference}: Kayak`)
  for (const words of [
    'Dear Ada,',
    'Saturday 15 June 2030 at 10:00 (Europe/Lisbon)',
    '2 people',
    reference,
    'quay',
  ])
    t.match(text, words)
})

t.test('a confirmation links to the tickets, and the account’s own text can do so too', async (t) => {
  const { text } = await sendAboutBooking(t, { kind: 'confirmation' })
  t.match(text, /Your tickets, to show at the start:\n\S+\/tickets\/\S+\n/)
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  await makeWorkflow(sql, accountId, { body: 'Tickets: {{ booking.tickets_url }}' })
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  await makeSending(sql, { SMTP_URL: smtp.url })()
  t.match(smtp.received[0]!.mail.text, /Tickets: \S+\/tickets\/\S+/)
})

t.test(
  'a confirmation prefers the account’s own text for the product over that for all products',
  async (t) => {
    const { sql, accountId, product } = await buildQuay(t)
    const smtp = await startSmtp(t)
    await makeWorkflow(sql, accountId, { subject: 'For all' })
    await makeWorkflow(sql, accountId, { subject: 'Switched off', productId: product.id, active: false })
    const { id } = await makeBooking(sql, accountId)
    const send = makeSending(sql, { SMTP_URL: smtp.url })
    await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
    await send()
    await makeWorkflow(sql, accountId, { subject: 'For kayaks', productId: product.id })
    await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
    await send()
    t.same(
      smtp.received.map(({ mail }) => mail.subject),
      ['For all', 'For kayaks'],
    )
  },
)

t.test('the e-mail about a cancellation by a closure has the operator’s text', async (t) => {
  const details = {
    ...{ Action: 'cancelled', Message: 'The sea is too rough.\nWe pay back.' },
    ...{ FromDate: '2030-06-15', FromTime: '10:00' },
  }
  const { subject, text, reference } = await sendAboutBooking(t, { kind: 'closure', details }, 'cancelled')
  t.equal(subject, 'Cancelled: Kayak on Saturday 15 June 2030')
  t.match(text, 'your booking is cancelled')
  t.match(text, 'The sea is too rough.\nWe pay back.')
  t.match(text, reference)
})

t.test('the e-mail about a closure says what is paid back, or who refunds a partner’s sale', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const details = { Action: 'cancelled', Message: null, FromDate: '2030-06-15', FromTime: '10:00' }
  const cases: [string | null, 'pos' | 'partner', string | null][] = [
    ['4550', 'pos', 'We pay back €45.50.'],
    ['0', 'pos', 'Your payment is not refunded.'],
    [null, 'pos', null],
    ['4550', 'partner', 'For a refund, please ask the company that you booked with.'],
  ]
  for (const [refundMinor, channel, words] of cases) {
    const settings = { status: 'cancelled', cancelReason: 'closure', channel } as const
    const { id, basketId } = await makeBooking(sql, accountId, settings)
    await sql`
      update bookings set confirmed_at = app_now(), refund_minor = ${refundMinor}::text::bigint where id = ${id}`
    if (refundMinor !== null)
      await sql`
        insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
        values (${accountId}, ${basketId}, 'payment', 'card', 9000, 'EUR', 'key')`
    await makeEmails(sql, accountId, [{ kind: 'closure', details, bookingId: id }])
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    const { text = '' } = smtp.received.at(-1)!.mail
    if (words) t.match(text, words)
    else t.notMatch(text, /pay back|paid/)
  }
})

t.test('the e-mail about a move by a closure has the old and the new timeslot', async (t) => {
  const details = { Action: 'moved', FromDate: '2030-06-14', FromTime: '09:30' }
  const { subject, text } = await sendAboutBooking(t, { kind: 'closure', details })
  t.equal(subject, 'Moved: Kayak on Friday 14 June 2030')
  t.match(text, 'Friday 14 June 2030 at 09:30 cannot take place')
  t.match(text, 'Saturday 15 June 2030 at 10:00')
})

t.test(
  'an e-mail about a waitlist offer links to the offer, and says when it ends in the product’s time zone',
  async (t) => {
    const { sql, accountId } = await buildQuay(t)
    const smtp = await startSmtp(t)
    const { id, basketId } = await makeBooking(sql, accountId, { status: 'held', channel: 'online' })
    await sql`update baskets set expires_at = '2030-06-14 18:30+00' where id = ${basketId}`
    const [entry] = await sql<{ id: number }[]>`
    insert into waitlist_entries (account_id, booking_id, timeslot_id, status, offered_at)
    select account_id, id, timeslot_id, 'offered', app_now() from bookings returning id`
    await makeEmails(sql, accountId, [{ kind: 'waitlist-offer', bookingId: id, entryId: entry!.id }])
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    const { text = '', html = '' } = smtp.received[0]!.mail
    t.match(text, 'until Friday 14 June 2030 at 19:30 (Europe/Lisbon)')
    const link = /http:\/\/booking\.test\/waitlist\/[\w-]+\.[\w-]+/.exec(text)![0]
    t.match(html, `<a class="button" href="${link}"`)
    await sql`update waitlist_entries set status = 'left'`
    await makeEmails(sql, accountId, [{ kind: 'waitlist-offer', bookingId: id, entryId: entry!.id }])
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { dropped: 1 })
  },
)

/**
 * Gives the first timeslot two periods of opening hours: in the morning, and from the evening to after
 * midnight.
 */
async function openAllDay(sql: Sql): Promise<void> {
  const hours = [
    { opens: '10:00', closes: '13:00' },
    { opens: '17:00', closes: '01:00' },
  ]
  await sql`
    update timeslots set opening_hours = ${sql.json(hours)},
      closes_at = last_closing(date, ${sql.json(hours)}, 'Europe/Lisbon')
    where date = '2030-06-15'`
}
const openHours = 'open 10:00–13:00 and 17:00–01:00'

t.test('e-mails of an all-day booking', async (t) => {
  t.test('a confirmation has the opening hours and no start time', async (t) => {
    const { sql, accountId } = await buildQuay(t)
    await openAllDay(sql)
    const smtp = await startSmtp(t)
    const { id } = await makeBooking(sql, accountId)
    await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    const { text = '' } = smtp.received[0]!.mail
    t.match(text, `Saturday 15 June 2030, ${openHours} (Europe/Lisbon)`)
    t.notMatch(text, 'at 10:00')
  })

  t.test(
    'booking.all_day is shown as yes or no in the account’s language, and can be used in conditions',
    async (t) => {
      for (const [locale, expected] of [
        ['en-GB', ['no no', 'yes yes']],
        ['pt-PT', ['não no', 'sim yes']],
      ] as const) {
        const { sql, accountId } = await buildQuay(t)
        await sql`insert into business_details (account_id, locale) values (${accountId}, ${locale})`
        await openAllDay(sql)
        const smtp = await startSmtp(t)
        const subject =
          '{{ booking.all_day }} {% if booking.all_day == true and booking.all_day %}yes{% else %}no{% endif %}'
        const workflowId = await makeWorkflow(sql, accountId, { subject, body: '{{ booking.reference }}' })
        for (const slot of ['2030-06-15 10:00', '2030-06-16 10:00']) {
          const { id } = await makeBooking(sql, accountId, { slot })
          await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: id, workflowId }])
        }
        t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 2 })
        t.same(smtp.received.map(({ mail }) => mail.subject).sort(), expected)
      }
    },
  )

  t.test('a workflow can distinguish opening hours from a start', async (t) => {
    const { sql, accountId } = await buildQuay(t)
    await openAllDay(sql)
    const smtp = await startSmtp(t)
    const subject =
      '{% if booking.all_day %}Open {{ booking.opening_hours }}{% else %}At {{ time }}{% endif %}'
    const workflowId = await makeWorkflow(sql, accountId, { subject, body: 'Until {{ ends_at }}' })
    for (const slot of ['2030-06-15 10:00', '2030-06-16 10:00']) {
      const { id } = await makeBooking(sql, accountId, { slot })
      await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: id, workflowId }])
    }
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 2 })
    const received = smtp.received.map(({ mail }) => [mail.subject, mail.text?.trim()]).sort()
    t.same(received, [
      ['At 10:00', 'Until Sunday 16 June 2030 at 11:30'],
      ['Open 10:00–13:00 and 17:00–01:00', 'Until Sunday 16 June 2030 at 01:00'],
    ])
  })

  t.test(
    'an e-mail about a closure says that the product is closed, and has the booking’s new timeslot',
    async (t) => {
      const { sql, accountId, call } = await buildQuay(t)
      await openAllDay(sql)
      const [slot] = await sql<{ id: number }[]>`select id from timeslots where opening_hours is not null`
      const smtp = await startSmtp(t)
      const send = makeSending(sql, { SMTP_URL: smtp.url })
      await makeBooking(sql, accountId)
      await sql`update timeslots set booked = 2 where opening_hours is not null`
      const MoveTo = { Date: '2030-06-16' }
      const closed = await call('POST', '/closures', { TimeslotID: slot!.id, Action: 'move', MoveTo })
      t.equal(closed.statusCode, 200)
      await pumpEvents(sql)
      t.same(await send(), { sent: 1 })
      const { text = '' } = smtp.received[0]!.mail
      t.match(text, 'Kayak is closed on Saturday 15 June 2030. We have moved your booking:')
      t.match(text, 'Sunday 16 June 2030 at 10:00')
      t.notMatch(text, '15 June 2030 at')
    },
  )
})

t.test('a test e-mail without a workflow is sent to the given address', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  await makeEmails(sql, accountId, [{ kind: 'test', details: { To: 'office@example.com' } }])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  t.match(smtp.received, [{ to: 'office@example.com', mail: { subject: 'Test e-mail of quay' } }])
})
