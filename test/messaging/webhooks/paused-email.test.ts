/** The e-mail about a webhook endpoint that was paused because of failures: its recipient and its text. */
import t, { type Test } from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { sendTest } from '../../../src/messaging/webhooks/deliveries/service.ts'
import {
  createEndpoint,
  pauseEndpoint,
  resumeEndpoint,
} from '../../../src/messaging/webhooks/endpoints/service.ts'
import { openTestMode } from '../../../src/test-mode/service.ts'
import { makeSending } from '../emails/fixtures.ts'
import { startSmtp } from '../emails/smtp.ts'
import { buildQuayWithWebhooks, openReceiver, secretKey } from './fixtures.ts'

async function makeQuay(t: Test) {
  const quay = await buildQuayWithWebhooks(t)
  const { sql, accountId, deliver, book } = quay
  const [smtp, receiver] = await Promise.all([startSmtp(t), openReceiver(t)])
  const send = makeSending(sql, { SMTP_URL: smtp.url, PUBLIC_URL: 'https://booking.test' })
  const addUser = (email: string, role: 'owner' | 'staff') =>
    insertUser(sql, { accountId, email, role, passwordHash: 'none' })
  await addUser('ana@quay.test', 'owner')
  await addUser('rui@quay.test', 'owner')
  await addUser('staff@quay.test', 'staff')
  /** Makes every endpoint of the account fail for more than three days. */
  const failForDays = async () => {
    receiver.answer = (response) => response.writeHead(503).end('no')
    await book()
    await deliver()
    await sql`update webhook_endpoints set failing_since = app_now() - interval '73 hours'`
    await sql`update webhook_deliveries set next_try_at = app_now() where status = 'pending'`
    await deliver()
  }
  const owner = { accountId, partnerId: null }
  return { ...quay, smtp, receiver, send, failForDays, addUser, owner }
}

t.test('e-mails about the pauses of an endpoint', async (t) => {
  const { sql, makeEndpoint, failForDays, send, smtp, receiver, deliver, book, owner, accountId } =
    await makeQuay(t)
  await sql`
    update users set disabled_at = now() where email = 'rui@quay.test' and account_id = ${accountId}`
  const { id } = await makeEndpoint(`${receiver.url}?token=hidden`, { types: ['booking.*'] })
  await sql`update webhook_endpoints set description = 'The till' where id = ${id}`
  await failForDays()

  t.test(
    'after three days of failures, the owners get the failure, the waiting deliveries, and a link to resume',
    async (t) => {
      t.same(await send(), { sent: 1 })
      const [received] = smtp.received
      t.equal(received!.to, 'ana@quay.test')
      const { text, subject } = received!.mail
      t.match(subject, 'Webhooks are paused: 127.0.0.1')
      for (const part of [
        receiver.url,
        'The till',
        /No delivery has arrived since \w+ \d+ \w+ \d{4} at \d\d:\d\d/,
        'The response to the last try had the status 503.',
        '1 delivery to it waits',
        'Nothing is lost if the endpoint is resumed before',
        `https://booking.test/dashboard/webhooks/${id}\n`,
      ])
        t.match(text, part)
      t.notMatch(text, 'hidden', 'parts that may be secret are left out')
      t.notOk(received!.mail.headers.some(({ key }) => key === 'list-unsubscribe'))
    },
  )

  t.test('one pause queues one e-mail', async (t) => {
    await book()
    await deliver()
    t.same(await send(), {})
    t.equal((await sql`select from emails`).length, 1)
  })

  t.test('after the endpoint was resumed, another pause queues another e-mail', async (t) => {
    await sql.begin((tx) => resumeEndpoint(tx, owner, id))
    await failForDays()
    t.same(await send(), { sent: 1 })
    t.equal(smtp.received.length, 2)
  })

  t.test('a pause by hand queues no e-mail', async (t) => {
    await sql.begin((tx) => resumeEndpoint(tx, owner, id))
    await sql.begin((tx) => pauseEndpoint(tx, owner, id))
    t.same(await send(), {})
  })
})

