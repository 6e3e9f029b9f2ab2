/** Opens connections to PostgreSQL and maps PostgreSQL's types to JavaScript. It knows no table. */
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { isTracing } from '../tracing/tracing.ts'
import { collectingNotes } from './commit-notes.ts'
import { refuseUnpatchedDriver } from './patched-driver.ts'
import { createSilenceWatch } from './silence.ts'
import { traceStatements } from './traced-statements.ts'

const types = {
  // Every id stays below 2^53, so a number holds it exactly.
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  // A calendar date or a clock time is not an instant, so it stays text.
  date: { to: 1082, from: [1082], serialize: String, parse: String },
  time: { to: 1083, from: [1083], serialize: String, parse: (text: string) => text.slice(0, 5) },
}

type CustomTypes = { bigint: number; date: string; time: string }
export type Sql = postgres.Sql<CustomTypes>
export type Transaction = postgres.TransactionSql<CustomTypes>
/** What a query runs on: the pool, or a transaction. */
export type Queryable = postgres.ISql<CustomTypes>
/** Part of a query, to be put into another. */
export type Fragment = postgres.Fragment

/**
 * The timeouts of a pool. `request`, for work that a client waits for: a wait for a lock ends after 2
 * seconds, a connection that is silent for 5 is closed, and the server ends a statement after 10. `job`: the
 * server ends a statement after 50 seconds, and a connection that is silent for 60 is closed. `command`: no
 * limits on statements and waits.
 */
export type TimeoutProfile = 'request' | 'job' | 'command'

const defaultConnectMs = 1000
// A busy machine may need seconds to accept a connection. Only a command can wait that long.
const defaultConnectSeconds = { request: 2, job: 2, command: 10 }
const silenceMs = { request: 5000, job: 60_000, command: 0 }
const settings = {
  // The server ends what takes too long, so that it does not go on with work that this process has abandoned.
  // A process that was frozen inside a transaction must not keep its timeslots locked.
  request: { lock_timeout: 2000, statement_timeout: 10_000, idle_in_transaction_session_timeout: 5000 },
  job: { statement_timeout: 50_000, idle_in_transaction_session_timeout: 60_000 },
  command: { idle_in_transaction_session_timeout: 60_000 },
}

/**
 * `session`: a direct connection, or a pooler that assigns a server connection for the whole session.
 * `transaction`: a pooler such as PgBouncer that assigns one for each transaction.
 */
export type PoolMode = 'session' | 'transaction'

export type DatabaseOptions = {
  poolSize: number
  applicationName: string
  timeouts?: TimeoutProfile
  /**
   * How long PostgreSQL may take to accept a new connection, in seconds. The default depends on the timeouts.
   */
  connectSeconds?: number
  poolMode?: PoolMode
  /**
   * How long a connection may be silent, in milliseconds; 0 is no limit. The default depends on the timeouts.
   */
  silence?: number
  /** How long the network may take to connect to one address, in milliseconds. The default is one second. */
  connectMs?: number
  /**
   * Plans each statement once for each connection, without its parameters, to find rows by index. For
   * statements that take less time than their planning. The plan may be made while a table is small, and it
   * stays while the table grows.
   */
  genericPlans?: boolean
}

/** Opens a pool. It connects at the first query, and reconnects by itself after PostgreSQL was down. */
export function openDatabase(
  url: string,
  {
    poolSize,
    applicationName,
    timeouts = 'command',
    connectSeconds = defaultConnectSeconds[timeouts],
    poolMode = 'session',
    silence = silenceMs[timeouts],
    connectMs,
    genericPlans = false,
  }: DatabaseOptions,
): Sql {
  refuseUnpatchedDriver()
  const watch = silence > 0 ? createSilenceWatch(silence) : null
  const ownServer = poolMode === 'session'
  const sql = postgres(url, {
    max: poolSize,
    types,
    connect_timeout: Math.max(connectSeconds, (connectMs ?? 0) / 1000),
    // Reconnects to a restarted server at once; the default waits up to 20 seconds.
    backoff: () => 0.1,
    onnotice: () => {},
    // A prepared statement belongs to one connection, and the next transaction may get another connection.
    prepare: ownServer,
    connection: {
      application_name: applicationName,
      ...(ownServer && settings[timeouts]),
      ...(genericPlans && { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }),
    },
    socket: (target: SocketTarget) => connectTo(target, connectMs ?? defaultConnectMs, watch),
  } as postgres.Options<Record<string, postgres.PostgresType>>) as unknown as Sql
  if (isTracing()) traceStatements(sql)
  return collectingNotes(
    ownServer ? sql : withTransactionLimits(sql, { ...unlimited, ...settings[timeouts] }),
  )
}

const unlimited = { lock_timeout: 0, statement_timeout: 0 }

