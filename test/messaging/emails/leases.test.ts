/**
 * Workers claim e-mails by leases: no row is locked during a handover, and only the holder of a lease marks its
 * e-mail.
 */
import t, { type Test } from 'tap'
import { composeLimitMs, handoverLimitMs, leaseMs } from '../../../src/messaging/emails/lease.ts'
import { claimEmail } from '../../../src/messaging/emails/lease-queries.ts'
import { smtpTimeoutsMs } from '../../../src/messaging/emails/transport.ts'
import { openDatabase, type Sql } from '../../../src/platform/postgres/database.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { until } from '../../until.ts'
import {
  buildQuay,
  endLeases,
  makeBooking,
  makeEmails,
  makeSending,
  makeWorkflow,
  readMetered,
  readOutbox,
  slotStart,
} from './fixtures.ts'
import { refusal, startSmtp } from './smtp.ts'

async function addAccount(sql: Sql, slug: string): Promise<number> {
  const { accountId } = await makeCaller(sql, { slug })
  await makeProduct(sql, accountId, { slots: { [slotStart]: 1000 } })
  return accountId
}

/** A promise, and the function `open` that resolves it. */
function createGate(t: Test) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  t.teardown(() => open())
  return { open: () => open(), opened }
}

t.test('a lease is longer than all timeouts of a handover together', async (t) => {
  const { dnsTimeout, connectionTimeout, greetingTimeout, socketTimeout } = smtpTimeoutsMs
  const timeoutsMs = dnsTimeout + connectionTimeout + greetingTimeout + socketTimeout
  t.ok(leaseMs >= timeoutsMs + handoverLimitMs + composeLimitMs)
})

t.test(
  'a server that hangs for one account delays no other account, and keeps no transaction open',
  async (t) => {
    const { sql, url, accountId } = await buildQuay(t)
    const otherId = await addAccount(sql, 'other')
    const gate = createGate(t)
    let hanging = 0
    let maxHanging = 0
    const smtp = await startSmtp(t, {
      async onRecipient(address) {
        if (!address.startsWith('slow')) return
        maxHanging = Math.max(maxHanging, ++hanging)
        await gate.opened
        hanging--
        throw refusal(550)
      },
    })
    const slow = await makeBooking(sql, accountId, { email: 'slow@example.com' })
    await sql`
    insert into emails (account_id, kind, booking_id)
    select ${accountId}, 'confirmation', ${slow.id} from generate_series(1, 1000)`
    const second = openDatabase(url, { poolSize: 10, applicationName: 'abs-test' })
    t.teardown(() => second.end())
    const state = { draining: false }
    const workers = [sql, second].map((pool) => makeSending(pool, { SMTP_URL: smtp.url }, { state }))
    const first = workers.map((send) => send())
    await until(() => hanging === 2)
    const other = await makeBooking(sql, otherId, { email: 'other@example.com' })
    await makeEmails(sql, otherId, [{ kind: 'confirmation', bookingId: other.id }])
    // The server answers nothing about the first account before the gate is open.
    t.same(await workers[0]!(), { sent: 1 })
    t.match(smtp.received, [{ to: 'other@example.com' }])
    t.same(
      await workers[1]!(),
      {},
      'the first account already has two handovers under way, which is its limit',
    )
    t.same(
      await sql`
      select state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
        and backend_type = 'client backend'`,
      [],
    )
    t.match(await sql`select count(*) from emails where lease is not null`, [{ count: 2 }])
    t.equal(hanging, 2)
    state.draining = true
    gate.open()
    const counts = await Promise.all(first)
    t.equal((counts[0]!.failed ?? 0) + (counts[1]!.failed ?? 0), 2)
    t.equal(maxHanging, 2)
  },
)

t.test('accounts take turns, each with the e-mail that has been due for longest', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const others = [await addAccount(sql, 'other'), await addAccount(sql, 'third')]
  const ids: Record<number, number[]> = {}
  for (const id of [accountId, ...others]) {
    const booking = await makeBooking(sql, id)
    ids[id] = await makeEmails(
      sql,
      id,
      Array(id === accountId ? 9 : 1).fill({ kind: 'test', bookingId: booking.id }),
    )
  }
  const claimed: (number | null)[] = []
  for (let after = 0, claims = 0; claims < 5; claims++) {
    const email = await claimEmail(sql, { after, leaseMs: 60_000 })
    claimed.push(email?.id ?? null)
    after = email?.accountId ?? after
  }
  const [one, two] = ids[accountId]!
  t.same(claimed, [one, ...others.map((id) => ids[id]![0]), two, null])
  await endLeases(sql)
  t.ok(await claimEmail(sql, { after: 0, leaseMs: 60_000 }), 'an e-mail whose lease ran out is due again')
})

for (const [name, error] of [
  ['sent', null],
  ['refused', refusal(550, 'too late')],
] as const)
  t.test(`a worker whose lease was taken over marks nothing when its e-mail is ${name}`, async (t) => {
    const { sql, accountId } = await buildQuay(t)
    const gate = createGate(t)
    let held = false
    const slow = await startSmtp(t, {
      async onMessage() {
        held = true
        await gate.opened
        if (error) throw error
      },
    })
    const quick = await startSmtp(t)
    const { id } = await makeBooking(sql, accountId)
    const workflowId = await makeWorkflow(sql, accountId)
    await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: id, workflowId }])
    const late = makeSending(sql, { SMTP_URL: slow.url })()
    await until(() => held)
    await endLeases(sql)
    t.same(await makeSending(sql, { SMTP_URL: quick.url })(), { sent: 1 })
    const before = await sql`select * from emails`
    gate.open()
    t.same(await late, { lost: 1 })
    t.same(await sql`select * from emails`, before)
    t.same(await readMetered(sql), [{ meter: 'workflow-email-sent', extraInfo: '{}' }])
    const sent = [...slow.received, ...quick.received].map(({ mail }) => mail.messageId)
    t.equal(new Set(sent).size, 1)
  })

t.test('an e-mail whose outcome PostgreSQL rejects fails with a fixed reason', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  const workflowId = await makeWorkflow(sql, accountId)
  await sql`alter table events add constraint refused check (details->>'Kind' <> 'workflow')`
  await makeEmails(sql, accountId, [
    { kind: 'workflow', bookingId: id, workflowId },
    { kind: 'confirmation', bookingId: id },
  ])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { failed: 1, sent: 1 })
  t.match(await readOutbox(sql), [
    { status: 'failed', reason: /PostgreSQL rejected/ },
    { status: 'sent', reason: null },
  ])
  t.same(await readMetered(sql), [])
  t.match(
    await sql`select lease, leased_until from emails`,
    Array(2).fill({ lease: null, leased_until: null }),
  )
})