t.test(
  'an endpoint that responds 410 is paused at once, and the account’s owners get the reason',
  async (t) => {
    const { makeEndpoint, send, smtp, receiver, deliver, book } = await makeQuay(t)
    await makeEndpoint(receiver.url)
    receiver.answer = (response) => response.writeHead(410).end()
    await book()
    await deliver()
    t.same(await send(), { sent: 2 })
    t.same(smtp.received.map(({ to }) => to).sort(), ['ana@quay.test', 'rui@quay.test'])
    t.match(smtp.received[0]!.mail.text, 'it responded 410 (Gone)')
  },
)

t.test(
  'if an endpoint has an e-mail address, this address gets the e-mail, and the owners do not',
  async (t) => {
    const { sql, makeEndpoint, failForDays, send, smtp, receiver, accountId } = await makeQuay(t)
    const [partner] = await sql<{ id: number }[]>`select id from partners where account_id = ${accountId}`
    const { id } = await makeEndpoint(receiver.url, { partnerId: partner!.id })
    await sql`update webhook_endpoints set email = 'tech@atlas.example' where id = ${id}`
    const hash = 'a customer who wants no e-mails'
    await sql`insert into email_optouts (account_id, address_hash) values (${accountId}, ${Buffer.from(hash)})`
    await failForDays()
    t.same(await send(), { sent: 1 })
    t.equal(smtp.received[0]!.to, 'tech@atlas.example')
    t.match(smtp.received[0]!.mail.text, 'For: Atlas')
    t.match(smtp.received[0]!.mail.text, 'resume it with your API key')
  },
)

t.test('an e-mail is dropped if its endpoint was resumed before it was sent', async (t) => {
  const { sql, makeEndpoint, failForDays, send, smtp, receiver, owner } = await makeQuay(t)
  const { id } = await makeEndpoint(receiver.url)
  await sql`update webhook_endpoints set email = 'tech@quay.test' where id = ${id}`
  await failForDays()
  await sql.begin((tx) => resumeEndpoint(tx, owner, id))
  t.same(await send(), { dropped: 1 })
  const [email] = await sql`select status, reason from emails`
  t.same({ ...email }, { status: 'dropped', reason: 'The endpoint is no longer paused.' })
  t.same(smtp.received, [])
})

t.test('an endpoint that is paused 22 times causes only 20 e-mails', async (t) => {
  const { sql, makeEndpoint, receiver, deliver, book, owner } = await makeQuay(t)
  const { id } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  await sql`update webhook_endpoints set email = 'victim@elsewhere.example' where id = ${id}`
  receiver.answer = (response) => response.writeHead(410).end()
  await book()
  for (let pause = 0; pause < 22; pause++) {
    await deliver()
    await sql.begin((tx) => resumeEndpoint(tx, owner, id))
  }
  t.equal((await sql`select from emails`).length, 20)
})

t.test('the e-mail about an endpoint of test mode can be read, and is sent to nobody', async (t) => {
  const { sql, deliver, send, smtp, receiver, accountId } = await makeQuay(t)
  await openTestMode(sql, accountId)
  const owner = { accountId: -accountId, partnerId: null }
  const fields = { url: receiver.url, eventTypes: ['*'], description: '', body: 'thin', email: null } as const
  receiver.answer = (response) => response.writeHead(410).end()
  const settings = { urlFault: () => null, secretKeys: secretKey }
  await sql.begin(async (tx) => {
    const { endpoint } = await createEndpoint(tx, owner, {
      fields: { ...fields, eventTypes: [...fields.eventTypes] },
      settings,
    })
    await sendTest(tx, owner, endpoint.id)
  })
  await deliver()
  t.same(await send(), { sent: 2 })
  t.same(smtp.received, [])
  const [email] = await sql`select test_message ->> 'Text' as text from emails limit 1`
  t.match(email!.text, 'https://booking.test/dashboard/test/webhooks/')
})
