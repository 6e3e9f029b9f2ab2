/**
 * The services of a process: opens them in order, and closes them at the end. Tests open the same services with other
 * settings.
 */
import type { Logger } from 'pino'
import { actAfterCommits } from './after-commit.ts'
import { queuePausedEmails } from './messaging/emails/from-pauses.ts'
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
  /**
   * Separate connections for reads that may take many seconds, so that other queries do not wait behind them.
   */
  longReads: Sql
  /**
   * Connections used only by /readyz, and by the statement that makes bookings without units and without a hold for
   * partners in live mode. Null behind a pooler in transaction mode.
   */
  selling: Sql | null
  /** For reads whose data may be slightly old. */
  replica: Replica
  queue: JobQueue
  /** One for each process, so that all surfaces share its batches. */
  bookings: BookingService
  /** One for each process, so that all surfaces share its batches. Uses `bookings`. */
  reservations: Reservations
  /** One for each process, because templates of all surfaces and jobs share its event loop. */
  renders: RenderBudget
  /** Delivers events to webhook endpoints. */
  webhooks: Delivering
  /** Sends requests to addresses that users chose. */
  sender: Sender
  metrics: Metrics
  /** Longest time that a summary waits until earlier entries are stored; 2 seconds when left out. */
  maxSummaryWaitMs?: number
  /** Mutable: `draining` becomes true when the process begins to shut down. */
  state: { draining: boolean }
}

export const maxLongReads = 4

/** Timeouts that differ from the defaults. */
export type ServiceTimeouts = {
  /** How long the network may take to connect to PostgreSQL. */
  connectMs?: number
  /**
   * The longest time that a booking or confirmation of a partner waits for its turn at a locked timeslot or
   * idempotency key.
   */
  lockedMs?: number
}

/**
 * Opens the services of the process `name`: `web` has the timeouts of requests, and `worker` never uses the
 * standby. Returns at once, even if PostgreSQL or Redis cannot be reached.
 */
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
    timeouts: name === 'web' ? 'request' : 'job',
    // A fifth of the request timeout, and at least two seconds.
    connectSeconds: Math.max(2, config.REQUEST_TIMEOUT_SECONDS / 5),
    poolMode: config.DATABASE_POOL_MODE,
    connectMs,
  }
  const sql = openDatabase(databaseUrl, database)
  const longReads = openDatabase(databaseUrl, { ...database, poolSize: maxLongReads, timeouts: 'job' })
  const { DATABASE_REPLICA_URL: standbyUrl, REPLICA_LAG_SECONDS: lagSeconds } = config
  // A worker always needs current data.
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
    paused: queuePausedEmails,
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
 * Opens the connections of Services.selling, so that a batch of bookings nearly always finds a free one. Null behind a
 * pooler in transaction mode: there, a statement outside a transaction cannot have its own timeouts, so a batch is a
 * transaction that sets them.
 */
function openSelling(databaseUrl: string, database: DatabaseOptions): Sql | null {
  if (database.poolMode === 'transaction') return null
  return openDatabase(databaseUrl, { ...database, poolSize: maxBatches, genericPlans: true })
}

/** Where the queues are. Queues in PostgreSQL use LISTEN, so they need connections that bypass a pooler. */
export function queueOptions(config: Config, databaseUrl: string, log: Logger): QueueOptions {
  return {
    redisUrl: config.REDIS_URL,
    databaseUrl: config.DATABASE_DIRECT_URL ?? databaseUrl,
    prefix: config.QUEUE_PREFIX,
    log,
  }
}

/** Closes what openServices() opened, after the bookings under way have been decided. */
export async function closeServices(services: Services): Promise<void> {
  const { sql, longReads, selling, replica, queue, bookings, reservations, webhooks, sender } = services
  await bookings.drain()
  await reservations.drain()
  await webhooks.drain()
  // Does not wait for outgoing requests: those that are still under way have had enough time.
  void sender.close()
  await queue.close()
  await replica.close()
  await Promise.all([sql, longReads, selling].map((pool) => pool?.end({ timeout: 5 })))
}
