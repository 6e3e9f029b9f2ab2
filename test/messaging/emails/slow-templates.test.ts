/** Slow templates of one account: the effect on the process and on other accounts. */
import t from 'tap'
import { makeCaller, makeProduct } from '../../helper.ts'
import {
  buildQuay,
  byTheClock,
  makeBooking,
  makeEmails,
  makeSending,
  makeWorkflow,
  readOutbox,
  slotStart,
} from './fixtures.ts'
import { startSmtp } from './smtp.ts'

// 10,000,000,000 rounds, which no machine ends within the limit.
const hundred = `{% assign hundred = "${'x,'.repeat(100)}" | split: "," %}`
const looping = `${hundred}${'{% for i in hundred %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`

const workflow = (Name: string, Body: string) => ({
  ...{ Name, Body, Trigger: 'before-start', OffsetMinutes: 60, Subject: 'Soon', Active: true },
})

t.test(
  'workflows with endless templates get 422, then 429, and other accounts are not refused',
  async (t) => {
    const { app, sql, call } = await buildQuay(t, { services: { renders: byTheClock() } })
    const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
    t.equal(
      (await call('POST', '/workflows', workflow('Good', 'Dear {{ customer.first_name }}'))).statusCode,
      201,
    )
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('POST', '/workflows', workflow(`Loop ${index}`, looping)),
      ),
    )
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    const judged = answers.filter(({ statusCode }) => statusCode === 422)
    t.equal(refused.length + judged.length, 20)
    t.match(judged[0]!.json().errors, [{ field: 'Body', message: /it takes too long to render/ }])
    t.match(refused[0]!.json(), { type: /rate-limited$/, detail: /templates of this account/ })
    t.ok(Number(refused[0]!.headers['retry-after']) >= 1)
    const neighbour = await app.inject({
      method: 'POST',
      url: '/api/v2/operator/workflows',
      headers: other.headers,
      payload: workflow('Ours', 'Dear {{ customer.first_name }}'),
    })
    t.equal(neighbour.statusCode, 201, 'another account is not refused')
  },
)

t.test('a slow template fails each of its e-mails once, and delays no other account', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const other = await makeCaller(sql, { slug: 'other' })
  await makeProduct(sql, other.accountId, { slots: { [slotStart]: 1000 } })
  const { id: bookingId } = await makeBooking(sql, accountId)
  const workflowId = await makeWorkflow(sql, accountId, { body: looping })
  await makeEmails(sql, accountId, Array(8).fill({ kind: 'workflow', bookingId, workflowId }))
  const theirs = await makeBooking(sql, other.accountId, { email: 'other@example.com' })
  await makeEmails(sql, other.accountId, Array(4).fill({ kind: 'confirmation', bookingId: theirs.id }))
  const outcomes: string[] = []
  const processed = (outcome: string) => outcomes.push(outcome)
  const sending = makeSending(sql, { SMTP_URL: smtp.url }, { processed })
  t.same(await sending(), { failed: 8, sent: 4 })
  t.equal(outcomes.at(-1), 'failed', 'the other account’s e-mails are sent while the slow ones pause')
  const outbox = await readOutbox(sql)
  t.match(
    outbox.filter(({ kind }) => kind === 'workflow'),
    Array(8).fill({
      status: 'failed',
      reason: /^Template: it takes too long to render/,
      attempts: 0,
    }),
  )
  t.same(await sending(), {}, 'none of them is tried again')
})
