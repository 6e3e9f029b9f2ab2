/** Use cases of the users of an account: to create, change and disable them. sign-in.ts has signing in. */
import type { Locale } from '../../languages/locales.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { isTestAccount } from '../model.ts'
import { lockAccount } from '../service.ts'
import { aboutEmail, hashPassword, normalizeEmail, type Role } from './model.ts'
import type { SignedIn } from './queries.ts'
import * as queries from './queries.ts'

export { deleteSessionsOf, listUsers, type SignedIn, type UserRow } from './queries.ts'

/** A refused request about users. The message is for the user. */
export class UserError extends Error {}

/** @throws UserError when the account has a user with this address, or is a test account. */
export async function createUser(
  sql: Queryable,
  { accountId, email, role, password }: { accountId: number; email: string; role: Role; password: string },
): Promise<number> {
  if (isTestAccount(accountId))
    throw new UserError(
      'users belong to the live account, and see its test account too: name the live account',
    )
  const user = { accountId, email: normalizeEmail(email), role, passwordHash: await hashPassword(password) }
  const id = await queries.insertUser(sql, user)
  if (id === null) throw new UserError(`the user ${user.email} already exists`)
  return id
}

/**
 * Changes a user's password, ends all their sessions, and resets their counts of wrong guesses.
 * @throws UserError when there is no such user.
 */
export async function changePassword(
  sql: Queryable,
  { accountId, email, password }: { accountId: number; email: string; password: string },
): Promise<void> {
  const address = normalizeEmail(email)
  const passwordHash = await hashPassword(password)
  const change = { accountId, email: address, passwordHash, about: aboutEmail(address) }
  if ((await queries.updatePassword(sql, change)) === null) throw new UserError(`there is no user ${address}`)
}

/** The account has no user with this id or address. */
export class UnknownUser extends UserError {}

/**
 * Disables a user, ends all their sessions, and revokes their calendar feeds.
 * @param who An id or an address.
 * @throws UserError when there is no such user, or no owner would be left who can sign in.
 */
export function disableUser(sql: Sql, accountId: number, who: number | string): Promise<void> {
  return changeUser(sql, accountId, who, async (tx, user) => {
    await keepAnOwner(tx, accountId, user)
    await queries.disableUser(tx, accountId, user.id)
  })
}

/**
 * Lets a disabled user sign in again, with the same password. @throws UserError when there is no such user.
 */
export function enableUser(sql: Sql, accountId: number, id: number): Promise<void> {
  return changeUser(sql, accountId, id, (tx, user) => queries.enableUser(tx, accountId, user.id))
}

/** @throws UserError when there is no such user, or no owner would be left who can sign in. */
export function changeRole(sql: Sql, accountId: number, id: number, role: Role): Promise<void> {
  return changeUser(sql, accountId, id, async (tx, user) => {
    if (role !== 'owner') await keepAnOwner(tx, accountId, user)
    await queries.updateRole(tx, accountId, user.id, role)
  })
}

/** Ends every session of a user. @throws UserError when there is no such user. */
export function signOutEverywhere(sql: Sql, accountId: number, id: number): Promise<void> {
  return changeUser(sql, accountId, id, (tx, user) => queries.deleteSessionsOf(tx, accountId, user.id))
}

/** The user with this id or e-mail address. @throws UnknownUser when there is no such user. */
export async function getUser(
  sql: Queryable,
  accountId: number,
  who: number | string,
): Promise<queries.UserRow> {
  const user = await queries.findUser(sql, accountId, typeof who === 'string' ? normalizeEmail(who) : who)
  if (!user) throw new UnknownUser(`there is no user ${who}`)
  return user
}

/**
 * Locks the account, so that changes run one at a time: if two owners disable each other at once, one of them
 * remains.
 */
function changeUser(
  sql: Sql,
  accountId: number,
  who: number | string,
  change: (tx: Transaction, user: queries.UserRow) => Promise<void>,
): Promise<void> {
  return sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    await change(tx, await getUser(tx, accountId, who))
  })
}

async function keepAnOwner(tx: Transaction, accountId: number, user: queries.UserRow): Promise<void> {
  if (user.role !== 'owner' || user.disabledAt) return
  if (!(await queries.hasOtherOwner(tx, accountId, user.id)))
    throw new UserError(`${user.email} is the last owner who can sign in: create another owner first`)
}

/**
 * Chooses the language and country in which the user reads the dashboard; null for those that the browser
 * prefers.
 */
export function setLocale(
  sql: Sql,
  { accountId, userId }: Pick<SignedIn, 'accountId' | 'userId'>,
  locale: Locale | null,
): Promise<void> {
  return queries.updateLocale(sql, { accountId, userId, locale })
}
