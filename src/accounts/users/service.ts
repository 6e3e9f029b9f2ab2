/** Use cases of the operator's people: making and ending them, signing in and out. */
import { createHash } from 'node:crypto'
import { problems } from '../../http/problems.ts'
import { type BatchObserver, createBatcher } from '../../platform/async/batcher.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { type Account, lockAccount } from '../service.ts'
import { checkPassword, hashPassword, makeSession, normalizeEmail, parseSession, type Role } from './model.ts'
import * as queries from './queries.ts'

export { deleteSessionsOf, listUsers, type SignedIn, sweepSignIns, type UserRow } from './queries.ts'

/** A request about users that cannot be met; the message is for whoever asked. */
export class UserError extends Error {}

/** @throws UserError when the account has a user of that address. */
export async function createUser(
  sql: Queryable,
  { accountId, email, role, password }: { accountId: number; email: string; role: Role; password: string },
): Promise<number> {
  const user = { accountId, email: normalizeEmail(email), role, passwordHash: await hashPassword(password) }
  const id = await queries.insertUser(sql, user)
  if (id === null) throw new UserError(`there is a user ${user.email} already`)
  return id
}

/** Another password; every session ends. @throws UserError when there is no such user. */
export async function changePassword(
  sql: Queryable,
  { accountId, email, password }: { accountId: number; email: string; password: string },
): Promise<void> {
  const user = { accountId, email: normalizeEmail(email), passwordHash: await hashPassword(password) }
  if (!(await queries.updatePassword(sql, user))) throw new UserError(`there is no user ${user.email}`)
}

/** Nobody of the account is known by that. */
export class UnknownUser extends UserError {}

/**
 * Ends a user, and every session of theirs.
 * @param who An id, or an address.
 * @throws UserError when there is no such user, or no owner would be left who can sign in.
 */
export function disableUser(sql: Sql, accountId: number, who: number | string): Promise<void> {
  return changeUser(sql, accountId, who, async (tx, user) => {
    await keepAnOwner(tx, accountId, user)
    await queries.disableUser(tx, accountId, user.id)
  })
}

/** Lets a user sign in again who was disabled, with the password they had. @throws UserError for an unknown one. */
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

/** The user of this id. @throws UserError when there is no such user. */
export async function getUser(
  sql: Queryable,
  accountId: number,
  who: number | string,
): Promise<queries.UserRow> {
  const user = await queries.findUser(sql, accountId, typeof who === 'string' ? normalizeEmail(who) : who)
  if (!user) throw new UnknownUser(`there is no user ${who}`)
  return user
}

/** One at a time in an account: of two owners who end each other at once, one is left. */
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
    throw new UserError(`${user.email} is the last owner who can sign in: make another first`)
}

export type SignIn = { account: Pick<Account, 'id'> | null; email: string; password: string; from: string }

export type SignInService = {
  /**
   * Opens a session, and gives its token; null for a wrong password, an unknown user or account, or one who is
   * disabled: which of these takes no shorter and looks no different.
   * @throws Problem rate-limited when too many guesses were made about the user, or from the same address.
   */
  signIn(attempt: SignIn): Promise<string | null>
  /** Who holds this token; null when it is none, or over. */
  findSession(token: string): Promise<queries.SignedIn | null>
  signOut(token: string): Promise<void>
  /**
   * Gives a user another password, ends every session of theirs, and opens a new one; null when `current` is wrong.
   * @throws Problem rate-limited as signIn() does.
   */
  changeOwnPassword(
    user: queries.SignedIn,
    change: { current: string; next: string; from: string },
  ): Promise<string | null>
}

export const sessionHours = 12
const freeGuesses = { email: 5, from: 30 }

export function createSignInService(sql: Sql, observe: BatchObserver): SignInService {
  // Each takes 32 MiB and a processor for a while: few at a time, and the rest of the service goes on.
  const checks = createBatcher<{ password: string; kept: string | null }, boolean>({
    maxSize: 1,
    concurrency: 2,
    maxWaiting: 50,
    refusal: () => problems.unavailable('Too many are signing in; please try again.'),
    observe,
    run: async ([check]) => [await checkPassword(check!.password, check!.kept)],
  })

  /** The user whose password this is; a guess is counted before it is looked at. */
  async function prove({ account, email, password, from }: SignIn): Promise<number | null> {
    const accountId = account?.id ?? 0
    const address = normalizeEmail(email)
    const about = { email: digest(`email ${address}`), from: digest(`from ${from}`) }
    // Where it came from first: whoever may guess no more leaves no trace for each address that they make up.
    for (const what of ['from', 'email'] as const) {
      const wait = await queries.countGuess(sql, accountId, { about: about[what], free: freeGuesses[what] })
      if (wait > 0) throw problems.tooManyGuesses(wait)
    }
    const user = account && (await queries.findCredentials(sql, accountId, address))
    if (!(await checks.add({ password, kept: user?.passwordHash ?? null }))) return null
    await queries.forgiveGuess(sql, accountId, about)
    return user!.id
  }

  async function open(accountId: number, userId: number): Promise<string> {
    const { token, hash } = makeSession(accountId)
    await queries.insertSession(sql, { accountId, hash, userId, hours: sessionHours })
    return token
  }

  return {
    async signIn(attempt) {
      const userId = await prove(attempt)
      return userId === null ? null : open(attempt.account!.id, userId)
    },
    async changeOwnPassword({ accountId, email }, { current, next, from }) {
      const userId = await prove({ account: { id: accountId }, email, password: current, from })
      if (userId === null) return null
      await changePassword(sql, { accountId, email, password: next })
      return open(accountId, userId)
    },
    async findSession(token) {
      const session = parseSession(token)
      return session && queries.findSession(sql, session)
    },
    async signOut(token) {
      const session = parseSession(token)
      if (session) await queries.deleteSession(sql, session.accountId, session.hash)
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
