/** Text from templates and mail servers is cleaned before it is in a header, a message or the database. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t, { type Test } from 'tap'
import { buildQuay, makeBooking, makeEmails, makeSending, makeWorkflow, readOutbox } from './fixtures.ts'
import { startSmtp } from './smtp.ts'

// Liquid reads these as NUL, an escape character, half of a surrogate pair, and a line end.
const hostile = '{{ "a\\u0000b\\u001bc\\ud800d\\r\\nX-Added: 1" }}'

t.test('control characters from a template do not reach the headers or the text of an e-mail', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id: bookingId } = await makeBooking(sql, accountId)
  const workflowId = await makeWorkflow(sql, accountId, { subject: hostile, body: hostile })
  await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId, workflowId }])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  const { mail } = smtp.received[0]!
  t.equal(mail.subject, 'a b c\ufffdd X-Added: 1')
  t.match(mail.text, /^abc\ufffdd\nX-Added: 1\s*$/)
  t.notMatch(mail.html, /[^\P{Cc}\n]/u)
  t.notOk(mail.headers.some(({ key }) => key === 'x-added'))
})

t.test('a preview and a refused template show no control characters either', async (t) => {
  const { call } = await buildQuay(t)
  const workflow = {
    Name: 'W',
    Trigger: 'after-end',
    OffsetMinutes: 0,
    Active: true,
    Subject: hostile,
    Body: hostile,
  }
  const { WorkflowID } = (await call('POST', '/workflows', workflow)).json().data
  const preview = (await call('POST', `/workflows/${WorkflowID}/preview`, {})).json().data
  t.match(preview, { Subject: 'a b c\ufffdd X-Added: 1', Text: 'abc\ufffdd\nX-Added: 1' })
  const Body = '{{ customer["\\u0000\\u001b\\ud800"] }}'
  const refused = await call('POST', '/workflows', { ...workflow, Name: 'X', Body })
  t.match(refused.json(), { status: 422, errors: [{ field: 'Body', message: /undefined variable/ }] })
  t.notMatch(refused.json().errors[0].message, /\p{Cc}|\p{Cs}/u)
})

t.test('control characters in a template error or a refusal do not reach the database', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const url = await startRefusing(t, '550 first\u0000line\u001b[31m\u0085second')
  const { id: bookingId } = await makeBooking(sql, accountId)
  const cancelled = await makeBooking(sql, accountId, { status: 'cancelled' })
  const body = '{{ customer["\\u0000\\u001b\\ud800"] }}'
  const workflowId = await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled', body })
  await makeEmails(sql, accountId, [
    { kind: 'workflow', bookingId: cancelled.id, workflowId },
    { kind: 'confirmation', bookingId },
  ])
  t.same(await makeSending(sql, { SMTP_URL: url })(), { failed: 2 })
  const emails = await readOutbox(sql)
  t.match(emails, [
    { status: 'failed', reason: /^Template: undefined variable/ },
    { status: 'failed', reason: /550 first.?line/ },
  ])
  for (const { reason } of emails) t.notMatch(reason, /\p{Cc}|\p{Cs}/u)
})

/** A server that refuses each recipient with this line. The package smtp-server would clean the line itself. */
async function startRefusing(t: Test, line: string): Promise<string> {
  const server = createServer((socket) => {
    socket.write('220 here\r\n')
    socket.on('error', () => {})
    socket.on('data', (data) => socket.write(`${/^RCPT/.test(data.toString()) ? line : '250 yes'}\r\n`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
