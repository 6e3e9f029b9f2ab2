/**
 * The SQL of the list of refunds. It merges two kinds by time: decisions about sales, and provider payments that bought
 * nothing. The query reads at most one page of each kind from its index.
 */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { PaymentMethod } from './queries.ts'
import type { RefundCause } from './refund-model.ts'
import { isUndone } from './refund-queries.ts'

export type RefundRow = {
  source: 'decision' | 'payment'
  /** Null for a provider's payment. */
  id: number | null
  /** Only for a provider's payment. */
  eventId: string | null
  basketId: number
  status: 'due' | 'done' | 'none'
  reason: RefundCause | string
  /** For a decision, in minor units; for a payment, the provider's text. */
  amount: string
  /**
   * For a provider's payment of which a part was paid back first: that part. It does not include the rest,
   * even if the rest was paid back too.
   */
  refundedMinor: string | null
  byTermsMinor: string | null
  keptMinor: string | null
  setOffMinor: string | null
  currency: string
  decidedAt: Date
  doneAt: Date | null
  bookingReference: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  paidBy: PaymentMethod[]
  method: PaymentMethod | null
  reference: string | null
  /** Only for a provider's payment: the provider's reference. */
  paymentReference: string | null
  /** The sort key of the list, besides the source. */
  micros: number
  key: string
}

/** The time in microseconds, the source, and the id as text with the same order. */
export type RefundPosition = [number, string, string]

type RefundFragment = ReturnType<Queryable>
/** For decisions or for payments: the time by which the rows are ordered, and the condition on the rows. */
type RefundSide = { at: RefundFragment; condition: RefundFragment }

/** Text with the same order as the id. */
function decisionKey(sql: Queryable): RefundFragment {
  return sql`to_char(id, 'FM0000000000000000')`
}

function decisions(sql: Queryable, accountId: number, { at, condition }: RefundSide): RefundFragment {
  return sql`
    select 'decision' as source, id, null::text as event_id, basket_id, booking_id, status, cause as reason,
      amount_minor::text as amount, null::text as refunded, by_terms_minor::text as by_terms,
      kept_minor::text as kept, set_off_minor::text as set_off, currency, decided_at, done_at,
      null::text as payment_reference, null::text as refund_method, null::text as refund_reference, ${at} as at, ${decisionKey(sql)} as key
    from refunds where account_id = ${accountId} and ${condition}`
}

function unusedPayments(sql: Queryable, accountId: number, { at, condition }: RefundSide): RefundFragment {
  return sql`
    select 'payment' as source, null::bigint as id, event_id, basket_id, null::bigint as booking_id,
      case when refunded_at is null then 'due' else 'done' end as status, refund_reason as reason, amount,
      refunded_minor::text as refunded, null as by_terms, null as kept, null as set_off, currency,
      received_at as decided_at, refunded_at as done_at, reference as payment_reference, refund_method, refund_reference,
      ${at} as at, event_id as key
    from payment_events where account_id = ${accountId} and ${condition}`
}

/** Adds the customer, the booking, and the methods of payment and refund. */
function described(sql: Queryable, accountId: number, entries: RefundFragment) {
  return sql`
    select source, entry.id, entry.event_id as "eventId", entry.basket_id as "basketId", entry.status, reason, amount,
      refunded as "refundedMinor", by_terms as "byTermsMinor", kept as "keptMinor", set_off as "setOffMinor",
      entry.currency, decided_at as "decidedAt", done_at as "doneAt",
      case when entry.booking_id is not null then about.reference end as "bookingReference",
      about.first_name as "firstName", about.last_name as "lastName", email, phone,
      case source when 'payment' then array['online'] else array(
        select distinct method from payments
        where payments.account_id = ${accountId} and payments.basket_id = entry.basket_id and kind = 'payment'
          and undoes_id is null
        order by method
      ) end as "paidBy",
      coalesce(back.method, refund_method) as method, coalesce(back.reference, refund_reference) as reference,
      payment_reference as "paymentReference", (extract(epoch from at) * 1000000)::bigint as micros, key
    from (${entries}) as entry
    left join lateral (
      select reference, first_name, last_name, email, phone from bookings
      where bookings.account_id = ${accountId} and bookings.basket_id = entry.basket_id
        and (entry.booking_id is null or bookings.id = entry.booking_id)
      order by bookings.status = 'confirmed' desc, bookings.status = 'cancelled', bookings.id limit 1
    ) as about on true
    left join payments as back on back.account_id = ${accountId} and back.refund_id = entry.id
      and not ${isUndone(sql, sql`back`)}`
}

function instant(sql: Queryable, micros: number) {
  return sql`(timestamptz 'epoch' + ${micros} * interval '1 microsecond')`
}

type RefundPage = { after: RefundPosition | null; limit: number }

/** Due refunds, the oldest first. */
export function listDue(sql: Queryable, accountId: number, page: RefundPage) {
  return listSides(sql, accountId, page, {
    decisions: { at: sql`decided_at`, condition: sql`status = 'due'` },
    providers: { at: sql`received_at`, condition: sql`outcome = 'refund-due' and refunded_at is null` },
    isLatestFirst: false,
  })
}

