/** While PostgreSQL is slow or out of reach, a try of an e-mail counts only if its own queries fail. */
import t from 'tap'
import type { RenderBudget } from '../../../src/messaging/emails/render-budget.ts'
import { openDatabase, type Sql } from '../../../src/platform/postgres/database.ts'
import { proxyTo, throughProxy } from '../../proxy.ts'
import { until } from '../../until.ts'
import {
  buildQuay,
  endLeases,
  makeBooking,
  makeDue,
  makeEmails,
  makeSending,
  makeWorkflow,
  readOutbox,
} from './fixtures.ts'
import { startSmtp } from './smtp.ts'

t.test('an e-mail whose queries always take too long is tried ten times, and delays no other', async (t) => {
  const { sql, accountId } = await buildQuay(t, { isOwn: true })
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  const workflowId = await makeWorkflow(sql, accountId)
  await sql`alter table workflows rename to workflows_kept`
  // Only this query fails as if it took too long, however busy the machine is.
  await sql`
    create function time_out(text) returns text language plpgsql as $$
    begin
      raise 'too slow' using errcode = '57014';
    end $$`
  await sql`create view workflows as select workflows_kept.*, time_out(name) from workflows_kept`
  await makeEmails(sql, accountId, [
    { kind: 'workflow', bookingId: id, workflowId },
    { kind: 'test', details: { To: 'ada@example.com' } },
  ])
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  t.same(await send(), { retried: 1, sent: 1 })
  t.match(await readOutbox(sql), [{ status: 'queued', reason: /took too long/, attempts: 1 }, {}])
  await sql`update emails set attempts = 9 where status = 'queued'`
  await makeDue(sql)
  t.same(await send(), { failed: 1 })
  t.match(await readOutbox(sql), [{ status: 'failed', reason: /took too long/, attempts: 10 }, {}])
})

t.test('a try fails if its queries leave too little time of the lease for the handover', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  t.same(await makeSending(sql, { SMTP_URL: smtp.url }, { composeMs: 0 })(), { retried: 1 })
  t.match(await readOutbox(sql), [{ status: 'queued', reason: /took too long/, attempts: 1 }])
  t.same(smtp.received, [])
})

t.test('a failed try because of slow queries is counted before the lease of the e-mail ends', async (t) => {
  const { sql, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])

  t.test('while a query still waits', async (t) => {
    const send = makeSending(sql, { SMTP_URL: smtp.url }, { composeMs: 50, handoverMs: 50 })
    await sql.begin(async (tx) => {
      await tx`lock table business_details in access exclusive mode`
      t.same(await send(), { retried: 1 })
    })
    t.match(await readOutbox(sql), [{ status: 'queued', reason: /took too long/, attempts: 1 }])
  })

  t.test('even while the account must pause because of its templates', async (t) => {
    await makeDue(sql)
    const renders: RenderBudget = { owedMs: () => 3_600_000, take: async (_, work) => work(0) }
    t.same(await makeSending(sql, { SMTP_URL: smtp.url }, { composeMs: 0, renders })(), { retried: 1 })
    t.match(await readOutbox(sql), [{ status: 'queued', reason: /took too long/, attempts: 2 }])
    t.same(smtp.received, [])
  })
})

t.test('an e-mail that the mail server accepted', async (t) => {
  const { sql, accountId } = await buildQuay(t, { isOwn: true })
  const smtp = await startSmtp(t)
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  await sql`create sequence timeouts`
  await sql`
    create function time_out() returns trigger language plpgsql as $$
    begin
      if nextval('timeouts') <= tg_argv[0]::int then raise 'too slow' using errcode = '57014'; end if;
      return new;
    end $$`

  t.test('is sent once if PostgreSQL is at first too slow to mark it', async (t) => {
    await timeOut(sql, 2)
    await makeEmails(sql, accountId, [{ kind: 'test', details: { To: 'ada@example.com' } }])
    t.same(await send(), { sent: 1 })
    t.equal(smtp.received.length, 1)
    t.match(await readOutbox(sql), [{ status: 'sent', reason: null, attempts: 1 }])
  })

  t.test('does not use up a try if PostgreSQL stays too slow to mark it', async (t) => {
    await timeOut(sql, 1000)
    await makeEmails(sql, accountId, [{ kind: 'test', details: { To: 'ada@example.com' } }])
    await t.rejects(send(), { code: '57014' })
    t.match(await readOutbox(sql), [{}, { status: 'queued', reason: null, attempts: 0 }])
  })
})

/** Makes the next `times` statements that mark an e-mail as sent fail, as if they took too long. */
async function timeOut(sql: Sql, times: number): Promise<void> {
  await sql.unsafe(`
    alter sequence timeouts restart;
    create or replace trigger time_out before update on emails
    for each row when (new.status = 'sent') execute function time_out(${times})`)
}

t.test('an outage of PostgreSQL does not use up the tries of an e-mail', async (t) => {
  const { sql, url, accountId } = await buildQuay(t)
  const smtp = await startSmtp(t)
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: id }])
  for (let outages = 0; outages < 3; outages++) {
    const postgres = await proxyTo(t, process.env.TEST_DATABASE_URL!)
    const through = throughProxy(postgres.url, url)
    const pool = openDatabase(through, { poolSize: 4, applicationName: 'abs-test' })
    const sending = await sql.begin(async (tx) => {
      // The worker has claimed the e-mail, and waits for this lock while it composes it.
      await tx`lock table business_details in access exclusive mode`
      const promise = makeSending(pool, { SMTP_URL: smtp.url })()
      promise.catch(() => {})
      await until(async () => {
        const waiting = await sql`
          select from emails join pg_stat_activity on wait_event_type = 'Lock' and query like '%business_details%'
          where leased_until > now() and datname = current_database()`
        return waiting.length > 0
      })
      await postgres.cut()
      return { promise }
    })
    await t.rejects(sending.promise)
    await pool.end({ timeout: 0 })
    t.match(await readOutbox(sql), [{ status: 'queued', reason: null, attempts: 0 }])
    await endLeases(sql)
  }
  t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
  t.match(await readOutbox(sql), [{ status: 'sent', attempts: 1 }])
})
