/** All SQL of users, their sessions, and the guesses at their passwords. */
import type { Queryable } from '../../platform/postgres/database.ts'
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

/** @param who An id, or an address. */
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

/** Whether somebody else could sign in as an owner. */
export async function hasOtherOwner(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const owners = await sql`
    select from users
    where account_id = ${accountId} and role = 'owner' and disabled_at is null and id <> ${id} limit 1`
  return owners.length > 0
}

export async function updateRole(sql: Queryable, accountId: number, id: number, role: Role): Promise<void> {
  await sql`update users set role = ${role} where account_id = ${accountId} and id = ${id}`
}

export async function enableUser(sql: Queryable, accountId: number, id: number): Promise<void> {
  await sql`update users set disabled_at = null where account_id = ${accountId} and id = ${id}`
}

/** The hash of the password of a user who may sign in; null when there is none such. */
export async function findCredentials(sql: Queryable, accountId: number, email: string) {
  const [user] = await sql<{ id: number; passwordHash: string }[]>`
    select id, password_hash as "passwordHash" from users
    where account_id = ${accountId} and email = ${email} and disabled_at is null`
  return user ?? null
}

/** Gives a user another password and ends every session that the old one opened; false when there is none such. */
export async function updatePassword(
  sql: Queryable,
  { accountId, email, passwordHash }: { accountId: number; email: string; passwordHash: string },
): Promise<boolean> {
  const { count } = await sql`
    with changed as (
      update users set password_hash = ${passwordHash} where account_id = ${accountId} and email = ${email}
      returning id
    ), ended as (
      delete from sessions using changed where account_id = ${accountId} and user_id = changed.id
    )
    select from changed`
  return count > 0
}

/** Lets a user sign in no more, and ends the sessions there are. */
export async function disableUser(sql: Queryable, accountId: number, id: number): Promise<void> {
  await sql`
    with disabled as (
      update users set disabled_at = coalesce(disabled_at, now())
      where account_id = ${accountId} and id = ${id}
      returning id
    )
    delete from sessions using disabled where account_id = ${accountId} and user_id = disabled.id`
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

/** Who is signed in, and for whom they work. */
export type SignedIn = {
  accountId: number
  accountName: string
  slug: string
  timeZone: string
  userId: number
  email: string
  role: Role
}

/** Whose session this is; null when it is over. */
export async function findSession(
  sql: Queryable,
  { accountId, hash }: { accountId: number; hash: Buffer },
): Promise<SignedIn | null> {
  const [found] = await sql<SignedIn[]>`
    select accounts.account_id as "accountId", accounts.name as "accountName", slug, time_zone as "timeZone",
      users.id as "userId", email, role
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

const longestWaitSeconds = 900

/**
 * Counts one more guess about something, before it is looked at, so that many at once gain nothing. After the free
 * ones the next has to wait 1 second, then 2, 4, … up to a quarter of an hour.
 * @returns seconds to wait, when this guess came too early; 0 when it may be looked at.
 */
export async function countGuess(
  sql: Queryable,
  accountId: number,
  { about, free }: { about: Buffer; free: number },
): Promise<number> {
  const [counted] = await sql<{ seconds: number }[]>`
    insert into sign_in_guesses as known (account_id, about, guesses, last_at, closed_until, denied)
    values (${accountId}, ${about}, ${1 - free}, app_now(), app_now(), false)
    on conflict (account_id, about) do update set
      denied = known.closed_until > app_now(),
      guesses = known.guesses + case when known.closed_until > app_now() then 0 else 1 end,
      closed_until = case
        when known.closed_until > app_now() then known.closed_until
        when known.guesses < -1 then app_now()
        else app_now() + interval '1 second' * least(${longestWaitSeconds}, 2 ^ least(known.guesses + 1, 20))
      end,
      last_at = app_now()
    returning case when denied then ceil(extract(epoch from closed_until - app_now()))::integer else 0 end
      as seconds`
  return counted!.seconds
}

/** Takes back what a guess counted that was right: all about the address, one about where it came from. */
export async function forgiveGuess(
  sql: Queryable,
  accountId: number,
  { email, from }: { email: Buffer; from: Buffer },
): Promise<void> {
  await sql`
    with forgotten as (delete from sign_in_guesses where account_id = ${accountId} and about = ${email})
    update sign_in_guesses set guesses = guesses - 1, closed_until = app_now()
    where account_id = ${accountId} and about = ${from}`
}

/** Forgets sessions that are over and guesses of more than a day ago; gives how many. */
export async function sweepSignIns(sql: Queryable): Promise<number> {
  const sessions = await sql`delete from sessions where expires_at <= app_now()`
  const guesses = await sql`delete from sign_in_guesses where last_at <= app_now() - interval '1 day'`
  return sessions.count + guesses.count
}
