/**
 * The SQL that sums decisions to pay back or keep money. They count on the day of their booking if it was confirmed.
 */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { namesOf } from './names.ts'
import { keyColumns } from './sold-queries.ts'
import { isNearDay, isOnDay, type SoldBasis } from './source-queries.ts'

/**
 * Sums of the decisions about the rows `booked`, with their keys. For the basis `sold`, the sums include
 * overpaid money of sales whose first booking was never confirmed.
 */
export function sumRefunds(sql: Queryable, accountId: number, basis: SoldBasis): Fragment {
  const ofUnsold = basis === 'sold' ? sql`union all ${ofUnconfirmed(sql, accountId)}` : sql``
  return sql`
    select ${namesOf(sql, keyColumns)}, count(*) as decisions, sum(amount_minor) as decided_minor,
      coalesce(sum(amount_minor) filter (where status = 'done'), 0) as paid_back_minor, sum(kept_minor) as kept_minor
    from (${ofBooked(sql, accountId)} ${ofUnsold}) as decided
    group by ${namesOf(sql, keyColumns)}`
}

export const refundColumns = ['decisions', 'decided_minor', 'paid_back_minor', 'kept_minor']

// A decision that belongs to a sale, not to one of its bookings, counts with the first booking of the sale.
function ofBooked(sql: Queryable, accountId: number): Fragment {
  return sql`
    select booked.day, booked.product_id, booked.channel, booked.partner_id, refunds.currency, refunds.amount_minor,
      refunds.kept_minor, refunds.status
    from booked
    cross join lateral (
      select * from refunds where account_id = ${accountId} and basket_id = booked.basket_id offset 0
    ) as refunds
    where booked.id = coalesce(refunds.booking_id, ${firstOf(sql, accountId)})`
}

// Overpaid money of a sale whose first booking was never confirmed has no day of sale: it counts on the day
// of the decision.
function ofUnconfirmed(sql: Queryable, accountId: number): Fragment {
  return sql`
    select keys.day, slot.product_id, bookings.channel, coalesce(bookings.partner_id, 0), refunds.currency,
      refunds.amount_minor, refunds.kept_minor, refunds.status
    from keys
    cross join lateral (
      select * from refunds
      where account_id = ${accountId} and booking_id is null and ${isNearDay(sql, sql`decided_at`)}
        and ${isOnDay(sql, sql`decided_at`)}
      offset 0
    ) as refunds
    join bookings on bookings.account_id = ${accountId} and bookings.confirmed_at is null
      and bookings.id = ${firstOf(sql, accountId)}
    join timeslots as slot on slot.account_id = ${accountId} and slot.id = bookings.timeslot_id`
}

function firstOf(sql: Queryable, accountId: number): Fragment {
  return sql`(select min(one.id) from bookings as one
    where one.account_id = ${accountId} and one.basket_id = refunds.basket_id)`
}
