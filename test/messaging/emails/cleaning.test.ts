/** Text from templates and mail servers is cleaned before it is in a header, a message or the database. */
import t from 'tap'
import { buildQuay, makeBooking, makeEmails, makeSending, makeWorkflow, readOutbox } from './fixtures.ts'
import { refusal, startSmtp } from './smtp.ts'

// Liquid reads these as NUL, an escape character, half of a surrogate pair, and a line end.
const hostile = '{{ "a\\u0000b\\u001bc\\ud800d\\r\\nX-Added: 1" }}'

t.test('control characters from a template are in no header and no text of an e-mail', async (t) => {
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

t.test('a mail server’s reply is stored as one line without control characters', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t, {
    onRecipient() {
      throw refusal(550, 'first\u0000line\u001b[31m\u0085second')
    },
  })
  const { id: bookingId } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId }])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { failed: 1 })
  const [email] = await readOutbox(sql)
  t.match(email!.reason, /550 first.?line/)
  t.notMatch(email!.reason, /\p{Cc}/u)
})
