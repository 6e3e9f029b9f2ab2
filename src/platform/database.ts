/**
 * The connection to PostgreSQL: how it is opened, how its types read in JavaScript, and which of its errors
 * mean that the store is out of reach. It knows no table.
 */
import postgres from 'postgres'

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
/** What a query runs on: the pool, or a transaction that its caller began. */
export type Queryable = postgres.ISql<CustomTypes>

const idleInTransactionMilliseconds = 15_000

export type DatabaseOptions = { poolSize: number; applicationName: string }

/** Opens a pool; it connects at the first query, and again by itself whenever PostgreSQL was away. */
export function openDatabase(url: string, { poolSize, applicationName }: DatabaseOptions): Sql {
  return postgres(url, {
    max: poolSize,
    types,
    connect_timeout: 2,
    // A restarted server is found again at once; the default backs off for up to 20 seconds.
    backoff: () => 0.1,
    onnotice: () => {},
    connection: {
      application_name: applicationName,
      // A process that was frozen inside a transaction must not keep its timeslots locked for everybody.
      idle_in_transaction_session_timeout: idleInTransactionMilliseconds,
    },
  }) as unknown as Sql
}

/** A query that has not been sent yet. */
type Startable = PromiseLike<unknown> & { execute: () => unknown }
/** Queries by name, sent in this order; one that is false is not sent, and stays false. */
type Queries = Record<string, Startable | false>
type Results<Q extends Queries> = { [K in keyof Q]: Awaited<Exclude<Q[K], false>> | Extract<Q[K], false> }

/**
 * A transaction in two round trips instead of four: BEGIN travels with the queries of `open`, COMMIT with those of
 * `close`. When it resolves everything is committed; when it rejects nothing is, unless the connection broke
 * during COMMIT.
 */
export async function transactInTwo<Opening extends Queries, Result>(
  sql: Sql,
  open: (tx: Transaction) => Opening,
  close: (tx: Transaction, found: Results<Opening>) => { result: Result; queries: Queries },
): Promise<Result> {
  const connection = await sql.reserve()
  const tx = connection as unknown as Transaction
  try {
    const { begun: _, ...found } = await inOrder({ begun: connection`begin`, ...open(tx) })
    const { result, queries } = close(tx, found as unknown as Results<Opening>)
    await inOrder({ ...queries, committed: connection`commit` })
    connection.release()
    return result
  } catch (error) {
    // A connection that broke has left the pool, and comes back to it by itself; one that lives is cleaned here.
    if (!isConnectionLost(error)) {
      await connection`rollback`
      connection.release()
    }
    throw error
  }
}

async function inOrder(queries: Queries): Promise<Record<string, unknown>> {
  const sent = Object.entries(queries)
  // Left to themselves they would start one by one when they are awaited, in an order that is nobody's promise.
  for (const [, query] of sent) if (query) query.execute()
  const results = await Promise.all(sent.map(([, query]) => query))
  return Object.fromEntries(sent.map(([name], index) => [name, results[index]]))
}

const connectionLost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '25P03', // cut for idling in a transaction
])

const refusedNow = new Set([
  '25006', // read-only: a standby, or a primary being demoted
  '53300', // too many connections
])

/** Whether an error says that PostgreSQL cannot be reached or is going away, rather than that a query is wrong. */
export function isOutOfReach(error: unknown): boolean {
  return isConnectionLost(error) || refusedNow.has(sqlState(error))
}

function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error)
  return connectionLost.has(code) || code.startsWith('08') || code.startsWith('57P')
}

/** Whether an error was caused by the data of a statement (SQLSTATE class 22 or 23). */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(sqlState(error))
}

/** Whether an error says that the same transaction may well succeed now: a deadlock or a serialization failure. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error))
}

/** Whether a row was refused because the partition it belongs in does not exist: a check without a name. */
export function isPartitionMissing(error: unknown): boolean {
  return sqlState(error) === '23514' && !(error as { constraint_name?: string }).constraint_name
}

function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
