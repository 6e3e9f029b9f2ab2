/** Workflows that notify customers of moves and cancellations, and changes without a notification. */
import t, { type Test } from 'tap'
import { defaultWorkflows } from '../../../src/messaging/workflows/defaults.ts'
import { sweepWorkflows } from '../../../src/messaging/workflows/sweep.ts'
import { bookingBody, bookingPath, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { buildQuay, makeSending, makeWorkflow } from '../emails/fixtures.ts'
import { startSmtp } from '../emails/smtp.ts'

const [first, second] = ['2030-06-15', '2030-06-16'] as const

async function prepare(t: Test) {
  const quay = await buildQuay(t)
  const { sql, call } = quay
  const change = async (action: 'move' | 'cancel' | 'amend', reference: string, body: object) => {
    const { statusCode } = await call('POST', `/bookings/${reference}/${action}`, body)
    t.equal(statusCode, 200)
    await pumpEvents(sql)
    await sweepWorkflows(sql)
  }
  const move = (reference: string, date: string, more: object = {}) =>
    change('move', reference, { Date: date, Time: '10:00', ...more })
  /** Books as a partner does. Returns the id and the reference. */
  const place = async () => {
    const payload = bookingBody(quay.product.activityId)
    const made = await quay.app.inject({ method: 'POST', url: bookingPath, headers: quay.headers, payload })
    const reference = made.json().data.BookingReference as string
    const [booking] = await sql<{ id: number }[]>`select id from bookings where reference = ${reference}`
    return { id: booking!.id, reference }
  }
  const queued = async () => {
    const [row] = await sql<{ queued: number }[]>`
      select count(*)::integer as queued from emails where status = 'queued'`
    return row!.queued
  }
  return { ...quay, change, move, place, queued }
}

t.test(
  'the customer of a moved booking gets an e-mail with both timeslots, and another after the next move',
  async (t) => {
    const { sql, accountId, move, place, queued } = await prepare(t)
    const smtp = await startSmtp(t)
    const send = makeSending(sql, { SMTP_URL: smtp.url })
    const body = '{{ moved_from.date }} {{ moved_from.time }} to {{ date }} {{ time }}'
    await makeWorkflow(sql, accountId, { trigger: 'booking-moved', body })
    const { reference } = await place()
    await move(reference, second)
    t.equal(await queued(), 1)
    t.same(await send(), { sent: 1 })
    t.match(smtp.received[0]!.mail.text, 'Saturday 15 June 2030 10:00 to Sunday 16 June 2030 10:00')
    await move(reference, first)
    t.same(await send(), { sent: 1 })
    t.match(smtp.received[1]!.mail.text, 'Sunday 16 June 2030 10:00 to Saturday 15 June 2030 10:00')
  },
)

t.test('the e-mail of a move to another product names the earlier product and its time', async (t) => {
  const { sql, accountId, move, place } = await prepare(t)
  const smtp = await startSmtp(t)
  const { activityId } = await makeProduct(sql, accountId, {
    name: 'Sunset tour',
    slots: { [`${second} 10:00`]: 8 },
  })
  await makeWorkflow(sql, accountId, defaultWorkflows['booking-moved'])
  const { reference } = await place()
  await move(reference, second, { ActivityID: activityId })
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  const { subject, text } = smtp.received[0]!.mail
  t.match(subject, 'Moved: Sunset tour')
  t.match(text, 'your booking is moved from Kayak, Saturday 15 June 2030 at 10:00. It is now:')
  t.match(text, 'Sunset tour\nSunday 16 June 2030 at 10:00')
})

t.test(
  'two moves before the e-mail is sent are in one e-mail, with the timeslot before the first of them',
  async (t) => {
    const { sql, accountId, move, place, queued } = await prepare(t)
    await makeWorkflow(sql, accountId, { trigger: 'booking-moved' })
    const { reference } = await place()
    await move(reference, second)
    await move(reference, first)
    t.equal(await queued(), 1)
    t.match(await sql`select details from emails`, [
      { details: { MovedFrom: { Date: first, Time: '10:00' } } },
    ])
  },
)

t.test(
  'the customer of a booking whose party changed gets an e-mail with the party before and after',
  async (t) => {
    const { sql, accountId, change, place, queued } = await prepare(t)
    const smtp = await startSmtp(t)
    const send = makeSending(sql, { SMTP_URL: smtp.url })
    const body = '{{ party_before.units }} ({{ party_before.participants }}) to {{ booking.units }}'
    await makeWorkflow(sql, accountId, { trigger: 'booking-amended', body })
    const { reference } = await place()
    await change('amend', reference, { Participants: 3 })
    t.same(await send(), { sent: 1 })
    t.match(smtp.received[0]!.mail.text, '2 people (2) to 3 people')
    await change('amend', reference, { Participants: 1 })
    await change('amend', reference, { Participants: 2 })
    t.equal(await queued(), 1, 'two changes before the e-mail is sent are in one e-mail')
    t.same(await send(), { sent: 1 })
    t.match(smtp.received[1]!.mail.text, '3 people (3) to 2 people')
    await change('amend', reference, { Participants: 3, TellCustomer: false })
    t.equal(await queued(), 0)
  },
)

t.test('a change with TellCustomer false sends no e-mail', async (t) => {
  const { sql, accountId, change, move, place, queued } = await prepare(t)
  await makeWorkflow(sql, accountId, { trigger: 'booking-moved' })
  await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled' })
  const { reference, id } = await place()
  await move(reference, second, { TellCustomer: false })
  await change('cancel', reference, { TellCustomer: false })
  t.equal(await queued(), 0)
  const notified = await place()
  await move(notified.reference, second, { TellCustomer: true })
  await change('cancel', notified.reference, {})
  t.equal(await queued(), 2)
  t.match(
    await sql`
    select details from events
    where booking_id = ${id} and type in ('booking.moved', 'booking.cancelled') order by id`,
    [{ details: { TellCustomer: false } }, { details: { TellCustomer: false } }],
  )
})

t.test(
  'a workflow for moves leaves out earlier moves, moves by closures, and customers whom a reseller notifies',
  async (t) => {
    const { sql, accountId, move, call, place, queued } = await prepare(t)
    const before = await place()
    await move(before.reference, second)
    const workflow = {
      ...{ Name: 'Moved', Trigger: 'booking-moved', OffsetMinutes: 0, Active: true },
      ...{ Subject: 'Moved', Body: '{{ moved_from.date }}' },
    }
    t.equal((await call('POST', '/workflows', workflow)).statusCode, 201)
    t.equal(await queued(), 0)
    const { id, reference } = await place()
    await sql`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt)
    values (${accountId}, ${id}, 0, gen_random_uuid(), '', false)`
    await move(reference, second)
    t.equal(await queued(), 0)
    await place()
    const closed = await call('POST', '/closures', { Date: first, Action: 'move', MoveTo: { Date: second } })
    t.match(closed.json(), { data: { Totals: { Moved: 1 } } })
    await pumpEvents(sql)
    t.match(await sql`select kind from emails where status = 'queued'`, [{ kind: 'closure' }])
  },
)

/**
 * A sale of two places for 90.00, which cost 60.00 on the second day. `lastText` sends the e-mail about the
 * last move, and returns its text.
 */
async function preparePriced(t: Test) {
  const { sql, accountId, product, call, move } = await prepare(t)
  const smtp = await startSmtp(t)
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 3000 })} where date = ${second}`
  await makeWorkflow(sql, accountId, { ...defaultWorkflows['booking-moved'], offsetMinutes: 0 })
  const sold = await call('POST', '/bookings', {
    ...{ ActivityID: product.activityId, Date: first, Time: '10:00', Participants: 2 },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    Payment: { Method: 'cash' },
  })
  const { BookingReference: reference } = sold.json().data
  const lastText = async () => {
    t.same(await send(), { sent: 1 })
    return smtp.received.at(-1)!.mail.text ?? ''
  }
  return { sql, move, reference: reference as string, lastText }
}

t.test(
  'the e-mail of a move at today’s price says what is paid back, and what is still to be paid',
  async (t) => {
    const { move, reference, lastText } = await preparePriced(t)
    const current = { Price: 'current' }
    await move(reference, second, { ...current, Refund: { Amount: '20.00' } })
    const cheaper = await lastText()
    t.match(cheaper, 'at 10:00\n2 people\nPrice: €60.00\nBooking reference')
    t.match(cheaper, 'You get back €20.00.')
    t.notMatch(cheaper, 'Still to be paid')
    await move(reference, first, current)
    const dearer = await lastText()
    t.match(dearer, 'Still to be paid: €10.00.', 'the due refund of €20.00 was set off')
    t.notMatch(dearer, 'You get back')
    await move(reference, second, { ...current, Refund: { Choice: 'none' } })
    t.notMatch(await lastText(), 'You get back', 'the refund of an earlier move is not in the e-mail')
  },
)

t.test('the e-mail of a move says what is still to be paid back of earlier changes', async (t) => {
  const { sql, move, reference, lastText } = await preparePriced(t)
  const current = { Price: 'current' }
  await move(reference, second, { ...current, Refund: { Choice: 'full' } })
  const cheaper = await lastText()
  t.match(cheaper, 'You get back €30.00.')
  t.notMatch(cheaper, 'still to be paid back')
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 4000 })} where date = ${first}`
  await move(reference, first, current)
  const dearer = await lastText()
  t.match(dearer, 'With your earlier changes, €10.00 is still to be paid back to you.', '€20.00 was set off')
  t.notMatch(dearer, 'You get back')
})

