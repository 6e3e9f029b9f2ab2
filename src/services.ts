/** What a process works with, opened in order and closed in reverse. Tests open the same with other settings. */
import type { Logger } from 'pino'
import { actAfterCommits } from './after-commit.ts'
import { leavePausedEmails } from './messaging/emails/from-pauses.ts'
import { createRenderBudget, type RenderBudget } from './messaging/emails/render-budget.ts'
import { composeBodies } from './messaging/webhooks/bodies/composing.ts'
import { createDelivering, type Delivering } from './messaging/webhooks/deliveries/delivering.ts'
import { createSecretReader } from './messaging/webhooks/endpoints/secrets.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { composeNotifications } from './octo/notifications/composing.ts'
import { type Config, openingKeys, outgoingRules } from './platform/config/config.ts'
import { openSender, type Sender } from './platform/outgoing/sender.ts'
import { type DatabaseOptions, openDatabase, type Sql } from './platform/postgres/database.ts'
import { openReplica, primaryAlone, type Replica } from './platform/postgres/replica.ts'
import { createLogger } from './platform/process/logging.ts'
import type { QueueOptions } from './queue/connections.ts'
import { type JobQueue, openQueue } from './queue/producer.ts'
import { type BookingService, createBookingService, maxBatches } from './sales/booking/service.ts'
import { createReservations, type Reservations } from './sales/reservation/service.ts'

export type Services = {
  config: Config
  log: Logger
  sql: Sql
  /** Connections of their own for reads that may take many seconds, so that nothing else waits behind them for one. */
  longReads: Sql
  /** Connections that do nothing but sell; null where connections are lent for a transaction at a time. */
  selling: Sql | null
  /** For reads that may be a little old. */
  replica: Replica
  queue: JobQueue
  /** Built once per process, so that all surfaces share its batches. */
  bookings: BookingService
  /** Alike. */
  reservations: Reservations
  /** One for each process, since templates of all surfaces and jobs share its event loop. */
  renders: RenderBudget
  /** Delivers what happens to webhook endpoints. */
  webhooks: Delivering
  /** For calls to addresses that somebody else chose. */
  sender: Sender
  metrics: Metrics
  /** Longest time that a summary waits until the entries accepted before it are stored; left out, 2 seconds. */
  maxSummaryWaitMs?: number
  /** Mutable: `draining` turns true when the process has begun to shut down. */
  state: { draining: boolean }
}

export const mostLongReads = 4

/** Timeouts that a process has of its own; those that are left out are the defaults. */
export type ServiceTimeouts = {
  /** How long the network may take to make a connection to PostgreSQL. */
  connectMs?: number
  /** How long a partner's booking waits for a timeslot that another transaction has locked. */
  lockedMs?: number
}

/** Opens what `name` (web or worker) needs. No store is waited for here. */
export function openServices(
  config: Config,
  databaseUrl: string,
  name: string,
  log: Logger = createLogger(config.LOG_LEVEL, name),
  { connectMs, lockedMs }: ServiceTimeouts = {},
): Services {
  const metrics = createMetrics()
  const database: DatabaseOptions = {
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: `abs-${name}`,
    patience: name === 'web' ? 'request' : 'job',
    // A fifth of the time that a request has, and two seconds at least.
    connectSeconds: Math.max(2, config.REQUEST_TIMEOUT_SECONDS / 5),
    poolMode: config.DATABASE_POOL_MODE,
    connectMs,
  }
  const sql = openDatabase(databaseUrl, database)
  const longReads = openDatabase(databaseUrl, { ...database, poolSize: mostLongReads, patience: 'job' })
  const { DATABASE_REPLICA_URL: standbyUrl, REPLICA_LAG_SECONDS: lagSeconds } = config
  // A worker asks nothing that may be old.
  const replica =
    standbyUrl && name !== 'worker'
      ? openReplica(sql, { primaryUrl: databaseUrl, standbyUrl, lagSeconds, log, database })
      : null
  const selling = openSelling(databaseUrl, database)
  const queue = openQueue({
    ...queueOptions(config, databaseUrl, log),
    allowVolatile: config.ALLOW_VOLATILE_QUEUE === 1,
    backlogLimit: config.QUEUE_BACKLOG_LIMIT,
    observeReads: metrics.observeBatches('queue-reads'),
  })
  actAfterCommits([sql, selling], queue, metrics)
  const { observeBatches: observe } = metrics
  const bookings = createBookingService(sql, { selling, observe, lockedMs })
  const state = { draining: false }
  const sender = openSender(outgoingRules(config))
  const webhooks = createDelivering({
    ...{ sql, log, sender, state },
    composers: { thin: composeBodies, full: composeBodies, octo: composeNotifications },
    readSecrets: createSecretReader(openingKeys(config)),
    paused: leavePausedEmails,
    tried: metrics.observeTry,
  })
  return {
    config,
    log,
    sql,
    longReads,
    replica: replica ?? primaryAlone(sql),
    queue,
    selling,
    bookings,
    reservations: createReservations(sql, { bookings, observe, lockedMs }),
    renders: createRenderBudget(),
    webhooks,
    sender,
    metrics,
    state,
  }
}

/**
 * Connections that sell, which are never lent to anything else, so that a batch finds one. In between, a pool may lend a
 * connection of the server for a transaction only: then its statements come without limits of their own, and selling needs
 * transactions that state them.
 */
function openSelling(databaseUrl: string, database: DatabaseOptions): Sql | null {
  if (database.poolMode === 'transaction') return null
  return openDatabase(databaseUrl, { ...database, poolSize: maxBatches, genericPlans: true })
}

/** Where the queues are. Those in PostgreSQL listen, so that they need connections to themselves. */
export function queueOptions(config: Config, databaseUrl: string, log: Logger): QueueOptions {
  return {
    redisUrl: config.REDIS_URL,
    databaseUrl: config.DATABASE_DIRECT_URL ?? databaseUrl,
    prefix: config.QUEUE_PREFIX,
    log,
  }
}

/** Closes what openServices() opened, once the bookings under way have been decided. */
export async function closeServices(services: Services): Promise<void> {
  const { sql, longReads, selling, replica, queue, bookings, reservations, webhooks, sender } = services
  await bookings.drain()
  await reservations.drain()
  await webhooks.drain()
  // What is still under way has had its time.
  void sender.close()
  await queue.close()
  await replica.close()
  await Promise.all([sql, longReads, selling].map((pool) => pool?.end({ timeout: 5 })))
}
