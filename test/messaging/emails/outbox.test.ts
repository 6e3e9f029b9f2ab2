/** The outbox in the operator’s interface, and links for unsubscribing. */
import t from 'tap'
import { eraseCustomer } from '../../../src/customers/erasing.ts'
import { optOutUrl } from '../../../src/messaging/emails/links.ts'
import { hashAddress } from '../../../src/platform/crypto/address-hash.ts'
import { signToken } from '../../../src/platform/crypto/signed-token.ts'
import { makeCaller } from '../../helper.ts'
import {
  buildQuay,
  makeBooking,
  makeEmails,
  makeSending,
  makeWorkflow,
  readMetered,
  secret,
} from './fixtures.ts'
import { startSmtp } from './smtp.ts'

t.test('the list shows the status of every e-mail, newest first, and is filtered and paged', async (t) => {
  const { call, app, headers, sql, accountId } = await buildQuay(t)
  const one = await makeBooking(sql, accountId)
  const two = await makeBooking(sql, accountId)
  const ids = await makeEmails(sql, accountId, [
    { kind: 'confirmation', bookingId: one.id },
    { kind: 'closure', bookingId: two.id, details: { Action: 'cancelled' } },
    { kind: 'confirmation', bookingId: two.id },
  ])
  await sql`update emails set status = 'failed', reason = '550 no', attempts = 1 where id = ${ids[1]!}`
  const list = async (query: string) => {
    const answer = await call('GET', `/emails${query}`)
    return answer.json().data.map(({ EmailID }: { EmailID: number }) => EmailID)
  }
  t.same(await list(''), ids.toReversed())
  t.same(await list('?Status=failed'), [ids[1]])
  t.same(await list('?Kind=confirmation'), [ids[2], ids[0]])
  t.same(await list(`?BookingReference=${one.reference}`), [ids[0]])
  t.same(await list('?BookingReference=NONE'), [])
  const first = await call('GET', '/emails?Limit=2')
  t.match(first.json().data[1], {
    Kind: 'closure',
    Status: 'failed',
    Reason: '550 no',
    To: 'ada@example.com',
    BookingReference: two.reference,
    WorkflowName: null,
    NextTryAt: null,
    SentAt: null,
  })
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: one.id }])
  const next = /<http:\/\/booking\.test([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
  t.match((await app.inject({ url: next, headers })).json().data, [{ EmailID: ids[0] }])
  for (const [query, field] of [
    ['?Status=lost', 'Status'],
    ['?Kind=spam', 'Kind'],
    ['?Limit=0', 'Limit'],
    ['?Cursor=x', 'Cursor'],
  ])
    t.match((await call('GET', `/emails${query}`)).json(), { status: 422, errors: [{ field }] })
})

t.test('an e-mail shows the subject with which it was sent, until its customer is erased', async (t) => {
  const { call, sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id, reference } = await makeBooking(sql, accountId)
  const details = { TimeslotID: 0, Subject: 'For {{ customer.first_name }}', Message: 'Come early.' }
  const [slot] = await sql<{ id: number }[]>`select timeslot_id as id from bookings where id = ${id}`
  await makeEmails(sql, accountId, [
    { kind: 'confirmation', bookingId: id },
    { kind: 'message', bookingId: id, details: { ...details, TimeslotID: slot!.id } },
  ])
  const subjects = async () =>
    (await call('GET', '/emails')).json().data.map(({ Subject }: { Subject: string | null }) => Subject)
  t.same(await subjects(), [null, null], 'an e-mail has no subject before it is sent')
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 2 })
  const sent = smtp.received.map(({ mail }) => mail.subject).sort()
  t.same((await subjects()).sort(), sent)
  t.ok(sent.includes('For Ada'))
  await sql`update emails set details = details || ${sql.json(details)} where kind = 'message'`
  t.ok(
    (await subjects()).includes(null),
    'a subject template that an earlier version stored is not shown as the subject',
  )
  const by = { cause: 'command' } as const
  await eraseCustomer(sql, {
    accountId,
    who: { email: null, phone: null, reference },
    includeUpcoming: true,
    dataDir: t.testdir(),
    by,
  })
  t.same(await subjects(), [null, null])
})