t.test('an e-mail about two moves has the sum of both refunds', async (t) => {
  const { sql, accountId, product, call, move } = await prepare(t)
  const smtp = await startSmtp(t)
  await sql`update products set has_own_prices = true`
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 3000 })} where date = ${second}`
  await makeWorkflow(sql, accountId, { trigger: 'booking-moved', body: 'Back: {{ booking.refund }}.' })
  const sold = await call('POST', '/bookings', {
    ...{ ActivityID: product.activityId, Date: first, Time: '10:00', Participants: 2 },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    Payment: { Method: 'cash' },
  })
  const { BookingReference: reference } = sold.json().data
  const current = { Price: 'current', Refund: { Choice: 'full' } }
  await move(reference, second, current)
  await sql`update timeslots set unit_prices = ${sql.json({ 0: 2500 })} where date = ${first}`
  await move(reference, first, current)
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  t.match(smtp.received[0]!.mail.text, 'Back: €40.00.')
})

t.test('a confirmation is queued when its event is numbered, once, and before later e-mails', async (t) => {
  const { sql, accountId, move, place } = await prepare(t)
  const smtp = await startSmtp(t)
  await makeWorkflow(sql, accountId, { subject: 'Confirmed' })
  await makeWorkflow(sql, accountId, { subject: 'Later', offsetMinutes: 60 })
  await makeWorkflow(sql, accountId, { trigger: 'booking-moved', subject: 'Moved' })
  const { reference } = await place()
  await pumpEvents(sql)
  await move(reference, second)
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 2 })
  t.same(
    smtp.received.map(({ mail }) => mail.subject),
    ['Confirmed', 'Moved'],
  )
})

t.test(
  'the e-mail about a cancellation is queued when its event is numbered, once, unless TellCustomer is false',
  async (t) => {
    const { sql, accountId, call, place, queued } = await prepare(t)
    await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled' })
    const [notified, silent] = [await place(), await place()]
    await call('POST', `/bookings/${notified.reference}/cancel`, {})
    await call('POST', `/bookings/${silent.reference}/cancel`, { TellCustomer: false })
    await pumpEvents(sql)
    t.equal(await queued(), 1)
    t.equal(await sweepWorkflows(sql), 0, 'the sweep finds nothing more')
    t.match(await sql`select booking_id from emails`, [{ booking_id: notified.id }])
  },
)

t.test(
  'if many workflows apply to an event, ten e-mails are queued when it is numbered, and the others by the sweep',
  async (t) => {
    const { sql, accountId, place, queued, product } = await prepare(t)
    for (let n = 0; n < 7; n++) await makeWorkflow(sql, accountId, { subject: `All ${n}` })
    for (let n = 0; n < 7; n++)
      await makeWorkflow(sql, accountId, { subject: `One ${n}`, productId: product.id })
    await place()
    await pumpEvents(sql)
    t.equal(await queued(), 10)
    await sweepWorkflows(sql)
    t.equal(await queued(), 14)
  },
)

t.test('a new workflow sends no confirmation for bookings that were confirmed before', async (t) => {
  const { sql, accountId, place, queued } = await prepare(t)
  await place()
  await makeWorkflow(sql, accountId)
  await pumpEvents(sql)
  t.equal(await queued(), 0)
})
