/**
 * Gauges of data in the stores: how much waits and for how long, and what the latest audits found. They are read during
 * a scrape, at most once in 5 seconds; a statement may take 2 seconds. A value that cannot be read is left out, and
 * `store_up` reports that. Each process reports the data of the stores, so that it is available while any process
 * lives: aggregate it with `max`, never with `sum`. `store_up`, `queue_takes_usage` and the gauges of the standby and
 * of the connection pool describe only one process.
 */
import { Gauge, type Registry } from 'prom-client'
import { sumAudits } from '../accounts/audits/service.ts'
import { findTestLag } from '../accounts/service.ts'
import { findBacklog } from '../events/queries.ts'
import { findHoldTotals } from '../inventory/expiry-queries.ts'
import { sumOverdue } from '../messaging/emails/service.ts'
import { sumWebhooks, type WebhookSums } from '../messaging/webhooks/deliveries/gauge-queries.ts'
import { countRejects } from '../metering/audit/service.ts'
import { shareRecent } from '../platform/async/recent.ts'
import { findPoolUse, inOrder, type Sql } from '../platform/postgres/database.ts'
import type { Replica } from '../platform/postgres/replica.ts'
import type { JobQueue } from '../queue/producer.ts'
import { findOldestDue } from '../sales/ledger/refund-list-queries.ts'
import { findOldestMark } from './sales/totals/mark-queries.ts'

const statementTimeout = '2s'

type Stores = {
  sql: Sql
  /** Null for a process without a standby. */
  replica: Replica | null
  queue: JobQueue
}

/** Registers the gauges. Call it once for each registry. */
export function measureStores(registry: Registry, { sql, replica, queue }: Stores): void {
  const database = shareRecent(() => readDatabase(sql))
  const jobs = shareRecent(() => queue.countJobs())
  const define = definer(registry)
  const sum = (pick: (sums: Sums) => number) => async () => {
    const sums = await database()
    return sums ? one(pick(sums)) : []
  }
  const byKind = (pick: (audit: Sums['audits'][number]) => number) => async () => {
    const { audits = [] } = (await database()) ?? {}
    return audits.map((audit): Sample => [{ kind: audit.kind }, pick(audit)])
  }

  define('store_up', 'Whether a store answered this process in time.', ['store'], async () => [
    [{ store: 'database' }, (await database()) ? 1 : 0],
    [{ store: 'queue' }, (await jobs()) ? 1 : 0],
  ])
  define(
    'queue_takes_usage',
    'Whether usage is sent through the queue (1), or directly to PostgreSQL (0).',
    [],
    () => one(queue.state().reasons.length === 0 ? 1 : 0),
  )
  define('replica_answers', 'Whether the standby is used for its queries (1), or the primary (0).', [], () =>
    replica ? one(replica.reason() === null ? 1 : 0) : [],
  )
  define('queue_jobs', 'Jobs in a queue, by state.', ['queue', 'state'], async () =>
    ((await jobs()) ?? []).flatMap(({ queue, counts }) =>
      Object.entries(counts).map(([state, count]): Sample => [{ queue, state }, count]),
    ),
  )
  define('queue_oldest_job_age_seconds', 'Age of the oldest job that waits or runs.', ['queue'], async () =>
    ((await jobs()) ?? []).map(({ queue, oldestSeconds }) => [{ queue }, oldestSeconds]),
  )

  const events = 'Events of the log that have no number yet'
  define(
    'events_unnumbered',
    `${events}.`,
    [],
    sum(({ backlog }) => backlog.events),
  )
  define(
    'events_oldest_unnumbered_age_seconds',
    `${events}: age of the oldest.`,
    [],
    sum(({ backlog }) => backlog.oldestSeconds),
  )
  define(
    'holds_open',
    'Baskets that hold places until they are paid or confirmed.',
    [],
    sum(({ holds }) => holds.open),
  )
  define(
    'holds_oldest_overdue_age_seconds',
    'How long ago the oldest basket that still holds places expired; 0 if none has expired.',
    [],
    sum(({ holds }) => holds.overdueSeconds),
  )
  const due = 'E-mails that are due and not handed over'
  define(
    'emails_due',
    `${due}.`,
    [],
    sum(({ emails }) => emails.emails),
  )
  define(
    'emails_oldest_due_age_seconds',
    `${due}: how long the oldest has been due.`,
    [],
    sum(({ emails }) => emails.oldestSeconds),
  )
  defineWebhooks(define, async () => (await database())?.webhooks)
  define(
    'test_accounts_lag_seconds',
    'Time since the last update of the test account that has waited longest.',
    [],
    sum(({ testLag }) => testLag),
  )
  define(
    'sales_totals_oldest_mark_age_seconds',
    'For how long the totals of reports have lacked a changed day or an event that is not read yet; 0 if they lack none.',
    [],
    sum(({ staleSales }) => staleSales),
  )
  define(
    'refunds_oldest_due_age_seconds',
    'How long the oldest refund has been due without being marked as paid back.',
    [],
    sum(({ oldestRefund }) => oldestRefund),
  )
  define(
    'usage_entries_rejected',
    'Accepted entries that PostgreSQL rejects.',
    [],
    sum(({ rejects }) => rejects),
  )
  define(
    'audit_differences',
    'Differences that the last audits of all accounts found.',
    ['kind'],
    byKind(({ differences }) => differences),
  )
  define(
    'audit_oldest_timestamp_seconds',
    'Time of the latest audit of the account that was audited longest ago. An account that was never audited has the time when the account was made.',
    ['kind'],
    byKind(({ oldestSecond }) => oldestSecond),
  )

  define('db_client_connection_count', 'Connections of the pool, by state.', ['state'], () => {
    const { idle, used } = findPoolUse(sql)
    return [
      [{ state: 'idle' }, idle],
      [{ state: 'used' }, used],
    ]
  })
  define('db_client_connection_max', 'Limit of the pool’s connections.', [], () => one(sql.options.max))
  define('db_client_connection_pending_requests', 'Queries that wait for a connection.', [], () =>
    one(findPoolUse(sql).waiting),
  )
}

