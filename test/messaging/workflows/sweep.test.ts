/**
 * When workflows become due, and for which bookings: with clock changes, changed bookings, and workers that
 * were down.
 */
import t, { type Test } from 'tap'
import { sweepWorkflows } from '../../../src/messaging/workflows/sweep.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { clockAt } from '../../clock.ts'
import { bookingBody, bookingPath, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { buildQuay, makeBooking, makeSending, makeWorkflow, openAt, readOutbox } from '../emails/fixtures.ts'
import { startSmtp } from '../emails/smtp.ts'

const day = 24 * 60

/** An operator at noon (UTC) on 1 June 2030, or at `start`. `at` opens its database at another instant. */
async function buildQuayInJune(t: Test, start = '2030-06-01T12:00:00Z') {
  const quay = await buildQuay(t, clockAt(start))
  const at = (instant: string) => openAt(t, quay.url, instant)
  return { ...quay, at, sweep: (sql: Sql) => sweepWorkflows(sql) }
}

async function move(sql: Sql, bookingId: number, date: string): Promise<void> {
  await sql`
    update bookings set timeslot_id = (select min(id) from timeslots where date = ${date}) where id = ${bookingId}`
  await sql`
    insert into events (account_id, booking_id, actor, type, details)
    select account_id, id, 'service', 'booking.moved', '{}' from bookings where id = ${bookingId}`
  await pumpEvents(sql)
}

t.test(
  'a workflow for confirmations finds partners’ bookings, and holds that were confirmed later, each once',
  async (t) => {
    const { app, sql, accountId, headers, product, sweep } = await buildQuayInJune(t)
    await makeBooking(sql, accountId)
    const workflowId = await makeWorkflow(sql, accountId)
    t.equal(await sweep(sql), 0, 'a booking from before the workflow gets no e-mail')
    for (const _ of [1, 2])
      await app.inject({
        method: 'POST',
        url: bookingPath,
        headers,
        payload: bookingBody(product.activityId),
      })
    const held = await makeBooking(sql, accountId, { status: 'held', channel: 'online' })
    t.same(await Promise.all([sweep(sql), sweep(sql)]).then(([one, two]) => one + two), 2)
    await sql`update bookings set status = 'confirmed', confirmed_at = app_now() where id = ${held.id}`
    t.equal(await sweep(sql), 1)
    t.equal(await sweep(sql), 0)
    t.match(await sql`select count(*) from workflow_runs where workflow_id = ${workflowId}`, [{ count: 3 }])
  },
)

t.test('the customer of a reseller gets e-mails only if the reseller asks for it', async (t) => {
  const { sql, accountId, sweep } = await buildQuayInJune(t)
  await makeWorkflow(sql, accountId)
  await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled' })
  await sweep(sql)
  const reserve = async (emailReceipt: boolean) => {
    const { id } = await makeBooking(sql, accountId)
    await sql`
      insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt)
      values (${accountId}, ${id}, 0, gen_random_uuid(), '', ${emailReceipt})`
    return id
  }
  const [asked] = [await reserve(true), await reserve(false)]
  t.equal(await sweep(sql), 1)
  t.same(await sql`select booking_id from emails`, [{ booking_id: asked }])
})

t.test(
  'an offset after the confirmation is respected; another product’s bookings are left out',
  async (t) => {
    const { sql, accountId, at, sweep } = await buildQuayInJune(t)
    const other = await makeProduct(sql, accountId, { name: 'Other' })
    await makeWorkflow(sql, accountId, { offsetMinutes: 60 })
    await makeWorkflow(sql, accountId, { productId: other.id })
    await makeBooking(sql, accountId)
    t.equal(await sweep(at('2030-06-01T12:55:00Z')), 0)
    t.equal(await sweep(at('2030-06-01T13:05:00Z')), 1)
  },
)

t.test('a workflow for cancellations leaves out closures and bookings that were only held', async (t) => {
  const { sql, accountId, sweep } = await buildQuayInJune(t)
  await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled' })
  const cancelled = await makeBooking(sql, accountId, { status: 'cancelled' })
  await makeBooking(sql, accountId, { status: 'cancelled', cancelReason: 'closure' })
  await makeBooking(sql, accountId, { status: 'cancelled', channel: 'online' })
  await makeBooking(sql, accountId)
  t.equal(await sweep(sql), 1)
  t.match(await sql`select booking_id as id from emails`, [{ id: cancelled.id }])
})

t.test(
  'a reminder is sent at the right time, even if the clocks change in the night before the start',
  async (t) => {
    for (const [night, slot, early, due] of [
      // Lisbon is at UTC until 31 March 2030, 01:00, and an hour ahead until 27 October, 01:00 UTC.
      ['spring', '2030-03-31 10:00', '2030-03-30T08:55:00Z', '2030-03-30T09:05:00Z'],
      ['autumn', '2030-10-27 10:00', '2030-10-26T09:55:00Z', '2030-10-26T10:05:00Z'],
    ] as const) {
      const { sql, accountId, at, sweep } = await buildQuayInJune(t, early.replace(/T.*/, 'T00:00:00Z'))
      await makeProduct(sql, accountId, { name: 'Night', slots: { [slot]: 9 } })
      const smtp = await startSmtp(t)
      const body = '{{ date }} {{ time }} {{ starts_at | date: "%H:%M %z" }}'
      await makeWorkflow(sql, accountId, { trigger: 'before-start', offsetMinutes: day, body })
      await makeBooking(sql, accountId, { slot })
      t.equal(await sweep(at(early)), 0, night)
      const later = at(due)
      t.equal(await sweep(later), 1, night)
      t.same(await makeSending(later, { SMTP_URL: smtp.url })(), { sent: 1 })
      const words = night === 'spring' ? 'Sunday 31 March 2030' : 'Sunday 27 October 2030'
      t.match(smtp.received[0]!.mail.text, `${words} 10:00 10:00 +0${night === 'spring' ? 1 : 0}00`)
    }
  },
)

t.test(
  'a booking made after its reminder was due gets no reminder, and a booking made just before gets it late',
  async (t) => {
    const { sql, accountId, at, sweep } = await buildQuayInJune(t)
    await makeWorkflow(sql, accountId, { trigger: 'before-start', offsetMinutes: day })
    await sweep(sql)
    const early = await makeBooking(at('2030-06-14T08:59:00Z'), accountId)
    const late = at('2030-06-14T09:01:00Z')
    const { id } = await makeBooking(late, accountId)
    const sameDay = at('2030-06-15T08:00:00Z')
    await makeBooking(sameDay, accountId)
    t.equal(await sweep(sameDay), 1)
    t.match(await sql`select booking_id as id from emails`, [{ id: early.id }])
    const begun = at('2030-06-15T09:30:00Z')
    await makeBooking(begun, accountId)
    t.equal(await sweep(begun), 0)
    await move(begun, id, '2030-06-16')
    t.equal(
      await sweep(begun),
      1,
      'after its move to a later day, the booking was made before its reminder was due',
    )
  },
)

t.test('a moved booking’s reminder moves with it, and at most one is sent', async (t) => {
  const { sql, accountId, at, sweep } = await buildQuayInJune(t)
  const smtp = await startSmtp(t)
  const workflowId = await makeWorkflow(sql, accountId, { trigger: 'before-start', offsetMinutes: day })
  const before = await makeBooking(sql, accountId)
  const queued = await makeBooking(sql, accountId)
  const nearer = await makeBooking(sql, accountId, { slot: '2030-06-16 10:00' })
  await move(sql, before.id, '2030-06-16')
  const eve = at('2030-06-14T12:00:00Z')
  t.equal(await sweep(eve), 1)
  await move(eve, queued.id, '2030-06-16')
  await move(eve, nearer.id, '2030-06-15')
  t.equal(await sweep(eve), 1, 'the booking that moved to an earlier day')
  t.same(await makeSending(eve, { SMTP_URL: smtp.url })(), { dropped: 1, sent: 1 })
  t.match(smtp.received[0]!.mail.subject, nearer.reference)
  t.match((await readOutbox(sql))[0], { status: 'dropped', reason: /is not due yet/ })
  t.equal(await sweep(eve), 0)
  await move(eve, nearer.id, '2030-06-16')
  const next = at('2030-06-15T12:00:00Z')
  t.equal(await sweep(next), 2)
  t.same(await makeSending(next, { SMTP_URL: smtp.url })(), { sent: 2 })
  t.equal(await sweep(next), 0)
  t.same(
    new Set(smtp.received.map(({ mail }) => mail.subject)),
    new Set([nearer, before, queued].map(({ reference }) => `About ${reference}`)),
  )
  t.match(await sql`select count(*) from workflow_runs where workflow_id = ${workflowId}`, [{ count: 3 }])
})

t.test('a cancelled booking’s reminder is never sent, even if it was queued before', async (t) => {
  const { sql, accountId, at, sweep } = await buildQuayInJune(t)
  const smtp = await startSmtp(t)
  await makeWorkflow(sql, accountId, { trigger: 'before-start', offsetMinutes: day })
  const cancel = (id: number) =>
    sql`update bookings set status = 'cancelled', cancelled_at = app_now(), cancel_reason = 'operator' where id = ${id}`
  const [early, late] = [await makeBooking(sql, accountId), await makeBooking(sql, accountId)]
  await cancel(early.id)
  const eve = at('2030-06-14T12:00:00Z')
  t.equal(await sweep(eve), 1)
  await cancel(late.id)
  t.same(await makeSending(eve, { SMTP_URL: smtp.url })(), { dropped: 1 })
  t.same(smtp.received, [])
})

t.test('an e-mail after the end waits for the product’s duration, and no-shows get none', async (t) => {
  const { sql, accountId, at, sweep } = await buildQuayInJune(t)
  await makeWorkflow(sql, accountId, { trigger: 'after-end', offsetMinutes: 30 })
  const [, absent] = [await makeBooking(sql, accountId), await makeBooking(sql, accountId)]
  await sql`update bookings set attendance = 'no-show' where id = ${absent.id}`
  // The timeslot begins at 09:00 UTC and takes 90 minutes.
  t.equal(await sweep(at('2030-06-15T10:55:00Z')), 0)
  t.equal(await sweep(at('2030-06-15T11:05:00Z')), 1)
})

t.test('no e-mail is lost when no worker ran for days, or when a booking commits late', async (t) => {
  const { sql, accountId, at, sweep } = await buildQuayInJune(t)
  await makeWorkflow(sql, accountId, { trigger: 'after-end', offsetMinutes: 0 })
  await makeWorkflow(sql, accountId)
  await sweep(sql)
  await makeBooking(sql, accountId)
  await makeBooking(sql, accountId, { slot: '2030-06-16 10:00' })
  const back = at('2030-06-20T12:00:00Z')
  await sql.begin(async (tx) => {
    const [late] = await tx<{ id: number }[]>`select min(id) as id from timeslots`
    await sweep(at('2030-06-01T12:30:00Z'))
    await tx`
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
        unit_price_minor, currency, answers, confirmed_at)
      select account_id, nextval('booking_ids'), basket_id, ${late!.id}, 'LATE', 'partner', 'confirmed', 1,
        unit_price_minor, currency, '[]', app_now()
      from bookings limit 1`
  })
  await sweep(back)
  t.match(await sql`select count(*) from workflow_runs`, [{ count: 6 }])
})

t.test(
  'a workflow that is switched on, or gets another trigger, sends no e-mails that were due before',
  async (t) => {
    const { sql, accountId, call, at, sweep } = await buildQuayInJune(t)
    const workflow = {
      Name: 'Thanks',
      Trigger: 'booking-confirmed',
      OffsetMinutes: 0,
      Subject: 'Thanks',
      Body: 'Thank you.',
      Active: false,
    }
    const { WorkflowID } = (await call('POST', '/workflows', workflow)).json().data
    await makeBooking(sql, accountId)
    await call('PUT', `/workflows/${WorkflowID}`, { ...workflow, Active: true })
    t.equal(await sweep(sql), 0)
    await makeBooking(sql, accountId)
    await call('PUT', `/workflows/${WorkflowID}`, { ...workflow, Active: true, Body: 'Thanks!' })
    t.equal(await sweep(sql), 1, 'a change of the text does not restart the workflow')
    await makeBooking(sql, accountId)
    await call('PUT', `/workflows/${WorkflowID}`, {
      ...workflow,
      Active: true,
      Trigger: 'before-start',
      OffsetMinutes: 14 * day,
    })
    t.equal(await sweep(sql), 0, 'the reminders of all were due before')
    await makeBooking(sql, accountId, { slot: '2030-06-16 10:00' })
    t.equal(await sweep(at('2030-06-02T09:10:00Z')), 1)
  },
)
