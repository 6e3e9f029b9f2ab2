/**
 * What only the stores know: how much waits and for how long, and what the last audits found. It is read when
 * somebody scrapes, at most every 5 seconds, and given up after 2; what cannot be read is left out, and `store_up`
 * says so. Every process tells the same, so that it is known while any of them lives: take the `max`, never the `sum`.
 */
import { Gauge, type Registry } from 'prom-client'
import { sumAudits } from '../accounts/audits/service.ts'
import { findTestLag } from '../accounts/service.ts'
import { findBacklog } from '../events/queries.ts'
import { sumHolds } from '../inventory/expiry-queries.ts'
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
  /** Null for a process that has no standby. */
  replica: Replica | null
  queue: JobQueue
}

/** Registers a gauge for each; call once for each registry. */
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
  define('queue_takes_usage', 'Whether usage goes through the queue, and not past it.', [], () =>
    one(queue.state().reasons.length === 0 ? 1 : 0),
  )
  define('replica_answers', 'Whether the standby answers, and not the primary for it.', [], () =>
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
    'How long ago the time of the oldest of them ran out.',
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
    `${due}: how long the oldest has been.`,
    [],
    sum(({ emails }) => emails.oldestSeconds),
  )
  defineWebhooks(define, async () => (await database())?.webhooks)
  define(
    'test_accounts_lag_seconds',
    'How long ago the test account was brought up to date that has waited longest.',
    [],
    sum(({ testLag }) => testLag),
  )
  define(
    'sales_totals_oldest_mark_age_seconds',
    'How long the oldest day has waited to be counted for reports, or the oldest event to be read.',
    [],
    sum(({ staleSales }) => staleSales),
  )
  define(
    'refunds_oldest_due_age_seconds',
    'How long the oldest refund has been due: nobody said that it was paid back.',
    [],
    sum(({ oldestRefund }) => oldestRefund),
  )
  define(
    'usage_entries_rejected',
    'Accepted entries that PostgreSQL refuses to store.',
    [],
    sum(({ rejects }) => rejects),
  )
  define(
    'audit_differences',
    'What the last audits of all accounts found to be wrong.',
    ['kind'],
    byKind(({ differences }) => differences),
  )
  define(
    'audit_oldest_timestamp_seconds',
    'When the account that was audited longest ago was audited, or made if it never was.',
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
  define('db_client_connection_max', 'Most connections that the pool opens.', [], () => one(sql.options.max))
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
    'The most events that an active webhook endpoint is behind the log.',
    [],
    sum(({ behind }) => behind),
  )
  define('webhook_endpoints_paused', 'Endpoints that the service paused, by why.', ['reason'], async () => {
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
        // What was not read is left out; without labels, the library would tell it as 0.
        if (labelNames.length > 0) this.reset()
        else this.remove()
        for (const [labels, value] of samples) this.set(labels, value)
      },
    })
  }
}

type Sums = Awaited<ReturnType<typeof readDatabase>>

/** All in one transaction, whose statements the server itself gives up, so that scrapes never pile up there. */
function readDatabase(sql: Sql) {
  return sql.begin('read only', async (tx) => {
    const read = await inOrder({
      limit: tx`select set_config('statement_timeout', ${statementTimeout}, true)`,
      backlog: findBacklog(tx, null),
      holds: sumHolds(tx),
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