/**
 * Makes every transaction first set its limits, without a further round trip: they are sent together with its
 * first query. A statement outside of a transaction has the limits of its connection, from PgBouncer or the
 * role: refuseUnfit() checks that these are enough.
 */
function withTransactionLimits(sql: Sql, limits: Record<string, number>): Sql {
  const statement = Object.entries(limits)
    .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
    .join(';')
  type Work = (tx: Transaction) => unknown
  const begin = sql.begin as (options: string, work: Work) => Promise<unknown>
  return Object.assign(sql, {
    begin(...given: [Work] | [string, Work]) {
      const [options, work] = given.length === 2 ? given : (['', given[0]] as const)
      return begin(options, (tx) => {
        tx.unsafe(statement).execute()
        return work(tx)
      })
    },
  })
}

/** Limits how long this transaction waits for a lock. */
export function setLockTimeout(tx: Transaction, milliseconds: number) {
  return tx`select set_config('lock_timeout', ${String(milliseconds)}, true)`
}

/**
 * Makes the statements of this transaction find rows by index. A cached plan may be from a time when the
 * table was small, and old statistics make a table that grows fast look small. With such a plan, PostgreSQL
 * would read the whole table, for a join perhaps once for each row.
 */
export function preferIndexes(tx: Transaction) {
  return tx`select set_config('enable_seqscan', 'off', true)`
}

/**
 * Makes PostgreSQL plan each statement of this transaction for the current size of the tables: for rare
 * statements that read many rows. PostgreSQL may have cached a plan while a table was small. With a large
 * table, such a plan may compare every row with every other.
 */
export function planAnew(tx: Transaction) {
  return tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
}

/** A limit on a statement, a transaction or a wait in milliseconds, by PostgreSQL's name; 0 is no limit. */
export type ConnectionLimit = { name: string; milliseconds: number }

/** The limits that connections of this pool have, by name. */
export async function listLimits(sql: Queryable): Promise<ConnectionLimit[]> {
  return sql<ConnectionLimit[]>`
    select name, setting::integer as milliseconds from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')
    order by name`
}

/** The longest time that one statement may take, in milliseconds; 0 is no limit. */
export function statementTimeoutMs(timeouts: TimeoutProfile): number {
  return timeouts === 'command' ? 0 : settings[timeouts].statement_timeout
}

/** How many connections of a pool are in use now, and how many queries wait. */
export type PoolUse = {
  idle: number
  /** Connections with a query or a transaction under way. */
  used: number
  /** Queries that have no connection yet. */
  waiting: number
}

export function findPoolUse(sql: Sql): PoolUse {
  // Our patch adds this function: see patches/.
  return (sql as unknown as { pool(): PoolUse }).pool()
}

type SocketTarget = { host: string[]; port: number[]; path?: string | false }

/**
 * Makes the socket itself, because postgres.js would wait minutes for a silent connection, until TCP gives up.
 * An idle connection that is silent is closed too, and opened again when it is needed. Returns the socket while
 * it still connects: Node holds writes back until then, and reports a failed connect as an error of the socket.
 */
function connectTo(
  { host, port, path }: SocketTarget,
  timeoutMs: number,
  watch: ReturnType<typeof createSilenceWatch> | null,
): Socket {
  const [address, number] = [host[0]!, port[0]!]
  const socket = path ? connect(path) : connect(number, address)
  const giveUp = (code: string) => () =>
    socket.destroy(Object.assign(new Error(`PostgreSQL: ${code}`), { code }))
  // After the process was suspended, the timer fires before the event loop sees that the connection is open.
  const giveUpConnecting = () => setImmediate(() => socket.connecting && giveUp('CONNECT_TIMEOUT')())
  socket.setNoDelay(true).setTimeout(timeoutMs, giveUpConnecting)
  socket.once('connect', () => socket.removeAllListeners('timeout').setTimeout(0))
  watch?.(socket, giveUp('ETIMEDOUT'))
  // postgres.js reads `host` and `port` when it starts TLS on a socket.
  return Object.assign(socket, { host: address, port: number })
}

/** A query that has not been sent yet. */
type Startable = PromiseLike<unknown> & { execute: () => unknown }
/** Queries by name. The value `false` stands for a query that is not sent; its result is false. */
type Queries = Record<string, Startable | false>
type Results<Q extends Queries> = { [K in keyof Q]: Awaited<Exclude<Q[K], false>> | Extract<Q[K], false> }

/**
 * Sends queries of a transaction in this order, without waiting for results in between, and then waits for
 * all results.
 */
export async function inOrder<Q extends Queries>(queries: Q): Promise<Results<Q>> {
  const sent = Object.entries(queries)
  // Otherwise each would start when it is awaited, in an order that nothing guarantees.
  for (const [, query] of sent) if (query) query.execute()
  const results = await Promise.all(sent.map(([, query]) => query))
  return Object.fromEntries(sent.map(([name], index) => [name, results[index]])) as Results<Q>
}
