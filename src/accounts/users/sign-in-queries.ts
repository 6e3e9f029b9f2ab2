/** SQL of signing in: the user whose password is checked, the counts of guesses, and the known origins. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { Origin, OriginKind } from './model.ts'

export type Credentials = { id: number; passwordHash: string; known: OriginKind[] }

/**
 * A user who may sign in, and which of the given origins are known for them; null when there is no such user.
 */
export async function findCredentials(
  sql: Queryable,
  accountId: number,
  { email, origins }: { email: string; origins: readonly Origin[] },
): Promise<Credentials | null> {
  const [user] = await sql<Credentials[]>`
    select id, password_hash as "passwordHash", array(
      select kind from sign_in_origins as origin
      where origin.account_id = users.account_id and origin.user_id = users.id
        and about = any(array(select decode(hash, 'hex') from unnest(${hashesOf(origins)}::text[]) as hash))
    ) as known
    from users
    where account_id = ${accountId} and email = ${email} and disabled_at is null`
  return user ?? null
}

/**
 * Locks a user, so that their password cannot change and they cannot be disabled. Returns false if one of
 * these happened after findCredentials().
 */
export async function lockCredentials(
  tx: Transaction,
  accountId: number,
  { id, passwordHash }: Pick<Credentials, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const rows = await tx`
    select from users
    where account_id = ${accountId} and id = ${id} and password_hash = ${passwordHash} and disabled_at is null
    for no key update`
  return rows.length > 0
}

/** Records the origins from which a locked user signed in; keeps the newest `most` of each kind. */
export async function rememberOrigins(
  tx: Transaction,
  accountId: number,
  { userId, origins, most }: { userId: number; origins: readonly Origin[]; most: number },
): Promise<void> {
  await tx`
    insert into sign_in_origins (account_id, user_id, about, kind, last_at)
    select ${accountId}, ${userId}, decode(hash, 'hex'), kind, app_now()
    from unnest(${hashesOf(origins)}::text[], ${origins.map(({ kind }) => kind)}::text[]) as origin (hash, kind)
    on conflict (account_id, user_id, about) do update set last_at = excluded.last_at`
  await tx`
    delete from sign_in_origins
    where account_id = ${accountId} and user_id = ${userId} and about in (
      select about from (
        select about, row_number() over (partition by kind order by last_at desc, about) as place
        from sign_in_origins where account_id = ${accountId} and user_id = ${userId}
      ) as ranked
      where place > ${most}
    )`
}

function hashesOf(origins: readonly Origin[]): string[] {
  return origins.map(({ about }) => about.toString('hex'))
}

const longestWaitSeconds = 900

/**
 * `about`: the hash that a guess is counted under. `free`: how many guesses are allowed before the next one
 * must wait.
 */
export type GuessCount = { about: Buffer; free: number }

/**
 * Counts a guess before it is checked, so that concurrent guesses cannot avoid the limit. After the free
 * guesses, the next one must wait 1 second, then 2, 4, … up to a quarter of an hour.
 * @returns seconds to wait, when this guess came too early; 0 when it may be checked.
 */
export async function countGuess(
  sql: Queryable,
  accountId: number,
  { about, free }: GuessCount,
): Promise<number> {
  // Free guesses store -infinity and not their time: of two concurrent guesses, the one that is counted last
  // may have an earlier app_now(), and must not be refused as too early.
  const [counted] = await sql<{ seconds: number }[]>`
    insert into sign_in_guesses as known (account_id, about, guesses, last_at, closed_until, denied)
    values (${accountId}, ${about}, ${1 - free}, app_now(), '-infinity', false)
    on conflict (account_id, about) do update set
      denied = known.closed_until > app_now(),
      guesses = known.guesses + case when known.closed_until > app_now() then 0 else 1 end,
      closed_until = case
        when known.closed_until > app_now() then known.closed_until
        when known.guesses < -1 then '-infinity'
        else app_now() + interval '1 second' * least(${longestWaitSeconds}, 2 ^ least(known.guesses + 1, 20))
      end,
      last_at = app_now()
    returning case when denied then ceil(extract(epoch from closed_until - app_now()))::integer else 0 end
      as seconds`
  return counted!.seconds
}

/** Deletes the count of guesses under one hash. */
export async function deleteGuesses(sql: Queryable, accountId: number, about: Buffer): Promise<void> {
  await sql`delete from sign_in_guesses where account_id = ${accountId} and about = ${about}`
}

/** Subtracts one guess from the count, so that the next guess does not have to wait. */
export async function takeBackGuess(sql: Queryable, accountId: number, about: Buffer): Promise<void> {
  await sql`
    update sign_in_guesses set guesses = guesses - 1, closed_until = '-infinity'
    where account_id = ${accountId} and about = ${about}`
}

/** An origin is known for this many days after the last sign-in from it. */
export const originDays = 90

/**
 * Deletes sessions that have ended, counts of guesses a day after the last guess, and origins that were not
 * used for `originDays`. Returns the number of deleted rows.
 */
export async function sweepSignIns(sql: Queryable): Promise<number> {
  const sessions = await sql`delete from sessions where expires_at <= app_now()`
  const guesses = await sql`delete from sign_in_guesses where last_at <= app_now() - interval '1 day'`
  const origins = await sql`
    delete from sign_in_origins where last_at <= app_now() - make_interval(days => ${originDays})`
  return sessions.count + guesses.count + origins.count
}
