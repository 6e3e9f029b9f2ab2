/** Messages to all bookings of a timeslot: who gets one, that nobody gets it twice, and which text it has. */
import t, { type Test } from 'tap'
import { listRecipients, previewMessage } from '../../../src/messaging/messages/service.ts'
import { pumpEvents } from '../../pump.ts'
import { buildQuay, byTheClock, makeBooking, makeSending } from '../emails/fixtures.ts'
import { startSmtp } from '../emails/smtp.ts'

const message = { Subject: 'Pier 3, {{ customer.first_name }}', Body: 'Come to pier 3 at {{ time }}.' }

async function prepare(t: Test) {
  const quay = await buildQuay(t)
  const [slot] = await quay.sql<{ id: number }[]>`select id from timeslots order by date limit 1`
  const path = `/timeslots/${slot!.id}/messages`
  const write = (body: object = message, more: object = {}) => quay.call('POST', path, body, more)
  return { ...quay, slotId: slot!.id, write }
}

t.test('a message goes to each confirmed booking of the timeslot that has an address', async (t) => {
  const { sql, accountId, write } = await prepare(t)
  const smtp = await startSmtp(t)
  await makeBooking(sql, accountId, { email: 'ada@example.com' })
  await makeBooking(sql, accountId, { email: 'grace@example.com', firstName: 'Grace' })
  const silent = await makeBooking(sql, accountId, { email: null })
  await makeBooking(sql, accountId, { status: 'cancelled' })
  await makeBooking(sql, accountId, { slot: '2030-06-16 10:00' })
  const answer = await write()
  t.equal(answer.statusCode, 201)
  t.match(answer.json(), { data: { Emailed: 2, Untold: [silent.reference] } })
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 2 })
  const mails = smtp.received.map(({ mail }) => `${mail.subject} ${mail.text?.trim()}`).sort()
  t.same(mails, ['Pier 3, Ada Come to pier 3 at 10:00.', 'Pier 3, Grace Come to pier 3 at 10:00.'])
  await pumpEvents(sql)
  t.same(await sql`select details from events where type = 'booking.messaged'`, [
    { details: {} },
    { details: {} },
  ])
  t.match(await sql`select count(*)::integer as open from timeslots where status = 'open'`, [{ open: 2 }])
})

t.test('the preview and the e-mail name the product in the language of the customer', async (t) => {
  const { sql, accountId, write, call, product, slotId: timeslotId } = await prepare(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId, { email: 'rui@example.com' })
  await sql`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt, contact)
    values (${accountId}, ${id}, 0, gen_random_uuid(), '', true, ${sql.json({ locales: ['pt'] })})`
  const Translations = [{ Language: 'pt', Name: 'Caiaque' }]
  t.equal((await call('PUT', `/products/${product.id}/translations`, { Translations })).statusCode, 200)
  const template = { subject: '{{ product.name }}', body: '{{ product.name }}' }
  const preview = await previewMessage(sql, accountId, { timeslotId, template, renders: byTheClock() })
  t.equal(preview?.words?.subject, 'Caiaque')
  await write({ Subject: '{{ product.name }}', Body: '{{ product.name }}' })
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  t.equal(smtp.received[0]!.mail.subject, 'Caiaque')
})

t.test('a message that is retried with its idempotency key is queued once', async (t) => {
  const { sql, accountId, write } = await prepare(t)
  await makeBooking(sql, accountId)
  for (const _ of [1, 2]) t.equal((await write(message, { 'idempotency-key': 'one' })).statusCode, 201)
  t.match(await sql`select count(*)::integer as count from emails`, [{ count: 1 }])
})

t.test('the customer of a reseller that notifies its customers itself gets no message', async (t) => {
  const { sql, accountId, write } = await prepare(t)
  const { id, reference } = await makeBooking(sql, accountId)
  await sql`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt)
    values (${accountId}, ${id}, 0, gen_random_uuid(), '', false)`
  t.match((await write()).json(), { data: { Emailed: 0, Untold: [reference] } })
})

t.test(
  'a message is not sent for a booking that was moved or cancelled before the e-mail went',
  async (t) => {
    const { sql, accountId, write } = await prepare(t)
    const [moved, cancelled] = [await makeBooking(sql, accountId), await makeBooking(sql, accountId)]
    await write()
    await sql`
    update bookings set timeslot_id = (select max(id) from timeslots) where id = ${moved.id}`
    await sql`
    update bookings set status = 'cancelled', cancelled_at = app_now(), cancel_reason = 'customer'
    where id = ${cancelled.id}`
    t.same(await makeSending(sql, {})(), { dropped: 2 })
    t.match(await sql`select reason, details from emails order by booking_id`, [
      { reason: 'The booking has moved to another timeslot.', details: {} },
      { reason: 'The booking is cancelled.' },
    ])
  },
)

t.test('422 names the fields of templates that cannot be rendered, and nothing is queued', async (t) => {
  const { sql, accountId, write } = await prepare(t)
  await makeBooking(sql, accountId)
  const answer = await write({ Subject: '{{ nobody }}', Body: '{% if %}' })
  t.equal(answer.statusCode, 422)
  t.same(
    answer.json().errors.map(({ field }: { field: string }) => field),
    ['Subject', 'Body'],
  )
  t.same(await sql`select from emails`, [])
})

t.test('429 says when an account may send again after it has reached its daily limit', async (t) => {
  const { sql, accountId, write } = await prepare(t)
  const { id } = await makeBooking(sql, accountId)
  await sql`
    insert into emails (account_id, kind, booking_id, status, sent_at)
    select ${accountId}, 'message', ${id}, 'sent', app_now() from generate_series(1, 10000)`
  const answer = await write()
  t.equal(answer.statusCode, 429)
  t.ok(Number(answer.headers['retry-after']) > 86_000)
})

t.test('a message to more bookings than are listed goes to all; the response counts them all', async (t) => {
  const { sql, accountId, write, slotId } = await prepare(t)
  await makeBooking(sql, accountId)
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers,
      unit_price_minor, currency, confirmed_at, email)
    select account_id, nextval('booking_ids'), basket_id, ${slotId}, gen_random_uuid(), channel, status, participants,
      answers, unit_price_minor, currency, confirmed_at, 'ada@example.com'
    from bookings cross join generate_series(1, 2100)`
  t.match((await write()).json(), { data: { Emailed: 2101, Untold: [] } })
  t.match(await listRecipients(sql, accountId, slotId), {
    emailed: 2101,
    isCut: true,
    written: { length: 2000 },
  })
})
