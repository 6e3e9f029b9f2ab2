/** The pages of e-mails: workflows, their previews and tests, and the outbox. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../helper.ts'
import { makeBooking, makeEmails, makeWorkflow, readOutbox, slotStart } from '../messaging/emails/fixtures.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const reminder = {
  Name: 'Reminder',
  Trigger: 'before-start',
  OffsetMinutes: '1440',
  ProductID: '',
  Subject: 'See you on {{ date }}',
  Body: 'Dear {{ customer.first_name }},\r\n<b>{{ product.name }}</b> begins at {{ time }}.',
  Active: ['true', 'false'],
}
const list = '/dashboard/emails/workflows'

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const user = await dashboard.signIn('staff')
  const { sql, accountId } = dashboard
  const product = await makeProduct(sql, accountId, { name: 'Kayak', slots: { [slotStart]: 10 } })
  const workflows = () => sql`select name, offset_minutes, product_id, subject, body, active from workflows`
  const version = async (id: number) => hidden((await user.get(`${list}/${id}`)).body, 'Version')
  return { ...dashboard, ...user, product, workflows, version }
}

t.test('workflows', async (t) => {
  t.test('a workflow is made once if the form is sent twice, and is listed', async (t) => {
    const { get, post, workflows } = await prepare(t)
    for (const _ of [1, 2]) t.equal((await post(`${list}/new`, reminder, { once: 'one' })).statusCode, 303)
    t.same(await workflows(), [
      {
        name: 'Reminder',
        offset_minutes: 1440,
        product_id: null,
        subject: 'See you on {{ date }}',
        body: 'Dear {{ customer.first_name }},\n<b>{{ product.name }}</b> begins at {{ time }}.',
        active: true,
      },
    ])
    t.match((await get(list)).body, '1 day before the start, for all products')
  })

  t.test('422 and 409 show the form again with the typed values and the errors', async (t) => {
    const { post, workflows, version, sql } = await prepare(t)
    const wrong = await post(`${list}/new`, { ...reminder, Subject: 'See {{ nobody }}', OffsetMinutes: '0' })
    t.equal(wrong.statusCode, 422)
    for (const name of ['Subject', 'OffsetMinutes'])
      t.match(wrong.body, new RegExp(`id="field-${name}"[^>]+aria-invalid="true"`), name)
    t.match(wrong.body, 'See {{ nobody }}')
    t.equal((await post(`${list}/new`, { ...reminder, Name: '' })).statusCode, 422)
    t.same(await workflows(), [])
    await post(`${list}/new`, reminder)
    const taken = await post(`${list}/new`, { ...reminder, Subject: 'Mine' })
    t.equal(taken.statusCode, 409)
    t.match(taken.body, 'value="Mine"')
    const [row] = await sql<{ id: number }[]>`select id from workflows`
    const fields = { ...reminder, Subject: 'Changed', Version: await version(row!.id) }
    t.equal((await post(`${list}/${row!.id}`, fields)).statusCode, 303)
    t.match(await workflows(), [{ subject: 'Changed' }])
    const late = await post(`${list}/${row!.id}`, { ...fields, Subject: 'Too late' })
    t.equal(late.statusCode, 409)
    t.match(late.body, 'is now “Changed”')
    t.notMatch(late.body, 'is now “before')
    t.match(await workflows(), [{ subject: 'Changed' }])
    await sql`update workflows set trigger = 'after-end', offset_minutes = 90, active = false`
    const other = textOf((await post(`${list}/${row!.id}`, { ...fields, Subject: 'Changed' })).body)
    for (const words of ['is now “after the end”', 'is now “1 hour 30 minutes”', 'Is now “off”'])
      t.match(other, words)
    t.notMatch(other, 'is now “all products”')
  })

  t.test('a form accepts a template of the maximum length of the API', async (t) => {
    const { post, workflows } = await prepare(t)
    const Body = 'ã'.repeat(32 * 1024)
    t.equal((await post(`${list}/new`, { ...reminder, Body })).statusCode, 303)
    t.equal((await workflows())[0]!.body, Body)
  })

  t.test('a workflow is switched off and on, and nothing else about it changes', async (t) => {
    const { post, sql, accountId, workflows, product } = await prepare(t)
    const id = await makeWorkflow(sql, accountId, { productId: product.id, offsetMinutes: 30 })
    const [before] = await workflows()
    t.equal(
      (await post(`${list}/${id}/active`, { Active: 'false' })).headers.location,
      `${list}?done=workflow-off`,
    )
    t.same(await workflows(), [{ ...before, active: false }])
    await post(`${list}/${id}/active`, { Active: 'true' })
    t.same(await workflows(), [before])
  })

  t.test('a workflow is deleted once, after a confirmation', async (t) => {
    const { get, post, sql, accountId, workflows } = await prepare(t)
    const id = await makeWorkflow(sql, accountId)
    t.match((await get(`${list}/${id}/delete`)).body, 'Delete workflow')
    for (const _ of [1, 2])
      t.equal((await post(`${list}/${id}/delete`, {}, { once: 'gone' })).statusCode, 303)
    t.same(await workflows(), [])
  })

  t.test('a preview shows the texts for a sample or a real booking, and saves nothing', async (t) => {
    const { post, sql, accountId, workflows } = await prepare(t)
    const { body } = await post(`${list}/new/preview`, reminder)
    t.match(body, '<dd>See you on Saturday 15 June 2030</dd>')
    t.match(body, /<iframe[^>]+sandbox=""[^>]+srcdoc="[^"]*&#38;lt;b&#38;gt;Sunset kayak tour/)
    t.match(body, 'Dear Ada,\n&#60;b&#62;Sunset kayak tour&#60;/b&#62; begins at 18:00.')
    const booking = await makeBooking(sql, accountId, { firstName: 'Inês' })
    const real = await post(`${list}/new/preview`, { ...reminder, BookingReference: booking.reference })
    t.match(real.body, 'Dear Inês,\n&#60;b&#62;Kayak')
    const unknown = await post(`${list}/new/preview`, { ...reminder, BookingReference: 'NOBODY' })
    t.equal(unknown.statusCode, 422)
    t.match(unknown.body, /id="field-BookingReference"[^>]+aria-invalid="true"/)
    t.equal((await post(`${list}/new/preview`, { ...reminder, Body: '{{ nobody }}' })).statusCode, 422)
    t.same(await workflows(), [])
    t.same(await readOutbox(sql), [])
  })

  t.test(
    'a test e-mail goes once to the user who sends it, even if the form has another address',
    async (t) => {
      const { post, email, sql, accountId } = await prepare(t)
      const id = await makeWorkflow(sql, accountId)
      for (const _ of [1, 2])
        t.equal(
          (await post(`${list}/${id}/test`, { To: 'eve@example.com' }, { once: 'test' })).statusCode,
          303,
        )
      t.match(await sql`select kind, workflow_id, details from emails`, [
        { kind: 'test', workflow_id: id, details: { To: email } },
      ])
      t.equal((await readOutbox(sql)).length, 1)
    },
  )

  t.test('after 50 test e-mails of the account in a day, the next one is refused', async (t) => {
    const { post, sql, accountId } = await prepare(t)
    const id = await makeWorkflow(sql, accountId)
    for (let sent = 0; sent < 50; sent++) await post(`${list}/${id}/test`)
    const refused = await post(`${list}/${id}/test`)
    t.equal(refused.statusCode, 429)
    t.match(refused.headers['retry-after'], /^\d+$/)
    t.match(refused.body, 'The account has sent 50 test e-mails today')
    t.equal((await readOutbox(sql)).length, 50)
  })
})

t.test('the outbox', async (t) => {
  t.test('lists e-mails, and filters them by status, kind and booking', async (t) => {
    const { get, sql, accountId } = await prepare(t)
    t.match((await get('/dashboard/emails')).body, 'No e-mails here')
    const [one, other] = [await makeBooking(sql, accountId), await makeBooking(sql, accountId)]
    await makeEmails(sql, accountId, [
      { kind: 'confirmation', bookingId: one.id },
      { kind: 'closure', bookingId: other.id },
    ])
    await sql`update emails set status = 'failed', reason = 'no such mailbox', attempts = 3 where kind = 'closure'`
    const page = async (query: string) => (await get(`/dashboard/emails${query}`)).body
    t.match(await page(''), /no such mailbox[\s\S]*Try again[\s\S]*Confirmation/)
    await sql`
      update emails set reason = 'Template: undefined variable: booking.price, line:2, col:4' where kind = 'closure'`
    t.match(
      textOf(await page('')),
      'It names {{ booking.price }}, which does not exist: see the list of variables (line 2)',
    )
    t.notMatch(await page('?Status=queued'), other.reference)
    t.notMatch(await page('?Kind=closure'), one.reference)
    t.match(await page(`?BookingReference=${one.reference}`), `/dashboard/bookings/${one.reference}`)
    t.match(await page('?Limit=1'), /rel="next"/)
    await sql`
      update emails set status = 'sent', sent_at = app_now(), details = details || '{"Subject": "You are booked"}'
      where kind = 'confirmation'`
    t.match(await page(''), /data-head="Subject"[^>]*>You are booked</)
    t.equal((await get('/dashboard/emails?Status=lost')).statusCode, 422)
  })

  t.test('retries a failed e-mail once, and no other e-mail', async (t) => {
    const { post, sql, accountId } = await prepare(t)
    const booking = await makeBooking(sql, accountId)
    const [id] = await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: booking.id }])
    await sql`update emails set status = 'failed', attempts = 10`
    const path = `/dashboard/emails/${id}/retry?Status=failed`
    for (const _ of [1, 2]) {
      const answer = await post(path, {}, { once: 'retry' })
      t.equal(answer.headers.location, '/dashboard/emails?Status=failed&done=retried')
    }
    t.match(await readOutbox(sql), [{ status: 'queued', attempts: 0 }])
    t.equal((await post(path)).statusCode, 409)
  })
})

t.test('the page of a booking lists its e-mails by the names of their workflows', async (t) => {
  const { get, call, book, product, sql, accountId } = await prepare(t)
  const { reference } = await book(product.activityId)
  const [booking] = await sql<{ id: number }[]>`select id from bookings`
  const workflowId = await makeWorkflow(sql, accountId)
  await sql`update workflows set name = 'A day before' where id = ${workflowId}`
  await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: booking!.id, workflowId }])
  t.match(textOf((await get(`/dashboard/bookings/${reference}`)).body), 'A day before Queued')
  t.match((await call('GET', `/bookings/${reference}`)).data.Emails, [
    { Kind: 'workflow', Workflow: 'A day before' },
  ])
})

t.test('404 for workflows and e-mails of another account, 403 for a wrong CSRF token', async (t) => {
  const { get, post, sql } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'pier' })
  const product = await makeProduct(sql, other.accountId, { slots: { '2030-07-01 10:00': 5 } })
  const workflowId = await makeWorkflow(sql, other.accountId)
  const booking = await makeBooking(sql, other.accountId, { slot: '2030-07-01 10:00' })
  const [emailId] = await makeEmails(sql, other.accountId, [{ kind: 'confirmation', bookingId: booking.id }])
  await sql`update emails set status = 'failed'`
  for (const url of [`${list}/${workflowId}`, `${list}/${workflowId}/delete`])
    t.equal((await get(url)).statusCode, 404, url)
  const posts: [string, Record<string, string | string[]>][] = [
    [`${list}/${workflowId}`, reminder],
    [`${list}/${workflowId}/preview`, reminder],
    [`${list}/${workflowId}/active`, { Active: 'false' }],
    [`${list}/${workflowId}/test`, {}],
    [`${list}/${workflowId}/delete`, {}],
    [`/dashboard/emails/${emailId}/retry`, {}],
  ]
  for (const [url, fields] of posts) t.equal((await post(url, fields)).statusCode, 404, url)
  const foreign = { ...reminder, ProductID: String(product.id) }
  t.match((await post(`${list}/new`, foreign)).body, /id="field-ProductID"[^>]+aria-invalid="true"/)
  t.equal((await post(`${list}/new`, reminder, { csrf: 'wrong' })).statusCode, 403)
  t.same(await sql`select active from workflows`, [{ active: true }])
  t.match(await readOutbox(sql), [{ status: 'failed' }])
})