/** Done refunds, the latest first. */
export function listDone(sql: Queryable, accountId: number, page: RefundPage) {
  return listSides(sql, accountId, page, {
    decisions: { at: sql`done_at`, condition: sql`status = 'done'` },
    providers: { at: sql`refunded_at`, condition: sql`refunded_at is not null` },
    isLatestFirst: true,
  })
}

/** A page of both kinds, merged by time. */
function listSides(
  sql: Queryable,
  accountId: number,
  { after, limit }: RefundPage,
  sides: { decisions: RefundSide; providers: RefundSide; isLatestFirst: boolean },
) {
  const { order, comparison } = sides.isLatestFirst
    ? { order: sql`desc`, comparison: sql`<` }
    : { order: sql`asc`, comparison: sql`>` }
  // The time alone does not identify a position: a closure may decide hundreds of refunds in one transaction, at the
  // same time.
  const page = (
    source: RefundRow['source'],
    { at, condition }: RefundSide,
    { id, key }: { id: RefundFragment; key: RefundFragment },
  ): RefundSide => {
    const afterPosition = after
      ? sql`and ${at} ${comparison}= ${instant(sql, after[0])}
          and (${at}, ${source}::text, ${key}) ${comparison} (${instant(sql, after[0])}, ${after[1]}, ${after[2]})`
      : sql``
    return {
      at,
      condition: sql`${condition} ${afterPosition} order by ${at} ${order}, ${id} ${order} limit ${limit}`,
    }
  }
  const decided = page('decision', sides.decisions, { id: sql`id`, key: decisionKey(sql) })
  const came = page('payment', sides.providers, { id: sql`event_id`, key: sql`event_id` })
  const inOrder = sql`order by at ${order}, source ${order}, key ${order}`
  const entries: RefundFragment = sql`
    select * from (
      (${decisions(sql, accountId, decided)}) union all (${unusedPayments(sql, accountId, came)})
    ) as listed
    ${inOrder} limit ${limit}`
  return sql<RefundRow[]>`${described(sql, accountId, entries)} ${inOrder}`
}

/** One decision by its id; null if it is unknown. */
export async function findRefundRow(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<RefundRow | null> {
  const [row] = await listRefundRows(sql, accountId, [id])
  return row ?? null
}

/** Decisions by their ids, the oldest first. Unknown ones are left out. */
export function listRefundRows(sql: Queryable, accountId: number, ids: readonly number[]) {
  return listDecisions(sql, accountId, sql`id = any(${[...ids]}::bigint[])`)
}

/** The due decisions about a sale, the oldest first. */
export function listDueOfSale(sql: Queryable, accountId: number, basketId: number) {
  return listDecisions(sql, accountId, sql`basket_id = ${basketId} and status = 'due'`)
}

function listDecisions(sql: Queryable, accountId: number, condition: RefundFragment) {
  const some: RefundFragment = decisions(sql, accountId, { at: sql`decided_at`, condition })
  return sql<RefundRow[]>`${described(sql, accountId, some)} order by at, key`
}

/** One payment that bought nothing; null if it is unknown. */
export async function findUnusedRow(
  sql: Queryable,
  accountId: number,
  { basketId, eventId }: { basketId: number; eventId: string },
): Promise<RefundRow | null> {
  const one: RefundFragment = unusedPayments(sql, accountId, {
    at: sql`received_at`,
    condition: sql`event_id = ${eventId} and basket_id = ${basketId} and outcome = 'refund-due'`,
  })
  const [row] = await sql<RefundRow[]>`${described(sql, accountId, one)}`
  return row ?? null
}

/** The payments that bought nothing, of one sale, whether they are paid back or not; the oldest first. */
export function listUnused(sql: Queryable, accountId: number, basketId: number) {
  const all: RefundFragment = unusedPayments(sql, accountId, {
    at: sql`received_at`,
    condition: sql`basket_id = ${basketId} and outcome = 'refund-due'`,
  })
  return sql<RefundRow[]>`${described(sql, accountId, all)} order by at, key`
}

/** The number of due refunds of both kinds, counted up to a limit. */
export async function countDue(sql: Queryable, accountId: number, most: number): Promise<number> {
  const [count] = await sql<{ due: number }[]>`
    select count(*) as due from (
      (select from refunds where account_id = ${accountId} and status = 'due' limit ${most})
      union all
      (
        select from payment_events
        where account_id = ${accountId} and outcome = 'refund-due' and refunded_at is null limit ${most}
      )
    ) as found`
  return Math.min(count!.due, most)
}

/**
 * For how many seconds the oldest due refund of all live accounts has been due; 0 if there is none. The
 * oldest of each account is read from an index.
 */
export function findOldestDue(sql: Queryable) {
  return sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(least(decided.at, came.at))), 0)::float8 as seconds
    from accounts
    left join lateral (
      select decided_at as at from refunds
      where refunds.account_id = accounts.account_id and status = 'due'
      order by decided_at limit 1
    ) as decided on true
    left join lateral (
      select min(received_at) as at from payment_events
      where payment_events.account_id = accounts.account_id and outcome = 'refund-due' and refunded_at is null
    ) as came on true
    where accounts.account_id > 0`
}
