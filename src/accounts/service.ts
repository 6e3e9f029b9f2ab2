/** Use cases of accounts and API keys: making, listing and revoking them, and telling who presents a key. */
import type { Queryable, Sql, Transaction } from '../platform/postgres/database.ts'
import { type Caller, makeKey, parseKey, type Scope } from './model.ts'
import * as queries from './queries.ts'

export type { Caller, Scope } from './model.ts'
export {
  type Account,
  findAccount,
  findTestLag,
  findTimeZone,
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

/** A request about accounts or keys that cannot be met; the message is for whoever asked. */
export class AccountError extends Error {}

/**
 * Who presents each of these tokens, in their order; null for one that is no key, or that is unknown, expired or
 * revoked. Text that cannot be a key costs no query.
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

/** Who presents this token, alike. */
export async function findCaller(sql: Queryable, token: string): Promise<Caller | null> {
  const [caller] = await findCallers(sql, [token])
  return caller ?? null
}

/** @throws AccountError when the slug is taken, or PostgreSQL does not know the time zone. */
export async function createAccount(
  sql: Queryable,
  account: { slug: string; name: string; timeZone: string },
): Promise<queries.Account> {
  const timeZone = await queries.findTimeZone(sql, account.timeZone)
  if (!timeZone) throw new AccountError(`PostgreSQL knows no time zone ${account.timeZone}`)
  const made = await queries.insertAccount(sql, { ...account, timeZone })
  if (!made) throw new AccountError(`there is an account ${account.slug} already`)
  return made
}

/** @throws AccountError when there is none of that slug. */
export async function getAccount(sql: Queryable, slug: string): Promise<queries.Account> {
  const account = await queries.findAccount(sql, slug)
  if (!account) throw new AccountError(`there is no account ${slug}`)
  return account
}

/**
 * Says in which country's form a live account's phone numbers are typed, by its ISO 3166 code; null for that of its
 * time zone.
 */
export async function setCountry(sql: Queryable, accountId: number, country: string | null): Promise<void> {
  await queries.updateCountry(sql, accountId, country)
}

/** Whether there is no account at all, which stays so until the transaction ends, except by its own doing. */
export async function lockWhileEmpty(tx: Transaction): Promise<boolean> {
  await queries.lockAccountsTable(tx)
  return (await queries.listAccounts(tx)).length === 0
}

export type KeyRequest = {
  accountId: number
  /** Name of the partner the key is for, who is made when missing; null for a key of the operator's own. */
  partner: string | null
  scopes: readonly Scope[]
  /** Null for a key that never expires. */
  expiresInDays: number | null
}

/** Makes a key and returns its token, which is kept nowhere and cannot be shown again. */
export async function createKey(sql: Queryable, request: KeyRequest): Promise<string> {
  const { accountId, partner, scopes, expiresInDays } = request
  const partnerId = partner === null ? null : await queries.insertPartner(sql, accountId, partner)
  const { token, hash } = makeKey(accountId)
  await queries.insertKey(sql, { accountId, partnerId, hash, scopes: [...new Set(scopes)], expiresInDays })
  return token
}

/** A key that cannot be rotated, since it is over or was rotated before; the message is for whoever asked. */
export class KeyOverError extends AccountError {}

/**
 * Makes a key with the partner, the scopes and the length of life of another, which ends in so many hours. To the
 * service it is another key: what was asked under an idempotency key is to be asked again with the old one.
 * @param accountId Whose key it has to be; left out, anybody's.
 * @returns the new token, which is kept nowhere and cannot be shown again.
 * @throws AccountError when there is no key of that id, KeyOverError when it is not live or was rotated before.
 */
export async function rotateKey(
  tx: Transaction,
  id: number,
  { overlapHours, accountId }: { overlapHours: number; accountId?: number },
): Promise<string> {
  const key = await queries.lockKey(tx, id, accountId)
  if (!key) throw new AccountError(`there is no key ${id}`)
  if (key.status !== 'live') throw new KeyOverError(`key ${id} is ${key.status}: make a new one`)
  if (key.successorId !== null)
    throw new KeyOverError(`key ${id} was rotated before: key ${key.successorId} takes its place`)
  const { token, hash } = makeKey(key.accountId)
  await queries.replaceKey(tx, { accountId: key.accountId, id, hash, overlapHours })
  return token
}

/**
 * Ends a key at once; other processes may take it for some seconds more.
 * @param accountId Whose key it has to be; left out, anybody's.
 * @returns whether it was still live; false when it had been revoked before.
 * @throws AccountError when there is no key of that id.
 */
export async function revokeKey(sql: Sql, id: number, accountId?: number): Promise<boolean> {
  const key = await queries.revokeKey(sql, id, accountId)
  if (!key) throw new AccountError(`there is no key ${id}`)
  return key.revokedNow
}
