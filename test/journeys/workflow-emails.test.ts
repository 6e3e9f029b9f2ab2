/** An operator makes a workflow, a partner books, the customer gets the e-mail, and the summary shows the meter. */

import { bookingBody, bookingPath, makeCaller, makeProduct } from '../helper.ts'
import { startSmtp } from '../messaging/emails/smtp.ts'
import { buildUsage, everyDay, onBothStores } from '../metering/fixtures.ts'
import { until } from '../until.ts'

await onBothStores(
  'the confirmation of a workflow is sent, and a built-in meter counts it, beside a meter of the caller',
  async (t, store) => {
    const smtp = await startSmtp(t)
    const quay = await buildUsage(t, store, {
      environment: { SMTP_URL: smtp.url, MAIL_FROM: 'quay@booking.test' },
    })
    const { app, sql, accountId, services, record, summarize } = quay
    const { headers } = await makeCaller(sql, { scopes: ['ota', 'operator'] })
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload })
    const made = await post('/api/v2/operator/workflows', {
      Name: 'Confirmation',
      Trigger: 'booking-confirmed',
      OffsetMinutes: 0,
      Subject: 'Booking {{ booking.reference }}',
      Body: 'Dear {{ customer.first_name }}, see you on {{ date }} at {{ time }}.',
      Active: true,
    })
    t.equal(made.statusCode, 201)
    const booked = await post(bookingPath, bookingBody(activityId))
    const { BookingReference } = booked.json().data
    await record({ Meter: 'guides', Usage: 3 })
    await services.queue.add('workflows.sweep', {})
    await until(() => smtp.received.length === 1)
    t.match(smtp.received[0], {
      to: 'ada@example.com',
      mail: {
        subject: `Booking ${BookingReference}`,
        text: 'Dear Ada, see you on Saturday 15 June 2030 at 10:00.\n',
      },
    })
    await until(async () => (await sql`select from emails where status = 'sent'`).length === 1)
    t.same((await summarize(everyDay)).summary.Meters, [
      { Meter: 'guides', TotalUsage: 3, EventCount: 1 },
      { Meter: 'order-completed', TotalUsage: 1, EventCount: 1 },
      { Meter: 'workflow-email-sent', TotalUsage: 1, EventCount: 1 },
    ])
    await until(async () => (await sql`select from events where number is null`).length === 0)
    const entries = await sql`select extra_info from meter_entries where meter = 'workflow-email-sent'`
    t.same(entries, [{ extra_info: '{}' }])
    const listed = await app.inject({
      url: `/api/v2/operator/emails?BookingReference=${BookingReference}`,
      headers,
    })
    t.match(listed.json().data, [{ Status: 'sent', Kind: 'workflow', Attempts: 1 }])
  },
)
