/** The signatures of payment events, and the secrets that sign them: rules, and statuses of responses. */
import t from 'tap'
import { sign } from '../../../src/sales/payment/model.ts'
import {
  createSecret,
  findNewestSecret,
  listSecrets,
  revokeSecret,
} from '../../../src/sales/payment/secrets.ts'
import { makeCaller } from '../../helper.ts'
import { harbour, secretKey } from '../basket/fixtures.ts'

const now = () => Math.floor(Date.now() / 1000)

t.test('an event without a valid signature gets 401 invalid-signature, and nothing changes', async (t) => {
  const { hold, event, sendSigned, secret, read, sql } = await harbour(t)
  const { accountId: otherId } = await makeCaller(sql, { slug: 'other' })
  const foreign = await createSecret(sql, secretKey, otherId)
  const basket = await hold()
  const body = JSON.stringify(event(basket))
  const signed = (seconds = now(), by = secret, text = body) => sign(by, seconds, Buffer.from(text))
  const elsewhere = JSON.stringify(event(basket, { Account: 'nobody' }))
  const [nul, long] = ['harbour\0', 'a'.repeat(1000)].map((Account) =>
    JSON.stringify(event(basket, { Account })),
  )
  const nameless = JSON.stringify({ ...event(basket), Account: undefined })
  const cases: [string, string | undefined][] = [
    [body, undefined],
    [body, 'good morning'],
    [body, `t=${now()}`],
    [body, signed(now(), 'pay_guess')],
    [body, signed(now(), foreign)],
    [body, signed(now() - 301)],
    // One hour, not 301 seconds: the difference becomes smaller if the machine is suspended before the check.
    [body, signed(now() + 3600)],
    [`${body} `, signed()],
    [elsewhere, signed(now(), secret, elsewhere)],
    [nul!, signed(now(), secret, nul)],
    [long!, signed(now(), secret, long)],
    [nameless, signed(now(), secret, nameless)],
    ['[]', signed(now(), secret, '[]')],
    ['"text"', signed(now(), secret, '"text"')],
    ['', signed(now(), secret, '')],
  ]
  for (const [text, signature] of cases) {
    const answer = await sendSigned(text, signature)
    t.equal(answer.statusCode, 401, `${text} ${signature}`)
    t.match(answer.json(), {
      type: 'http://booking.test/problems/invalid-signature',
      detail: 'The Payment-Signature is missing, or it is not valid for this account, body and time.',
    })
    t.ok(answer.headers['www-authenticate'])
  }
  t.equal((await read(basket)).Status, 'open')
  t.equal((await sql`select from payment_events`).length, 0)
})

t.test('the signature is checked over exactly the bytes that were sent', async (t) => {
  const { hold, event, sendSigned, secret } = await harbour(t)
  const text = JSON.stringify(event(await hold()), null, 3).replace('"evt_1"', '"evt_\\u0031"')
  t.equal((await sendSigned(text, sign(secret, now(), Buffer.from(text)))).statusCode, 200)
})

t.test('a payment event is accepted by a process whose clock is wrong by an hour', async (t) => {
  const { hold, event, sendSigned, secret } = await harbour(t)
  const body = JSON.stringify(event(await hold()))
  const signature = sign(secret, now(), Buffer.from(body))
  const { now: right } = Date
  t.teardown(() => {
    Date.now = right
  })
  Date.now = () => right() + 3_600_000
  t.equal((await sendSigned(body, signature)).statusCode, 200)
})

t.test('at most two secrets are live, and each of them is valid until it is revoked', async (t) => {
  const { hold, event, sendSigned, secret, sql, accountId } = await harbour(t)
  const second = await createSecret(sql, secretKey, accountId)
  await t.rejects(createSecret(sql, secretKey, accountId), /two secrets are live/)
  t.equal(await findNewestSecret(sql, secretKey, accountId), second)
  const send = async (ID: string, by: string) => {
    const body = JSON.stringify(event(await hold([{ Participants: 1 }]), { ID }))
    return (await sendSigned(body, sign(by, now(), Buffer.from(body)))).statusCode
  }
  t.equal(await send('evt_1', secret), 200)
  t.equal(await send('evt_2', second), 200)
  const [newest, oldest] = await listSecrets(sql, secretKey, accountId)
  t.match([newest!.status, oldest!.status], ['live', 'live'])
  t.equal(await revokeSecret(sql, accountId, oldest!.id), true)
  t.equal(await revokeSecret(sql, accountId, oldest!.id), false)
  t.equal(await send('evt_3', secret), 401)
  t.equal(await send('evt_4', second), 200)
  const made = await Promise.allSettled([1, 2, 3].map(() => createSecret(sql, secretKey, accountId)))
  t.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
})

t.test('an event gets 503 if the service has no SECRET_KEY, and 401 if it has another key', async (t) => {
  const without = await harbour(t, {})
  const answer = await without.sendPaymentEvent(await without.hold())
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { type: /unavailable$/, detail: /SECRET_KEY/ })
  t.ok(answer.headers['retry-after'])
  const other = await harbour(t, { SECRET_KEY: 'another secret key, not the one of the tests' })
  t.equal((await other.sendPaymentEvent(await other.hold())).statusCode, 401)
})

t.test('broken JSON, a large body, another content type and no body get 400, 413, 415 and 401', async (t) => {
  const { app, sendSigned } = await harbour(t)
  t.equal((await sendSigned('{', 't=1,v1=2')).statusCode, 400)
  t.equal((await sendSigned(`"${'x'.repeat(2 ** 20)}"`, 't=1,v1=2')).statusCode, 413)
  const url = '/api/v2/payments/events'
  const headers = { 'content-type': 'text/plain' }
  t.equal((await app.inject({ method: 'POST', url, headers, payload: 'x' })).statusCode, 415)
  t.equal((await app.inject({ method: 'POST', url })).statusCode, 401)
})
