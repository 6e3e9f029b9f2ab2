/** The SQL of refunds: terms, decisions, and the marks that refunds were paid back. */
import type { Authorship } from '../../events/actor.ts'
import type { RefundStep } from '../../inventory/refund-terms.ts'
import type { Fragment, Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { RefundableMoney } from './matching.ts'
import type { RefundAmounts, RefundCause } from './refund-model.ts'

/**
 * The refund terms that were in force when each of these bookings was made, and the milliseconds until its start by the
 * database's clock. Bookings without terms are left out.
 */
export function listRefundTerms(sql: Queryable, accountId: number, bookingIds: readonly number[]) {
  return sql<{ bookingId: number; steps: RefundStep[]; msBefore: number }[]>`
    select bookings.id as "bookingId", steps,
      floor(extract(epoch from slot.starts_at - (select app_now())) * 1000)::bigint as "msBefore"
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    cross join lateral (
      select steps from refund_terms as terms
      where terms.account_id = slot.account_id and terms.product_id = slot.product_id
        and terms.since <= bookings.created_at
      order by since desc limit 1
    ) as terms
    where bookings.account_id = ${accountId} and bookings.id = any(${[...bookingIds]}::bigint[])
      and steps <> '[]'`
}

export type NewRefund = RefundAmounts & {
  basketId: number
  /** Null for overpaid money. */
  bookingId: number | null
  cause: RefundCause
  byTermsMinor: bigint | null
  currency: string
}

/** Writes decisions about locked sales; returns their ids, in order. */
export async function insertRefunds(
  tx: Transaction,
  { accountId, actor }: Authorship,
  refunds: readonly NewRefund[],
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    insert into refunds (account_id, basket_id, booking_id, cause, by_terms_minor, amount_minor, kept_minor, currency,
      status, actor, actor_id)
    select ${accountId}, basket_id, booking_id, cause, by_terms, amount, kept, currency,
      case when amount > 0 then 'due' else 'none' end, ${actor.kind}, ${actor.id ?? null}::bigint
    from unnest(
      ${refunds.map(({ basketId }) => basketId)}::bigint[],
      ${refunds.map(({ bookingId }) => bookingId)}::bigint[],
      ${refunds.map(({ cause }) => cause)}::text[],
      ${refunds.map(({ byTermsMinor }) => byTermsMinor?.toString() ?? null)}::text[]::bigint[],
      ${refunds.map(({ amountMinor }) => String(amountMinor))}::text[]::bigint[],
      ${refunds.map(({ keptMinor }) => String(keptMinor))}::text[]::bigint[],
      ${refunds.map(({ currency }) => currency)}::text[]
    ) with ordinality as given (basket_id, booking_id, cause, by_terms, amount, kept, currency, place)
    order by place
    returning id`
  return rows.map(({ id }) => id)
}

export type KnownRefund = {
  id: number
  basketId: number
  status: 'due' | 'done' | 'none'
  amountMinor: bigint
  currency: string
}
type KnownRow<T> = Omit<T, 'amountMinor'> & { amount: string }

/** A decision by its id. While its basket is locked, it does not change. */
export async function findRefund(sql: Queryable, accountId: number, id: number): Promise<KnownRefund | null> {
  const [refund] = await listRefunds(sql, accountId, [id])
  return refund ?? null
}

/** Decisions by their ids, in the order of the ids. Unknown ones are left out. */
export async function listRefunds(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<KnownRefund[]> {
  const refunds = await sql<KnownRow<KnownRefund>[]>`
    select id, basket_id as "basketId", status, amount_minor::text as amount, currency
    from refunds where account_id = ${accountId} and id = any(${[...ids]}::bigint[])
    order by id`
  return refunds.map(exact)
}

function exact<T extends { amount: string }>({ amount, ...row }: T) {
  return { ...row, amountMinor: BigInt(amount) }
}

/**
 * Money of a decision that a provider's refund may pay back. `paymentId` is the id of the row of `payments`
 * in which a user or API client marked the refund as paid back online; null if there is none.
 */
export type RefundableDecision = RefundableMoney &
  Omit<KnownRefund, 'status' | 'amountMinor'> & { source: 'decision'; paymentId: number | null }

/**
 * Lists the money that no event has confirmed yet, of all decisions about a sale, oldest first: due amounts,
 * amounts marked by hand as paid back online, set-off amounts, and kept amounts.
 */
export async function listRefundableDecisions(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<RefundableDecision[]> {
  type Row = Pick<RefundableDecision, 'id' | 'basketId' | 'currency' | 'paymentId'>
  const rows = await sql<(Row & { due: string; unconfirmed: string; setOff: string; kept: string })[]>`
    select refunds.id, refunds.basket_id as "basketId", refunds.currency, back.id as "paymentId",
      (case status when 'due' then refunds.amount_minor else 0 end)::text as due,
      coalesce(back.amount_minor - coalesce(back.told_minor, 0), 0)::text as unconfirmed,
      coalesce(set_off_minor, 0)::text as "setOff", kept_minor::text as kept
    from refunds
    left join payments as back on back.account_id = ${accountId} and back.refund_id = refunds.id
      and back.method = 'online' and back.event_id is null and not ${isUndone(sql, sql`back`)}
    where refunds.account_id = ${accountId} and refunds.basket_id = ${basketId}
    order by refunds.id`
  return rows.flatMap(({ due, unconfirmed, setOff, kept, ...row }) => {
    const common = { ...row, source: 'decision', reference: null } as const
    const entries = [
      { ...common, status: 'due', refundableMinor: BigInt(due) },
      { ...common, status: 'done', refundableMinor: BigInt(unconfirmed) },
      { ...common, status: 'set-off', refundableMinor: BigInt(setOff) },
      { ...common, status: 'kept', refundableMinor: BigInt(kept) },
    ] as const
    return entries.filter(({ refundableMinor }) => refundableMinor > 0n)
  })
}

/** Whether the row of a refund was undone. */
export function isUndone(sql: Queryable, back: Fragment): Fragment {
  return sql`exists (
    select from payments as undo where undo.account_id = ${back}.account_id and undo.undoes_id = ${back}.id
  )`
}

/**
 * Stores the event that confirmed a refund marked by hand. If other events have confirmed parts of it, nothing is
 * stored.
 */
export async function updateConfirmedBy(
  tx: Transaction,
  accountId: number,
  paymentId: number,
  eventId: string,
) {
  await tx`
    update payments set event_id = ${eventId}
    where account_id = ${accountId} and id = ${paymentId} and kind = 'refund' and event_id is null
      and told_minor is null`
}

/** Adds to the amount that events have confirmed of a refund marked by hand. */
export async function addConfirmed(tx: Transaction, accountId: number, paymentId: number, partMinor: bigint) {
  await tx`
    update payments set told_minor = coalesce(told_minor, 0) + ${String(partMinor)}::text::bigint
    where account_id = ${accountId} and id = ${paymentId} and kind = 'refund'`
}

/** Marks a decision about a locked sale as paid back. */
export async function updateDone(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update refunds set status = 'done', done_at = app_now()
    where account_id = ${accountId} and id = ${id} and status = 'due'`
}

/**
 * Makes a part of a refund of a locked sale a separate due refund; returns its id. The part comes from the due amount
 * of the refund, or from the amount that was set off.
 */
export async function splitRefund(
  tx: Transaction,
  accountId: number,
  { id, status }: { id: number; status: 'due' | 'set-off' },
  partMinor: bigint,
): Promise<number> {
  const part = tx`${String(partMinor)}::text::bigint`
  const taken =
    status === 'set-off'
      ? tx`set_off_minor = set_off_minor - ${part}`
      : tx`amount_minor = amount_minor - ${part}`
  const [row] = await tx<{ id: number }[]>`
    with whole as (
      update refunds set ${taken} where account_id = ${accountId} and id = ${id} returning *
    )
    insert into refunds (account_id, basket_id, booking_id, cause, amount_minor, kept_minor, currency, status, actor,
      actor_id, decided_at)
    select account_id, basket_id, booking_id, cause, ${part}, 0, currency, 'due', actor, actor_id, decided_at from whole
    returning id`
  return row!.id
}

/**
 * Makes a part of the kept money of a locked sale a due refund with the cause `provider`, because the payment
 * provider has paid it back without a decision of the operator. Returns its id.
 */
export async function takeFromKept(
  tx: Transaction,
  { accountId, actor }: Authorship,
  id: number,
  partMinor: bigint,
): Promise<number> {
  const part = tx`${String(partMinor)}::text::bigint`
  const [row] = await tx<{ id: number }[]>`
    with whole as (
      update refunds set kept_minor = kept_minor - ${part} where account_id = ${accountId} and id = ${id} returning *
    )
    insert into refunds (account_id, basket_id, booking_id, cause, amount_minor, kept_minor, currency, status, actor,
      actor_id)
    select account_id, basket_id, booking_id, 'provider', ${part}, 0, currency, 'due', ${actor.kind},
      ${actor.id ?? null}::bigint
    from whole
    returning id`
  return row!.id
}

/** Reduces due refunds of locked sales by amounts that are set off against the balance of the sale. */
export async function updateSetOff(
  tx: Transaction,
  accountId: number,
  parts: readonly { id: number; partMinor: bigint }[],
): Promise<void> {
  await tx`
    update refunds set amount_minor = amount_minor - given.part, set_off_minor = coalesce(set_off_minor, 0) + given.part,
      status = case when amount_minor = given.part then 'none' else status end
    from unnest(
      ${parts.map(({ id }) => id)}::bigint[], ${parts.map(({ partMinor }) => String(partMinor))}::text[]::bigint[]
    ) as given (id, part)
    where account_id = ${accountId} and refunds.id = given.id and status = 'due'`
}
