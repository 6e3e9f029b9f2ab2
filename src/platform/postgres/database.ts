/** The connection to PostgreSQL: how it is opened, how its types read in JavaScript. It knows no table. */
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { collectingNotes } from './commit-notes.ts'
import { refuseUnpatchedDriver } from './patched-driver.ts'
import { createSilenceWatch } from './silence.ts'

const types = {
  // Every id stays below 2^53 (decisions on sequences), so a number holds it exactly.
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  // A calendar date or a clock time has no instant; text keeps it as it is.
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
 * How long is waited for what may never come. A `request` has somebody waiting: a lock held elsewhere and a
 * connection that fell silent are given up within its time, and a statement that was given up so ends after 10
 * seconds on the server too. A `job` has none of its statements take longer than 50 seconds, so that a connection
 * which is silent for 60 is given up. A `command` takes as long as it takes.
 */
export type TimeoutProfile = 'request' | 'job' | 'command'

const connectMilliseconds = 1000
// A machine that is busy may need seconds to answer a connection; only a person has the time.
const defaultConnectSeconds = { request: 2, job: 2, command: 10 }
const silenceMilliseconds = { request: 5000, job: 60_000, command: 0 }
const settings = {
  // The server ends what takes too long, so that nothing goes on there that was given up here. A process that was
  // frozen inside a transaction must not keep its timeslots locked for everybody.
  request: { lock_timeout: 2000, statement_timeout: 10_000, idle_in_transaction_session_timeout: 5000 },
  job: { statement_timeout: 50_000, idle_in_transaction_session_timeout: 60_000 },
  command: { idle_in_transaction_session_timeout: 60_000 },
}

/**
 * What stands in between: with `session`, nothing, or a pool that lends a connection of the server for as long as a
 * process keeps its own; with `transaction`, one such as PgBouncer that lends it for a transaction at a time.
 */
export type PoolMode = 'session' | 'transaction'

export type DatabaseOptions = {
  poolSize: number
  applicationName: string
  patience?: TimeoutProfile
  /** How long PostgreSQL may take to answer a new connection. Left out: as its patience has it. */
  connectSeconds?: number
  poolMode?: PoolMode
  /** How long a connection may be silent; 0 is for ever. Left out: as its patience has it. */
  silence?: number
  /** How long the network may take to make a connection to one address. Left out: one second. */
  connectMs?: number
  /**
   * Plans each statement once for each connection, without its parameters, and to find rows by index: for statements that
   * cost less than their plan. It may be made while a table is small, and is kept while it grows.
   */
  genericPlans?: boolean
}

/** Opens a pool; it connects at the first query, and again by itself whenever PostgreSQL was away. */
export function openDatabase(
  url: string,
  {
    poolSize,
    applicationName,
    patience = 'command',
    connectSeconds = defaultConnectSeconds[patience],
    poolMode = 'session',
    silence = silenceMilliseconds[patience],
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
    // A restarted server is found again at once; the default backs off for up to 20 seconds.
    backoff: () => 0.1,
    onnotice: () => {},
    // What one transaction leaves with a connection, the next may look for on another.
    prepare: ownServer,
    connection: {
      application_name: applicationName,
      ...(ownServer && settings[patience]),
      ...(genericPlans && { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }),
    },
    socket: (target: SocketTarget) => connectTo(target, connectMs ?? connectMilliseconds, watch),
  } as postgres.Options<Record<string, postgres.PostgresType>>) as unknown as Sql
  return collectingNotes(ownServer ? sql : statingSettings(sql, { ...unlimited, ...settings[patience] }))
}

const unlimited = { lock_timeout: 0, statement_timeout: 0 }

/**
 * Has every transaction state its settings first, in the same breath as its first query. A statement outside of one
 * goes by what the pool or the role gives each connection: refuseUnfit() sees whether it gives enough.
 */
function statingSettings(sql: Sql, limits: Record<string, number>): Sql {
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

/** Ends waits for locks of this transaction after so long. */
export function setLockTimeout(tx: Transaction, milliseconds: number) {
  return tx`select set_config('lock_timeout', ${String(milliseconds)}, true)`
}

/**
 * Has the statements of this transaction find rows by index. A plan that is kept may have been made while a table was small,
 * and old statistics take a table that grows fast for small: then PostgreSQL reads all of it, or all of it for each row.
 */
export function preferIndexes(tx: Transaction) {
  return tx`select set_config('enable_seqscan', 'off', true)`
}

/**
 * Has each statement of this transaction planned for the tables as they are now: for rare statements that read much. A plan
 * that is kept may have been made while a table was small, and compare all of its rows with each other now.
 */
export function planAnew(tx: Transaction) {
  return tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
}

/** What keeps a statement or a transaction from lasting for ever, in milliseconds, as PostgreSQL calls it; 0 is without end. */
export type ConnectionLimit = { name: string; milliseconds: number }

/** The limits that a connection of this pool comes with, by name. */
export async function listLimits(sql: Queryable): Promise<ConnectionLimit[]> {
  return sql<ConnectionLimit[]>`
    select name, setting::integer as milliseconds from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')
    order by name`
}

/** How long one statement may take, in milliseconds; 0 is without end. */
export function mostOfStatement(patience: TimeoutProfile): number {
  return patience === 'command' ? 0 : settings[patience].statement_timeout
}

/** How the connections of a pool are used at this moment. */
export type PoolUse = {
  idle: number
  /** With a query or a transaction under way. */
  used: number
  /** Queries that no connection has taken yet. */
  waiting: number
}

export function findPoolUse(sql: Sql): PoolUse {
  // Ours: see patches/.
  return (sql as unknown as { pool(): PoolUse }).pool()
}

type SocketTarget = { host: string[]; port: number[]; path?: string | false }

/**
 * A connection of its own making, since postgres.js would wait for the answer of one that fell silent until TCP
 * gives up, minutes later. One that is merely idle is closed as well, and opened again when it is needed. It is
 * handed over while it connects: what is written waits, and its failure is heard like any other.
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
  // After a standstill the timer fires before the event loop sees that the connection was made meanwhile.
  const giveUpConnecting = () => setImmediate(() => socket.connecting && giveUp('CONNECT_TIMEOUT')())
  socket.setNoDelay(true).setTimeout(timeoutMs, giveUpConnecting)
  socket.once('connect', () => socket.removeAllListeners('timeout').setTimeout(0))
  watch?.(socket, giveUp('ETIMEDOUT'))
  // What postgres.js asks a socket for when it makes it secure.
  return Object.assign(socket, { host: address, port: number })
}

/** A query that has not been sent yet. */
type Startable = PromiseLike<unknown> & { execute: () => unknown }
/** Queries by name; one that is false is not sent, and stays false. */
type Queries = Record<string, Startable | false>
type Results<Q extends Queries> = { [K in keyof Q]: Awaited<Exclude<Q[K], false>> | Extract<Q[K], false> }

/** Sends queries of a transaction in this order, without waiting for one before the next, and waits for all. */
export async function inOrder<Q extends Queries>(queries: Q): Promise<Results<Q>> {
  const sent = Object.entries(queries)
  // Left to themselves they would start one by one when they are awaited, in an order that is nobody's promise.
  for (const [, query] of sent) if (query) query.execute()
  const results = await Promise.all(sent.map(([, query]) => query))
  return Object.fromEntries(sent.map(([name], index) => [name, results[index]])) as Results<Q>
}
