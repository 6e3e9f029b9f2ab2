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

const outOfReach = new Set([
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
  '25006', // read-only: a standby, or a primary being demoted
  '53300', // too many connections
])

/** Whether an error says that PostgreSQL cannot be reached or is going away, rather than that a query is wrong. */
export function isOutOfReach(error: unknown): boolean {
  const code = sqlState(error)
  return outOfReach.has(code) || code.startsWith('08') || code.startsWith('57P')
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
