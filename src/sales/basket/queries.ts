/** The SQL of baskets: reads baskets, and writes their own columns. src/inventory/ writes places and bookings. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import { partnerBasketStatus } from '../../inventory/lock-queries.ts'
import {
  type BasketStatus,
  type BookingStatus,
  type Bought,
  boughtColumns,
  type Customer,
} from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { RefundReason } from './schemas.ts'

export type BasketRow = {
  accountId: number
  id: number
  status: BasketStatus
  channel: 'partner' | 'online' | 'pos'
  createdAt: Date
  expiresAt: Date | null
  holdLimitAt: Date | null
  completedAt: Date | null
  paymentMethod: 'online' | 'cash' | 'card' | null
  paymentReference: string | null
  refundReason: RefundReason | null
  promotionCode: string | null
}

function basketColumns(sql: Queryable) {
  return sql`account_id as "accountId", id, status, channel, created_at as "createdAt", expires_at as "expiresAt",
    hold_limit_at as "holdLimitAt", completed_at as "completedAt", payment_method as "paymentMethod",
    payment_reference as "paymentReference", refund_reason as "refundReason", (
      select code from promotions
      where promotions.account_id = baskets.account_id and promotions.id = baskets.promotion_id
    ) as "promotionCode"`
}

/** The basket of a partner's booking that has no row in `baskets`, like the basket that lockBasket() makes. */
function partnerBasketColumns(sql: Queryable) {
  return sql`account_id as "accountId", basket_id as id,
    ${partnerBasketStatus(sql)} as status, channel, created_at as "createdAt",
    null::timestamptz as "expiresAt", null::timestamptz as "holdLimitAt",
    confirmed_at as "completedAt", null as "paymentMethod", null as "paymentReference", null as "refundReason",
    null as "promotionCode"`
}

export async function findBasket(sql: Queryable, accountId: number, id: number): Promise<BasketRow | null> {
  const [basket] = await sql<BasketRow[]>`
    select ${basketColumns(sql)} from baskets where account_id = ${accountId} and id = ${id}
    union all
    select ${partnerBasketColumns(sql)} from bookings
    where account_id = ${accountId} and basket_id = ${id} and channel = 'partner'
      and not exists (select from baskets where account_id = ${accountId} and id = ${id})`
  return basket ?? null
}

export type BasketFilter = {
  status: BasketStatus | undefined
  refundDue: boolean
  /** The id of the last basket of the page before. */
  before: number | undefined
  limit: number
}

/**
 * Baskets of the operator's own sales, newest first. With `refundDue`, only baskets with a payment to pay
 * back, including the baskets of partners' bookings with such a payment.
 */
export function listBaskets(
  sql: Queryable,
  accountId: number,
  { status, refundDue, before, limit }: BasketFilter,
) {
  const due = sql`
    select basket_id from payment_events
    where account_id = ${accountId} and outcome = 'refund-due' and refunded_at is null
      ${before === undefined ? sql`` : sql`and basket_id < ${before}`}`
  const ofPartners = sql`
    union all
    select * from (
      select ${partnerBasketColumns(sql)} from bookings
      where account_id = ${accountId} and basket_id in (${due}) and channel = 'partner' and not exists (
        select from baskets where baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
      )
    ) as sold
    ${status === undefined ? sql`` : sql`where status = ${status}`}`
  return sql<BasketRow[]>`
    select ${basketColumns(sql)} from baskets
    where account_id = ${accountId} and ${refundDue ? sql`id in (${due})` : sql`channel <> 'partner'`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    ${refundDue ? ofPartners : sql``}
    order by id desc
    limit ${limit}`
}

export type LineRow = Customer &
  Bought & {
    basketId: number
    timeslotId: number
    reference: string
    status: BookingStatus
    activity: string
    productName: string
    date: string
    time: string
    /** Null unless its timeslot is all-day. */
    openingHours: OpeningPeriod[] | null
    createdAt: Date
    /** The till's reduction, which is included in `discountMinor`. */
    reductionMinor: string | null
    reductionReason: string | null
    refundMinor: string | null
  }

