/** The SQL of tills: open tills, their cash, and closing them. */
import { liveAccountOf } from '../../accounts/model.ts'
import type { Authorship } from '../../events/actor.ts'
import type { Fragment, Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { TillCash } from './model.ts'

/**
 * Finds and locks the till for a payment or refund: the acting user's open till of the currency. Null if the
 * user has none, if the actor is not a user, and for methods other than cash. The lock makes closeTill() wait
 * until the transaction ends. To avoid deadlocks, call this function after everything else is locked.
 * @param settings `exclusive`: no other transaction can put cash into the till or take cash out until this
 *   one ends.
 */
export async function findTillFor(
  tx: Transaction,
  { accountId, actor }: Authorship,
  { method, currency }: { method: string; currency: string },
  { exclusive = false } = {},
): Promise<number | null> {
  if (method !== 'cash' || actor.kind !== 'user') return null
  const [till] = await tx<{ id: number }[]>`
    select id from tills
    where account_id = ${accountId} and user_id = ${actor.id} and currency = ${currency} and closed_at is null
    ${exclusive ? tx`for update` : tx`for share`}`
  return till?.id ?? null
}

/** The currencies of a user's open tills. */
export async function listOpenCurrencies(
  sql: Queryable,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select currency from tills
    where account_id = ${accountId} and user_id = ${userId} and closed_at is null`
  return rows.map(({ currency }) => currency)
}

export type TillRow = TillCash & {
  id: number
  accountId: number
  userId: number
  /** Null if there is no such user. */
  userEmail: string | null
  currency: string
  openedAt: Date
  closedAt: Date | null
  closedBy: number | null
  closedByEmail: string | null
  countedMinor: number | null
  /** The expected cash when the till was closed; null for an open till. */
  closedExpectedMinor: number | null
  note: string | null
}

/**
 * The cash that was taken and paid back, as `taken` and `paid_back`. A refund that was undone, and the
 * payment that undoes it at the same place, cancel each other out in `paid_back`.
 * @param isThere whether `undone`, the refund that a payment undoes, was at the same place: in the same till, or on the
 *   same day outside of tills.
 */
export function cashSums(sql: Queryable, isThere: Fragment) {
  const stayed = sql`coalesce(${isThere}, false)`
  const limited = (sum: Fragment) => sql`least(coalesce(${sum}, 0), ${Number.MAX_SAFE_INTEGER})::bigint`
  const taken = sql`sum(payments.amount_minor) filter (where payments.kind = 'payment' and not ${stayed})`
  const paidBack = sql`sum(case payments.kind when 'refund' then payments.amount_minor else -payments.amount_minor end)
    filter (where payments.kind = 'refund' or ${stayed})`
  return sql`${limited(taken)} as taken, ${limited(paidBack)} as paid_back`
}

/** Joins the refund that a payment undoes, as `undone`. */
export function withUndone(sql: Queryable) {
  return sql`left join payments as undone
    on undone.account_id = payments.account_id and undone.id = payments.undoes_id`
}

/**
 * Selects tills with the sums of their cash payments and refunds. The caller appends a condition on the
 * account.
 */
function selectTills(sql: Queryable, accountId: number) {
  return sql`
    select tills.account_id as "accountId", tills.id, tills.user_id as "userId", owner.email as "userEmail",
      tills.currency, tills.float_minor as "floatMinor", tills.opened_at as "openedAt", tills.closed_at as "closedAt",
      tills.closed_by as "closedBy", closer.email as "closedByEmail", tills.counted_minor as "countedMinor",
      tills.expected_minor as "closedExpectedMinor", tills.note, cash.taken as "takenMinor",
      cash.paid_back as "paidBackMinor"
    from tills
    left join users as owner on owner.account_id = ${liveAccountOf(accountId)} and owner.id = tills.user_id
    left join users as closer on closer.account_id = ${liveAccountOf(accountId)} and closer.id = tills.closed_by
    cross join lateral (
      select ${cashSums(sql, sql`undone.till_id = payments.till_id`)}
      from payments ${withUndone(sql)}
      where payments.account_id = tills.account_id and payments.till_id = tills.id
    ) as cash`
}

export type TillFilter = {
  /** Only tills of this user. */
  userId?: number | undefined
  isOpen?: boolean | undefined
  /** Only tills that were opened before this one. */
  before: number | null
  limit: number
}

/** Lists tills, the latest opened first; at most `limit`. */
export function listTills(sql: Queryable, accountId: number, { userId, isOpen, before, limit }: TillFilter) {
  return sql<TillRow[]>`
    ${selectTills(sql, accountId)}
    where tills.account_id = ${accountId}
      ${userId === undefined ? sql`` : sql`and tills.user_id = ${userId}`}
      ${isOpen === undefined ? sql`` : isOpen ? sql`and tills.closed_at is null` : sql`and tills.closed_at is not null`}
      ${before === null ? sql`` : sql`and tills.id < ${before}`}
    order by tills.id desc
    limit ${limit}`
}

export async function findTill(sql: Queryable, accountId: number, id: number): Promise<TillRow | null> {
  const [till] = await sql<TillRow[]>`
    ${selectTills(sql, accountId)}
    where tills.account_id = ${accountId} and tills.id = ${id}`
  return till ?? null
}

/** Locks a till until the transaction ends, after waiting for payments that are in progress. */
export async function lockTill(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`select from tills where account_id = ${accountId} and id = ${id} for update`
}

/** The id of the new till; null if the user has an open one in that currency. */
export async function insertTill(
  tx: Transaction,
  accountId: number,
  { userId, currency, floatMinor }: { userId: number; currency: string; floatMinor: number },
): Promise<number | null> {
  const [made] = await tx<{ id: number }[]>`
    insert into tills (account_id, user_id, currency, float_minor)
    values (${accountId}, ${userId}, ${currency}, ${floatMinor})
    on conflict (account_id, user_id, currency) where closed_at is null do nothing
    returning id`
  return made?.id ?? null
}

/** The count that closes a till. `userId` is null if a command closes it. */
export type TillCount = {
  userId: number | null
  countedMinor: number
  expectedMinor: number
  note: string | null
}

/** Closes a locked till. */
export async function updateClosed(
  tx: Transaction,
  accountId: number,
  id: number,
  { userId, countedMinor, expectedMinor, note }: TillCount,
): Promise<void> {
  await tx`
    update tills set closed_at = app_now(), closed_by = ${userId}, counted_minor = ${countedMinor},
      expected_minor = ${expectedMinor}, note = ${note}
    where account_id = ${accountId} and id = ${id} and closed_at is null`
}

/** The codes of the currencies of an account's products, in alphabetical order. */
export async function listCurrencies(sql: Queryable, accountId: number): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select distinct currency from products where account_id = ${accountId} order by currency`
  return rows.map(({ currency }) => currency)
}
