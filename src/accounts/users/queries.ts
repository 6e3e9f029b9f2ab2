/** SQL of users and their sessions. sign-in-queries.ts has the counts of guesses and the known origins. */
import type { Locale } from '../../languages/locales.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { testAccountOf } from '../model.ts'
import type { Role } from './model.ts'

export type UserRow = { id: number; email: string; role: Role; createdAt: Date; disabledAt: Date | null }

/** The id of the new user; null when the address is taken. */
export async function insertUser(
  sql: Queryable,
  user: { accountId: number; email: string; role: Role; passwordHash: string },
): Promise<number | null> {
  const [made] = await sql<{ id: number }[]>`
    insert into users (account_id, email, role, password_hash)
    values (${user.accountId}, ${user.email}, ${user.role}, ${user.passwordHash})
    on conflict (account_id, email) do nothing
    returning id`
  return made?.id ?? null
}

export function listUsers(sql: Queryable, accountId: number) {
  return sql<UserRow[]>`
    select id, email, role, created_at as "createdAt", disabled_at as "disabledAt" from users
    where account_id = ${accountId} order by email`
}

/** @param who An id or an e-mail address. */
export async function findUser(
  sql: Queryable,
  accountId: number,
  who: number | string,
): Promise<UserRow | null> {
  const [user] = await sql<UserRow[]>`
    select id, email, role, created_at as "createdAt", disabled_at as "disabledAt" from users
    where account_id = ${accountId} and ${typeof who === 'number' ? sql`id = ${who}` : sql`email = ${who}`}`
  return user ?? null
}

/** Whether another owner could sign in. */
export async function hasOtherOwner(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const owners = await sql`
    select from users
    where account_id = ${accountId} and role = 'owner' and disabled_at is null and id <> ${id} limit 1`
  return owners.length > 0
}

export async function updateRole(sql: Queryable, accountId: number, id: number, role: Role): Promise<void> {
  await sql`update users set role = ${role} where account_id = ${accountId} and id = ${id}`
}

export async function updateLocale(
  sql: Queryable,
  { accountId, userId, locale }: { accountId: number; userId: number; locale: Locale | null },
): Promise<void> {
  await sql`update users set locale = ${locale} where account_id = ${accountId} and id = ${userId}`
}

export async function enableUser(sql: Queryable, accountId: number, id: number): Promise<void> {
  await sql`update users set disabled_at = null where account_id = ${accountId} and id = ${id}`
}

/**
 * Changes a user's password, ends every session that was opened with the old one, forgets the browsers that
 * signed in with it, and resets the user's counts of wrong guesses. Network addresses stay known, so that the
 * user can sign in from them during an attack from elsewhere.
 * @param about The hash of the e-mail address, under which guesses from unknown origins are counted.
 * @returns the id of the user; null when no user has this address.
 */
export async function updatePassword(
  sql: Queryable,
  {
    accountId,
    email,
    passwordHash,
    about,
  }: { accountId: number; email: string; passwordHash: string; about: Buffer },
): Promise<number | null> {
  const [changed] = await sql<{ id: number }[]>`
    with changed as (
      update users set password_hash = ${passwordHash} where account_id = ${accountId} and email = ${email}
      returning id
    ), ended as (
      delete from sessions where account_id = ${accountId} and user_id = (select id from changed)
      returning hash
    ), forgotten as (
      delete from sign_in_origins
      where account_id = ${accountId} and user_id = (select id from changed) and kind = 'browser'
    ), cleared as (
      delete from sign_in_guesses
      where account_id = ${accountId} and about = any (array(
        select ${about}::bytea from changed
        union all select hash from ended
        union all select about from sign_in_origins
        where account_id = ${accountId} and user_id = (select id from changed)
      ))
    )
    select id from changed`
  return changed?.id ?? null
}

/** Disables a user, ends their sessions and calendar feeds, and forgets the origins they signed in from. */
export async function disableUser(sql: Queryable, accountId: number, id: number): Promise<void> {
  await sql`
    with disabled as (
      update users set disabled_at = coalesce(disabled_at, now())
      where account_id = ${accountId} and id = ${id}
      returning id
    ), unfed as (
      update calendar_feeds set revoked_at = now()
      where account_id = any(${[accountId, testAccountOf(accountId)]}::bigint[])
        and user_id = (select id from disabled) and revoked_at is null
    ), forgotten as (
      delete from sign_in_origins where account_id = ${accountId} and user_id = (select id from disabled)
    )
    delete from sessions where account_id = ${accountId} and user_id = (select id from disabled)`
}

export async function insertSession(
  sql: Queryable,
  session: { accountId: number; hash: Buffer; userId: number; hours: number },
): Promise<void> {
  await sql`
    insert into sessions (account_id, hash, user_id, expires_at)
    values (${session.accountId}, ${session.hash}, ${session.userId},
      app_now() + make_interval(hours => ${session.hours}))`
}

/** A signed-in user, with their account. */
export type SignedIn = {
  accountId: number
  accountName: string
  slug: string
  timeZone: string
  /** ISO 3166; null for the country of the time zone. */
  country: string | null
  userId: number
  email: string
  role: Role
  /** The locale of the dashboard for this user; null for the one that the browser prefers. */
  locale: Locale | null
  hasTestAccount: boolean
}

/** The user of a session; null when the session has ended or the user is disabled. */
export async function findSession(
  sql: Queryable,
  { accountId, hash }: { accountId: number; hash: Buffer },
): Promise<SignedIn | null> {
  const [found] = await sql<SignedIn[]>`
    select accounts.account_id as "accountId", accounts.name as "accountName", slug, time_zone as "timeZone",
      country, users.id as "userId", email, role, users.locale,
      exists (select from accounts as test where test.account_id = -sessions.account_id) as "hasTestAccount"
    from sessions
    join users on users.account_id = sessions.account_id and users.id = sessions.user_id
    join accounts on accounts.account_id = sessions.account_id
    where sessions.account_id = ${accountId} and sessions.hash = ${hash}
      and sessions.expires_at > app_now() and disabled_at is null`
  return found ?? null
}

export async function deleteSession(sql: Queryable, accountId: number, hash: Buffer): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and hash = ${hash}`
}

export async function deleteSessionsOf(sql: Queryable, accountId: number, userId: number): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and user_id = ${userId}`
}