/** The lines of baskets, in the order in which they were added. */
export function listLines(sql: Queryable, accountId: number, basketIds: readonly number[]) {
  return sql<LineRow[]>`
    select bookings.basket_id as "basketId", timeslot_id as "timeslotId", reference, bookings.status,
      ${boughtColumns(sql)}, first_name as "firstName",
      last_name as "lastName", email, phone, activity_id as activity, products.name as "productName",
      slot.date, slot.time, slot.opening_hours as "openingHours", bookings.created_at as "createdAt", bookings.reduction_minor::text as "reductionMinor",
      bookings.reduction_reason as "reductionReason", bookings.refund_minor::text as "refundMinor"
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where bookings.account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
    order by bookings.id`
}

export type PaymentRow = {
  basketId: number
  id: string
  type: 'succeeded' | 'failed' | 'refunded'
  amount: string
  currency: string
  reference: string | null
  outcome: 'completed' | 'refund-due' | 'released' | 'refunded' | 'ignored'
  refundReason: RefundReason | null
  receivedAt: Date
  refundedAt: Date | null
  /** For a payment that bought nothing and was paid back in part: the part, in minor units. */
  refundedMinor: bigint | null
}

/** The payment provider's events about baskets, in the order of arrival. */
export async function listPayments(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<PaymentRow[]> {
  const rows = await sql<(Omit<PaymentRow, 'refundedMinor'> & { refunded: string | null })[]>`
    select basket_id as "basketId", event_id as id, type, amount, currency, reference, outcome,
      refund_reason as "refundReason", received_at as "receivedAt", refunded_at as "refundedAt",
      refunded_minor::text as refunded
    from payment_events
    where account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
    order by received_at, event_id`
  return rows.map(({ refunded, ...row }) => {
    return { ...row, refundedMinor: refunded === null ? null : BigInt(refunded) }
  })
}

/** Whether a basket holds places that were offered to a party of the waitlist. */
export async function hasOffer(sql: Queryable, accountId: number, basketId: number): Promise<boolean> {
  const rows = await sql`
    select from bookings
    join waitlist_entries as entry on entry.account_id = bookings.account_id and entry.booking_id = bookings.id
    where bookings.account_id = ${accountId} and bookings.basket_id = ${basketId} and bookings.status = 'held'
      and entry.status in ('offered', 'taken')
    limit 1`
  return rows.length > 0
}

/**
 * Extends the hold of a locked, open basket to the account's hold time from now, at most to its limit. Never
 * shortens the hold. Returns false if the limit was already reached.
 */
export async function extendBasket(tx: Transaction, accountId: number, id: number): Promise<boolean> {
  const { count } = await tx`
    update baskets set expires_at = least(hold_limit_at,
      greatest(expires_at, app_now() + accounts.hold_minutes * interval '1 minute'))
    from accounts
    where baskets.account_id = ${accountId} and baskets.id = ${id} and expires_at < hold_limit_at
      and accounts.account_id = baskets.account_id`
  return count > 0
}

export type Payment = { method: 'online' | 'cash' | 'card'; reference: string | null }

/** Completes a locked basket. A basket that is paid later stores no payment. */
export async function completeBasket(
  tx: Transaction,
  accountId: number,
  id: number,
  payment: Payment | null,
): Promise<void> {
  await tx`
    update baskets set status = 'completed', completed_at = app_now(),
      payment_method = ${payment?.method ?? null}, payment_reference = ${payment?.reference ?? null}
    where account_id = ${accountId} and id = ${id}`
}

/** Sets a locked basket to `refund-due`, because its payment bought nothing, and frees its use of a promotion. */
export async function updateRefundDue(
  tx: Transaction,
  accountId: number,
  id: number,
  reason: RefundReason,
): Promise<void> {
  await tx`
    with given_back as (delete from promotion_uses where account_id = ${accountId} and basket_id = ${id})
    update baskets set status = 'refund-due', refund_reason = ${reason}
    where account_id = ${accountId} and id = ${id}`
}
