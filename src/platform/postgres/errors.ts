/** Classifies errors of PostgreSQL and of connections to it. */

const outOfReach = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '25P03', // ended because its transaction was idle
  '25006', // read-only: a standby, or a primary being demoted
  '55P03', // a lock timeout
  '57014', // cancelled by an operator, or by a timeout
])

/**
 * Whether PostgreSQL cannot do the work at the moment: it is out of reach, read-only, shutting down or full,
 * or the statement or its wait for a lock took too long.
 */
export function isOutOfReach(error: unknown): boolean {
  const code = sqlState(error)
  return outOfReach.has(code) || /^(08|53|57P)/.test(code)
}

/** Whether a statement, or its wait for a lock, took too long. Other statements may still succeed. */
export function isTimeout(error: unknown): boolean {
  return ['55P03', '57014'].includes(sqlState(error))
}

/**
 * Whether PostgreSQL is out of reach. A statement or a wait for a lock that took too long does not count. If
 * the connection broke, it is unknown whether the transaction was committed.
 */
export function isConnectionLost(error: unknown): boolean {
  return isOutOfReach(error) && !isTimeout(error)
}

/** Whether another transaction held a lock for longer than the lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether an error was caused by the data of a statement (SQLSTATE class 22 or 23). */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(sqlState(error))
}

/** Whether another row already has the unique value; `constraint` limits this to one constraint. */
export function isTaken(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false
  return constraint === undefined || (error as { constraint_name?: string }).constraint_name === constraint
}

/** Whether the same transaction may succeed now: after a deadlock or a serialization failure. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error))
}

/** A retryable error: the rows changed between reading and locking them. */
export function changedMeanwhile(what: string): Error {
  return Object.assign(new Error(`${what} changed before it was locked`), { code: '40001' })
}

/** Whether the partition for a row does not exist: PostgreSQL reports a check without a name. */
export function isPartitionMissing(error: unknown): boolean {
  return sqlState(error) === '23514' && !(error as { constraint_name?: string }).constraint_name
}

/**
 * Whether a statement tried to change the catalogue of a test account, which follows that of its live
 * account.
 */
export function isTestCatalogue(error: unknown): boolean {
  return sqlState(error) === 'ABT01'
}

function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
