/** From the outbox to a real SMTP server: e-mails that are sent, retried, failed or dropped. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import PostalMime from 'postal-mime'
import t from 'tap'
import { openDatabase } from '../../../src/platform/postgres/database.ts'
import {
  buildQuay,
  makeBooking,
  makeDue,
  makeEmails,
  makeSending,
  makeWorkflow,
  readMetered,
  readOutbox,
} from './fixtures.ts'
import { refusal, startSmtp } from './smtp.ts'

t.test(
  'an e-mail is handed over with its fixed Message-ID, as text and HTML, and metered once',
  async (t) => {
    const { sql, accountId } = await buildQuay(t)
    const smtp = await startSmtp(t)
    const booking = await makeBooking(sql, accountId)
    const workflowId = await makeWorkflow(sql, accountId, { body: 'Dear {{ customer.first_name }} & all' })
    await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: booking.id, workflowId }])
    const send = makeSending(sql, { SMTP_URL: smtp.url })
    t.same(await send(), { sent: 1 })
    t.same(await send(), {})
    const [row] = await sql`select message_id, status, attempts, sent_at from emails`
    t.match(row, { status: 'sent', attempts: 1, sent_at: Date })
    const [received, ...more] = smtp.received
    t.same(more, [])
    t.match(received, { to: 'ada@example.com', from: 'quay@booking.test' })
    t.match(received!.mail, {
      messageId: `<${row!.message_id}@booking.test>`,
      subject: `About ${booking.reference}`,
      from: { name: 'quay', address: 'quay@booking.test' },
      to: [{ name: 'Ada Lovelace', address: 'ada@example.com' }],
      text: 'Dear Ada & all\n',
      html: /Dear Ada &amp; all/,
    })
    t.same(await readMetered(sql), [{ meter: 'workflow-email-sent', extraInfo: '{}' }])
  },
)

t.test(
  'an e-mail that is refused permanently fails at once with the server’s message, and delays no other',
  async (t) => {
    const { sql, accountId } = await buildQuay(t)
    const smtp = await startSmtp(t, {
      onRecipient(address) {
        if (address.startsWith('gone')) throw refusal(550, 'no such mailbox')
      },
      onMessage(raw) {
        if (raw.includes('unwanted')) throw refusal(554, 'looks like spam')
      },
    })
    const good = await makeBooking(sql, accountId)
    const gone = await makeBooking(sql, accountId, { email: 'gone@example.com' })
    const spam = await makeBooking(sql, accountId, { firstName: 'unwanted' })
    await makeEmails(
      sql,
      accountId,
      [gone, spam, good].map(({ id }) => ({ kind: 'confirmation', bookingId: id })),
    )
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { failed: 2, sent: 1 })
    t.match(await readOutbox(sql), [
      { status: 'failed', reason: /550 no such mailbox/, attempts: 1 },
      { status: 'failed', reason: /554 looks like spam/, attempts: 1 },
      { status: 'sent', reason: null },
    ])
    t.same(await readMetered(sql), [], 'neither confirmations nor failed e-mails are metered')
  },
)

t.test('a temporarily refused e-mail is tried ten times, after longer and longer waits', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t, {
    onRecipient() {
      throw refusal(451, 'greylisted')
    },
  })
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  const waits: number[] = []
  for (let tried = 1; tried < 10; tried++) {
    t.same(await send(), { retried: 1 })
    t.same(await send(), {}, 'nothing is due')
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from next_try_at - app_now())::float8 as seconds from emails`
    waits.push(row!.seconds)
    await makeDue(sql)
  }
  t.same(await send(), { failed: 1 })
  t.match(await readOutbox(sql), [{ status: 'failed', reason: /451 greylisted/, attempts: 10 }])
  t.ok(waits[0]! < 40)
  t.ok(waits.at(-1)! > 4 * 3600)
  const sum = waits.reduce((total, wait) => total + wait)
  t.ok(sum > 12 * 3600 && sum < 36 * 3600, `${sum} s is about a day`)
})

t.test('an e-mail is retried when the server is down or drops the connection', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  let drops = 0
  const smtp = await startSmtp(t, {
    onData(drop) {
      if (drops++ === 0) drop()
    },
  })
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  t.same(await makeSending(sql, { SMTP_URL: 'smtp://127.0.0.1:1' })(), { retried: 1 })
  await makeDue(sql)
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  t.same(await send(), { retried: 1 })
  t.equal(smtp.received.length, 0)
  await makeDue(sql)
  t.same(await send(), { sent: 1 })
  t.match(await readOutbox(sql), [{ status: 'sent', attempts: 3 }])
})

t.test('two sending jobs at once send each e-mail once', async (t) => {
  const { sql, url, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  const workflowId = await makeWorkflow(sql, accountId)
  await makeEmails(sql, accountId, Array(60).fill({ kind: 'workflow', bookingId: id, workflowId }))
  const other = openDatabase(url, { poolSize: 10, applicationName: 'abs-test' })
  t.teardown(() => other.end())
  const counts = await Promise.all([sql, other].map((pool) => makeSending(pool, { SMTP_URL: smtp.url })()))
  t.equal((counts[0]!.sent ?? 0) + (counts[1]!.sent ?? 0), 60)
  t.equal(new Set(smtp.received.map(({ mail }) => mail.messageId)).size, 60)
  t.equal(smtp.received.length, 60)
  t.equal((await readMetered(sql)).length, 60)
})

t.test('an e-mail that is no longer needed, or has no address, is dropped with the reason', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const nobody = await makeBooking(sql, accountId, { email: null })
  const cancelled = await makeBooking(sql, accountId, { status: 'cancelled' })
  const reminder = await makeWorkflow(sql, accountId, { trigger: 'before-start', offsetMinutes: 60 })
  const off = await makeWorkflow(sql, accountId, { active: false })
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [
    { kind: 'confirmation', bookingId: nobody.id },
    { kind: 'confirmation', bookingId: cancelled.id },
    { kind: 'workflow', bookingId: cancelled.id, workflowId: reminder },
    { kind: 'workflow', bookingId: id, workflowId: off },
    { kind: 'workflow', bookingId: id, workflowId: 999_999 },
    { kind: 'closure', bookingId: cancelled.id, details: { Action: 'moved' } },
    { kind: 'waitlist-offer', bookingId: id, entryId: 999_999 },
  ])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { dropped: 7 })
  t.same(
    (await readOutbox(sql)).map(({ reason }) => reason),
    [
      'The booking has no e-mail address.',
      'The booking is cancelled.',
      'The booking is cancelled.',
      'The workflow is switched off.',
      'The workflow has been deleted.',
      'The booking is cancelled.',
      'The waitlist offer has ended.',
    ],
  )
  t.same(smtp.received, [])
})

t.test('an e-mail that cannot be composed fails with the reason and delays no other', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  const cancelled = await makeBooking(sql, accountId, { status: 'cancelled' })
  const trigger = 'booking-cancelled'
  const broken = await makeWorkflow(sql, accountId, { trigger, body: '{{ booking.price }}' })
  const empty = await makeWorkflow(sql, accountId, { trigger, subject: '{% if false %}x{% endif %}' })
  await makeEmails(sql, accountId, [
    { kind: 'workflow', bookingId: cancelled.id, workflowId: broken },
    { kind: 'workflow', bookingId: cancelled.id, workflowId: empty },
    { kind: 'closure', bookingId: id, details: { Action: 'moved', FromDate: 'never' } },
    { kind: 'confirmation', bookingId: id },
  ])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { failed: 3, sent: 1 })
  t.match(await readOutbox(sql), [
    { reason: /undefined variable: booking\.price/ },
    { reason: /subject is empty/ },
    { reason: /Invalid time value/ },
    { status: 'sent' },
  ])
})

t.test('an e-mail that the service fails to compose is tried ten times, and delays no other', async (t) => {
  const { sql, accountId } = await buildQuay(t, { isOwn: true })
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  await sql`
    create function refuse(text) returns text language plpgsql as $$
    begin
      if $1 = 'poison' then raise 'poison'; end if;
      return $1;
    end $$`
  await sql`alter table workflows rename to workflows_kept`
  await sql`create view workflows as select * from workflows_kept where refuse(body) is not null`
  const [workflow] = await sql<[{ id: number }]>`
    insert into workflows_kept (account_id, name, trigger, offset_minutes, subject, body, active)
    values (${accountId}, 'Poison', 'booking-confirmed', 0, 'Poison', 'poison', false) returning id`
  await makeEmails(sql, accountId, [
    { kind: 'workflow', bookingId: id, workflowId: workflow.id },
    { kind: 'test', details: { To: 'ada@example.com' } },
  ])
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  t.same(await send(), { retried: 1, sent: 1 })
  for (let tried = 2; tried < 10; tried++) {
    await makeDue(sql)
    t.same(await send(), { retried: 1 })
  }
  await makeDue(sql)
  t.same(await send(), { failed: 1 })
  t.match(await readOutbox(sql), [{ status: 'failed', reason: /its log has the cause/, attempts: 10 }, {}])
})

t.test(
  'without SECRET_KEY, an e-mail that needs a link waits and shows the reason, and others are sent',
  async (t) => {
    const { sql, accountId } = await buildQuay(t)
    const smtp = await startSmtp(t)
    const { id } = await makeBooking(sql, accountId)
    const [slot] = await sql<{ id: number }[]>`select id from timeslots where date = '2030-06-15'`
    const held = await makeBooking(sql, accountId, { status: 'held', channel: 'online' })
    const [entry] = await sql<{ id: number }[]>`
    insert into waitlist_entries (account_id, booking_id, timeslot_id, status, offered_at)
    values (${accountId}, ${held.id}, ${slot!.id}, 'offered', app_now()) returning id`
    await makeEmails(sql, accountId, [
      { kind: 'waitlist-offer', bookingId: held.id, entryId: entry!.id },
      { kind: 'confirmation', bookingId: id },
    ])
    t.same(await makeSending(sql, { SMTP_URL: smtp.url, SECRET_KEY: '' })(), { waiting: 1, sent: 1 })
    t.match(await readOutbox(sql), [
      { status: 'queued', attempts: 0, reason: /SECRET_KEY/ },
      { status: 'sent' },
    ])
    await makeDue(sql)
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    t.match(smtp.received[1]!.mail.text, /http:\/\/booking\.test\/waitlist\/[\w.-]+\n/)
    const extraInfo = JSON.stringify({ WaitlistID: entry!.id, MultiBookingID: held.id })
    t.same(await readMetered(sql), [{ meter: 'waitlist-notified', extraInfo }])
  },
)

t.test('without SMTP_URL, e-mails become .eml files; an e-mail that is sent twice is one file', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const folder = t.testdir({})
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  const send = makeSending(sql, { DATA_DIR: folder, MAIL_FROM: '' })
  t.same(await send(), { sent: 1 })
  await sql`update emails set status = 'queued', sent_at = null`
  t.same(await send(), { sent: 1 })
  const [row] = await sql`select message_id from emails`
  t.same(await readdir(path.join(folder, 'outbox')), [`${row!.message_id}.eml`])
  const mail = await PostalMime.parse(await readFile(path.join(folder, 'outbox', `${row!.message_id}.eml`)))
  t.match(mail, { messageId: `<${row!.message_id}@localhost>`, subject: /^Booking REF\d+: Kayak$/ })
})
