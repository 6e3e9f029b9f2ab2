/** What the errors of PostgreSQL and of connections to it mean. */

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
  '25P03', // cut for idling in a transaction
  '25006', // read-only: a standby, or a primary being demoted
  '55P03', // a lock was not to be had in time
  '57014', // cancelled, by an operator or because it took too long
])

/** Whether an error says that PostgreSQL cannot be reached, is going away, or has no room or time just now. */
export function isOutOfReach(error: unknown): boolean {
  const code = sqlState(error)
  return outOfReach.has(code) || /^(08|53|57P)/.test(code)
}

/** Whether a statement took too long, or waited too long for a lock: others may well succeed. */
export function isTimeout(error: unknown): boolean {
  return ['55P03', '57014'].includes(sqlState(error))
}

/** Whether an error leaves open what became of a transaction: its connection broke. */
export function isConnectionLost(error: unknown): boolean {
  return isOutOfReach(error) && !isTimeout(error)
}

/** Whether somebody else held a lock for longer than there was time to wait. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether an error was caused by the data of a statement (SQLSTATE class 22 or 23). */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(sqlState(error))
}

/** Whether a row was refused because another has what must be unique, by a certain constraint if one is named. */
export function isTaken(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false
  return constraint === undefined || (error as { constraint_name?: string }).constraint_name === constraint
}

/** Whether an error says that the same transaction may well succeed now: a deadlock or a serialization failure. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error))
}

/** An error that is retryable: what was read before the locks had changed. */
export function changedMeanwhile(what: string): Error {
  return Object.assign(new Error(`${what} changed before it was locked`), { code: '40001' })
}

/** Whether a row was refused because the partition it belongs in does not exist: a check without a name. */
export function isPartitionMissing(error: unknown): boolean {
  return sqlState(error) === '23514' && !(error as { constraint_name?: string }).constraint_name
}

/** Whether a statement would have changed the catalogue of a test account, which follows that of its live one. */
export function isTestCatalogue(error: unknown): boolean {
  return sqlState(error) === 'ABT01'
}

function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
