/**
 * A worker is killed after the mail server’s OK and before the e-mail is marked as sent: the e-mail is handed
 * over again, and metered once.
 */
import t from 'tap'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { startProcess } from '../../processes.ts'
import { until } from '../../until.ts'
import {
  buildQuay,
  endLeases,
  makeBooking,
  makeEmails,
  makeSending,
  makeWorkflow,
  readMetered,
  secret,
} from './fixtures.ts'
import { startSmtp } from './smtp.ts'

/** The process ids of the connections to this database that wait for a lock. Other tests use other databases. */
async function listWaiting(sql: Sql): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.map(({ pid }) => pid)
}

t.test(
  'if the worker is killed after the mail server’s OK, the e-mail is sent again with the same Message-ID',
  async (t) => {
    const { sql, url, accountId, services } = await buildQuay(t)
    const smtp = await startSmtp(t)
    const { id } = await makeBooking(sql, accountId)
    const workflowId = await makeWorkflow(sql, accountId)
    await makeEmails(sql, accountId, [{ kind: 'workflow', bookingId: id, workflowId }])
    const startWorker = async () => {
      const worker = startProcess(t, 'workers/worker.js', {
        DATABASE_URL: url,
        SMTP_URL: smtp.url,
        MAIL_FROM: 'quay@booking.test',
        SECRET_KEY: secret,
        WORKER_PORT: '0',
      })
      await until(() => worker.output().includes('worker started'))
      await until(() => services.queue.state().reachable)
      await services.queue.add('emails.send', {})
      return worker
    }
    let first: Awaited<ReturnType<typeof startWorker>> | undefined
    await sql.begin(async (tx) => {
      // The worker cannot append its event to the locked table: it waits after the OK, and the e-mail stays queued.
      await tx`lock table events in exclusive mode`
      first = await startWorker()
      await until(() => smtp.received.length === 1)
      await until(async () => (await listWaiting(sql)).length > 0)
      await first.stop('SIGKILL')
      // Otherwise PostgreSQL would still execute the statements that it has received.
      for (const pid of await listWaiting(sql)) await sql`select pg_terminate_backend(${pid})`
      await until(async () => (await listWaiting(sql)).length === 0)
    })
    t.match(await sql`select status from emails`, [{ status: 'queued' }])
    t.same(await sql`select from events`, [])
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), {}, 'the e-mail is still leased')
    await endLeases(sql)
    const second = await startWorker()
    await until(async () => (await sql`select from emails where status = 'sent'`).length === 1)
    t.equal(await second.stop(), 0)
    const ids = smtp.received.map(({ mail }) => mail.messageId)
    const [row] = await sql`select message_id from emails`
    t.same(ids, Array(2).fill(`<${row!.message_id}@booking.test>`))
    t.same(await readMetered(sql), [{ meter: 'workflow-email-sent', extraInfo: '{}' }])
    for (const worker of [first!, second]) t.notMatch(worker.output(), /example\.com|Lovelace/)
  },
)