t.test('a failed e-mail is retried with the same Message-ID; retrying a queued one gets 409', async (t) => {
  const { call, app, sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  const [emailId] = await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  const path = `/emails/${emailId}/retry`
  t.match((await call('POST', path)).json(), { status: 409, type: /email-not-failed$/, Status: 'queued' })
  await sql`update emails set status = 'failed', reason = '550 no', attempts = 10`
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  const foreign = await app.inject({
    method: 'POST',
    url: `/api/v2/operator${path}`,
    headers: other.headers,
  })
  t.equal(foreign.statusCode, 404)
  const retried = await call('POST', path)
  t.equal(retried.statusCode, 200)
  t.match(retried.json().data, { Status: 'queued', Attempts: 0, Reason: null, NextTryAt: String })
  const [row] = await sql`select message_id from emails`
  await makeSending(sql, { SMTP_URL: smtp.url })()
  t.equal(smtp.received[0]!.mail.messageId, `<${row!.message_id}@booking.test>`)
  t.equal((await call('POST', '/emails/999999/retry')).statusCode, 404)
})

t.test(
  'a test e-mail of a workflow goes to the given address, with a sample booking, and is not metered',
  async (t) => {
    const { call, sql, accountId } = await buildQuay(t)
    const smtp = await startSmtp(t)
    const workflowId = await makeWorkflow(sql, accountId, { active: false })
    const answer = await call('POST', `/workflows/${workflowId}/test`, { To: 'office@example.com' })
    t.equal(answer.statusCode, 201)
    t.match(answer.json().data, {
      Kind: 'test',
      Status: 'queued',
      To: 'office@example.com',
      WorkflowID: workflowId,
      WorkflowName: String,
    })
    t.match((await call('POST', `/workflows/${workflowId}/test`, {})).json(), { errors: [{ field: 'To' }] })
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    t.match(smtp.received, [{ to: 'office@example.com', mail: { subject: 'About SAMPLE23' } }])
    t.same(await readMetered(sql), [])
  },
)

t.test(
  'an e-mail after the end has an unsubscribe link; only a POST unsubscribes, and later such e-mails are dropped',
  async (t) => {
    const { app, sql, accountId } = await buildQuay(t, { clockOffset: '6 years' })
    const smtp = await startSmtp(t)
    const { id } = await makeBooking(sql, accountId, { email: 'Ada@Example.com' })
    const workflowId = await makeWorkflow(sql, accountId, { trigger: 'after-end', body: 'How was it?' })
    const send = makeSending(sql, { SMTP_URL: smtp.url })
    await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: id, workflowId }])
    t.same(await send(), { sent: 1 })
    const headers = new Map(smtp.received[0]!.mail.headers.map(({ key, value }) => [key, value]))
    t.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    const link = /^<http:\/\/booking\.test(\/email\/unsubscribe\/[\w.-]+)>$/.exec(
      headers.get('list-unsubscribe')!,
    )![1]!
    t.match(smtp.received[0]!.mail.text, `http://booking.test${link}`)
    t.notMatch(Buffer.from(link, 'base64url').toString(), /example/i, 'the address is not in the link')

    const page = await app.inject({ url: link })
    t.match(page, { statusCode: 200, body: /<form method="post">/ })
    t.same(await sql`select from email_optouts`, [])
    for (const request of [
      {
        payload: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      { payload: '--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      {},
    ])
      t.equal((await app.inject({ method: 'POST', url: link, ...request })).statusCode, 200)
    t.equal((await sql`select from email_optouts`).length, 1)
    await makeEmails(sql, accountId, [
      { kind: 'workflow', bookingId: id, workflowId },
      { kind: 'confirmation', bookingId: id },
    ])
    t.same(await send(), { dropped: 1, sent: 1 }, 'e-mails about the booking are still sent')
  },
)

t.test('an unsubscribe link gets 404 for a wrong signature, and 503 without SECRET_KEY', async (t) => {
  const { app, sql, accountId } = await buildQuay(t)
  const hash = hashAddress('ada@example.com')
  const foreign = optOutUrl('', 'another secret of 32 characters..', { accountId, hash })
  for (const token of [
    'x',
    'x.y',
    foreign.slice(foreign.lastIndexOf('/') + 1),
    signToken(secret, 'waitlist-offer', { accountId, address: hash.toString('base64url') }),
  ])
    for (const method of ['GET', 'POST'] as const)
      t.equal((await app.inject({ method, url: `/email/unsubscribe/${token}` })).statusCode, 404)
  t.same(await sql`select from email_optouts`, [])
  const bare = await buildQuay(t, { environment: { SECRET_KEY: '' } })
  const answer = await bare.app.inject({
    url: '/email/unsubscribe/x.y',
    headers: { 'accept-language': 'pt' },
  })
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['retry-after'], '60')
  t.match(answer.body, 'Não é possível mostrar esta página agora', 'as a page, in the reader’s language')
})
