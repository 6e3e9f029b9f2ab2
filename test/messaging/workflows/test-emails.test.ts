/** Test e-mails go to any address, so an account may send only a limited number a day. */
import t, { type Test } from 'tap'
import { clockAt } from '../../clock.ts'
import { buildOn, makeCaller } from '../../helper.ts'
import { buildQuay, makeWorkflow } from '../emails/fixtures.ts'

const maxPerDay = 50

async function prepare(t: Test) {
  // The clock is at noon of today, because the count begins again at midnight.
  const quay = await buildQuay(t, clockAt(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`))
  const { app, sql, accountId, headers, call } = quay
  const path = `/workflows/${await makeWorkflow(sql, accountId)}/test`
  const test = (more: object = {}) => call('POST', path, { To: 'ada@example.com' }, more)
  const countTestEmails = async (id = accountId) =>
    (await sql`select from emails where account_id = ${id} and kind = 'test'`).length
  return { ...quay, app, headers, path, test, countTestEmails }
}

t.test(
  'above fifty test e-mails a day, 429 says when the next may be sent, and nothing is queued',
  async (t) => {
    const { url, path, headers, test, countTestEmails, sql } = await prepare(t)
    const { app: second } = await buildOn(t, url)
    const payload = { To: 'bo@example.com' }
    const elsewhere = () =>
      second.inject({ method: 'POST', url: `/api/v2/operator${path}`, headers, payload })
    for (let sent = 0; sent < maxPerDay; sent++)
      t.equal((await (sent % 2 === 0 ? test() : elsewhere())).statusCode, 201, 'in either of two apps')
    for (const refused of [await test(), await elsewhere()]) {
      t.match(refused.json(), {
        status: 429,
        type: /rate-limited$/,
        detail: /50 test e-mails today.*midnight UTC/,
      })
      const seconds = Number(refused.headers['retry-after'])
      t.ok(seconds >= 1 && seconds <= 86_400, 'until the day ends')
    }
    t.equal(await countTestEmails(), maxPerDay)

    t.test('of several requests at once, only the remaining number is sent', async (t) => {
      await sql`update test_email_counts set emails = ${maxPerDay - 1}`
      const answers = await Promise.all([test(), elsewhere(), test()])
      t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 429, 429])
    })

    t.test('the limit counts test e-mails that are deleted too', async (t) => {
      await sql`delete from emails`
      t.equal((await test()).statusCode, 429)
    })

    t.test('the next day starts at zero', async (t) => {
      await sql`update test_email_counts set day = day - 1`
      t.equal((await test()).statusCode, 201)
      t.same(await sql`select emails from test_email_counts`, [{ emails: 1 }])
    })
  },
)

t.test('the limit of one account does not affect another account', async (t) => {
  const { app, sql, test, countTestEmails } = await prepare(t)
  for (let sent = 0; sent < maxPerDay; sent++) await test()
  t.equal((await test()).statusCode, 429)
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  const url = `/api/v2/operator/workflows/${await makeWorkflow(sql, other.accountId)}/test`
  const { headers, accountId } = other
  const answer = await app.inject({ method: 'POST', url, headers, payload: { To: 'ada@example.com' } })
  t.equal(answer.statusCode, 201)
  t.equal(await countTestEmails(accountId), 1)
})

t.test(
  'a refused test e-mail does not count, and one that is retried with its idempotency key counts once',
  async (t) => {
    const { call, path, test, sql } = await prepare(t)
    const key = { 'idempotency-key': 'test-1' }
    for (const _ of [1, 2, 3]) t.equal((await test(key)).statusCode, 201)
    const unknown = await call('POST', path, { To: 'ada@example.com', BookingReference: 'NOBODY2345' })
    t.equal(unknown.statusCode, 422)
    t.same(await sql`select emails from test_email_counts`, [{ emails: 1 }])
  },
)