function defineWebhooks(define: Define, read: () => Promise<WebhookSums | undefined>): void {
  const sum = (pick: (sums: WebhookSums) => number) => async () => {
    const sums = await read()
    return sums ? one(pick(sums)) : []
  }
  const ofActive = 'of active webhook endpoints'
  define(
    'webhook_deliveries_unfinished',
    `Deliveries ${ofActive} that are neither delivered nor set aside.`,
    [],
    sum(({ unfinished }) => unfinished),
  )
  define(
    'webhook_oldest_due_age_seconds',
    `Deliveries ${ofActive} that could be tried: how long the oldest has been due.`,
    [],
    sum(({ oldestDueSeconds }) => oldestDueSeconds),
  )
  define(
    'webhook_events_behind',
    'The largest number of events by which an active webhook endpoint is behind the log.',
    [],
    sum(({ behind }) => behind),
  )
  define('webhook_endpoints_paused', 'Endpoints that were paused, by reason.', ['reason'], async () => {
    const sums = await read()
    return sums
      ? [
          [{ reason: 'failing' }, sums.pausedFailing],
          [{ reason: 'gone' }, sums.pausedGone],
        ]
      : []
  })
}

type Sample = [labels: Record<string, string>, value: number]

function one(value: number): Sample[] {
  return [[{}, value]]
}

type Define = ReturnType<typeof definer>

function definer(registry: Registry) {
  return (name: string, help: string, labelNames: string[], read: () => Sample[] | Promise<Sample[]>) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await read()
        // Values that were not read are left out. Without labels, the library would report them as 0.
        if (labelNames.length > 0) this.reset()
        else this.remove()
        for (const [labels, value] of samples) this.set(labels, value)
      },
    })
  }
}

type Sums = Awaited<ReturnType<typeof readDatabase>>

/**
 * Reads all values in one transaction. PostgreSQL limits the time of each statement, so that scrapes do not
 * pile up in it.
 */
function readDatabase(sql: Sql) {
  return sql.begin('read only', async (tx) => {
    const read = await inOrder({
      limit: tx`select set_config('statement_timeout', ${statementTimeout}, true)`,
      backlog: findBacklog(tx, null),
      holds: findHoldTotals(tx),
      emails: sumOverdue(tx),
      webhooks: sumWebhooks(tx),
      testLag: findTestLag(tx),
      staleSales: findOldestMark(tx),
      oldestRefund: findOldestDue(tx),
      rejects: countRejects(tx),
      audits: sumAudits(tx),
    })
    return {
      backlog: read.backlog[0]!,
      holds: read.holds[0]!,
      emails: read.emails[0]!,
      webhooks: read.webhooks[0]!,
      testLag: read.testLag[0]!.seconds,
      staleSales: read.staleSales[0]!.seconds,
      oldestRefund: read.oldestRefund[0]!.seconds,
      rejects: read.rejects[0]!.entries,
      audits: [...read.audits],
    }
  })
}
