/**
 * Use cases of accounts and API keys: to make, list, rotate and revoke them, and to find the caller of a key.
 */
import type { Queryable, Sql, Transaction } from '../platform/postgres/database.ts'
import { findTimeZone } from '../platform/postgres/time-zones.ts'
import { type Caller, makeKey, parseKey, type Scope } from './model.ts'
import * as queries from './queries.ts'

export type { Caller, Scope } from './model.ts'
export {
  type Account,
  findAccount,
  findTestLag,
  insertPartner,
  isOnlyAccount,
  type KeyRecord,
  listAccountIds,
  listAccounts,
  listKeys,
  listPartners,
  lockAccount,
  type Partner,
} from './queries.ts'

/** A refused request about accounts or keys. The message is for the user. */
export class AccountError extends Error {}

/**
 * The caller of each token, in their order; null for text that is not a key, and for an unknown, expired or
 * revoked key. If no text can be a key, no query runs.
 */
export async function findCallers(sql: Queryable, tokens: string[]): Promise<(Caller | null)[]> {
  const keys = tokens.map((token) => {
    const key = parseKey(token)
    return key && { accountId: key.accountId, hash: key.hash.toString('hex') }
  })
  const known = keys.filter((key) => key !== null)
  if (known.length === 0) return keys.map(() => null)
  const callers = new Map<string, Caller>()
  for (const { hash, ...caller } of await queries.listCallers(sql, known)) callers.set(hash, caller)
  return keys.map((key) => (key && callers.get(key.hash)) ?? null)
}

/** The caller of one token, as findCallers(). */
export async function findCaller(sql: Queryable, token: string): Promise<Caller | null> {
  const [caller] = await findCallers(sql, [token])
  return caller ?? null
}

/** @throws AccountError when the slug is taken, or PostgreSQL does not know the time zone. */
export async function createAccount(
  sql: Queryable,
  account: { slug: string; name: string; timeZone: string },
): Promise<queries.Account> {
  const timeZone = await findTimeZone(sql, account.timeZone)
  if (!timeZone)
    throw new AccountError(
      `${account.timeZone} is not a known time zone: use an IANA name, for example Europe/Lisbon`,
    )
  const made = await queries.insertAccount(sql, { ...account, timeZone })
  if (!made) throw new AccountError(`the account ${account.slug} already exists`)
  return made
}

/** @throws AccountError when no account has this slug. */
export async function getAccount(sql: Queryable, slug: string): Promise<queries.Account> {
  const account = await queries.findAccount(sql, slug)
  if (!account) throw new AccountError(`there is no account ${slug}`)
  return account
}

/**
 * Sets the country (ISO 3166) whose national format of phone numbers a live account uses; null for the
 * country of its time zone.
 */
export async function setCountry(sql: Queryable, accountId: number, country: string | null): Promise<void> {
  await queries.updateCountry(sql, accountId, country)
}

/** Whether there is no account. No other transaction can make one until this transaction ends. */
export async function lockWhileEmpty(tx: Transaction): Promise<boolean> {
  await queries.lockAccountsTable(tx)
  return (await queries.listAccounts(tx)).length === 0
}

export type KeyRequest = {
  accountId: number
  /**
   * Name of the partner of the key; null for a key of the operator itself. A partner that does not exist is
   * created.
   */
  partner: string | null
  scopes: readonly Scope[]
  /** Null for a key that never expires. */
  expiresInDays: number | null
}

/** Makes a key and returns its token, which is not stored and cannot be shown again. */
export async function createKey(sql: Queryable, request: KeyRequest): Promise<string> {
  const { accountId, partner, scopes, expiresInDays } = request
  const partnerId = partner === null ? null : await queries.insertPartner(sql, accountId, partner)
  const { token, hash } = makeKey(accountId)
  await queries.insertKey(sql, { accountId, partnerId, hash, scopes: [...new Set(scopes)], expiresInDays })
  return token
}

/**
 * A key that cannot be rotated, because it is not live or was rotated before. The message is for the user.
 */
export class KeyNotLiveError extends AccountError {}

/**
 * Makes a key with the partner, scopes and lifetime of an existing key. The existing key then ends after this
 * many hours, or at its earlier expiry. The two keys have separate idempotency keys: a client must retry
 * earlier requests with the old key.
 * @param accountId a live account: the key must belong to it or to its test account. If left out, any key is
 * found.
 * @returns the new token, which is not stored and cannot be shown again.
 * @throws AccountError when there is no such key, KeyNotLiveError when it is not live or was rotated before.
 */
export async function rotateKey(
  tx: Transaction,
  id: number,
  { overlapHours, accountId }: { overlapHours: number; accountId?: number },
): Promise<string> {
  const key = await queries.lockKey(tx, id, accountId)
  if (!key) throw new AccountError(`there is no key ${id}`)
  if (key.status !== 'live') throw new KeyNotLiveError(`key ${id} is ${key.status}: create a new one`)
  if (key.successorId !== null)
    throw new KeyNotLiveError(`key ${id} was already rotated: key ${key.successorId} replaces it`)
  const { token, hash } = makeKey(key.accountId)
  await queries.replaceKey(tx, { accountId: key.accountId, id, hash, overlapHours })
  return token
}

/**
 * Revokes a key. Each web process may accept it for some seconds more, because it caches keys.
 * @param accountId a live account: the key must belong to it or to its test account. If left out, any key is
 * found.
 * @returns true unless the key had been revoked before.
 * @throws AccountError when there is no such key.
 */
export async function revokeKey(sql: Sql, id: number, accountId?: number): Promise<boolean> {
  const key = await queries.revokeKey(sql, id, accountId)
  if (!key) throw new AccountError(`there is no key ${id}`)
  return key.revokedNow
}
