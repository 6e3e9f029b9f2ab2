/** The SQL of what was decided to be paid back or kept: counted on the day of the booking that it is about. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { namesOf } from './names.ts'
import { keyColumns, type SoldBasis } from './sold-queries.ts'

/** Sums of days (product_id, day): on the basis `sold`, the product is not looked at. */
export function sumRefunds(
  sql: Queryable,
  { accountId, basis, keys }: { accountId: number; basis: SoldBasis; keys: Fragment },
): Fragment {
  return sql`
    select ${namesOf(sql, keyColumns)}, count(*) as decisions, sum(amount_minor) as decided_minor,
      coalesce(sum(amount_minor) filter (where status = 'done'), 0) as paid_back_minor, sum(kept_minor) as kept_minor
    from (${basis === 'travel' ? byTimeslot(sql, accountId, keys) : byConfirmation(sql, accountId, keys)}) as decided
    group by ${namesOf(sql, keyColumns)}`
}

export const refundColumns = ['decisions', 'decided_minor', 'paid_back_minor', 'kept_minor']

function columns(sql: Queryable): Fragment {
  return sql`stale.day, slot.product_id, bookings.channel, coalesce(bookings.partner_id, 0) as partner_id,
    refunds.currency, refunds.amount_minor, refunds.kept_minor, refunds.status`
}

function byTimeslot(sql: Queryable, accountId: number, keys: Fragment): Fragment {
  return sql`
    select ${columns(sql)}
    from (${keys}) as stale (product_id, day)
    join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = stale.product_id
      and slot.date = stale.day
    join bookings on bookings.account_id = ${accountId} and bookings.timeslot_id = slot.id
    join refunds on ${isAbout(sql, accountId)}`
}

// What was paid too much for a sale that was never confirmed has no day of sale: that of the decision stands for it.
function byConfirmation(sql: Queryable, accountId: number, keys: Fragment): Fragment {
  const isOfDay = (instant: Fragment) => sql`
    ${instant} >= (stale.day::timestamp at time zone accounts.time_zone) - interval '3 hours'
      and ${instant} < ((stale.day + 1)::timestamp at time zone accounts.time_zone) + interval '3 hours'
      and (${instant} at time zone accounts.time_zone)::date = stale.day`
  const slot = sql`join timeslots as slot on slot.account_id = ${accountId} and slot.id = bookings.timeslot_id`
  return sql`
    select ${columns(sql)}
    from (${keys}) as stale (product_id, day)
    join accounts on accounts.account_id = ${accountId}
    join bookings on bookings.account_id = ${accountId} and ${isOfDay(sql`bookings.confirmed_at`)}
    join refunds on ${isAbout(sql, accountId)}
    ${slot}
    union all
    select ${columns(sql)}
    from (${keys}) as stale (product_id, day)
    join accounts on accounts.account_id = ${accountId}
    join refunds on refunds.account_id = ${accountId} and refunds.booking_id is null
      and ${isOfDay(sql`refunds.decided_at`)}
    join bookings on bookings.account_id = ${accountId} and bookings.confirmed_at is null
      and bookings.id = ${firstOf(sql, accountId)}
    ${slot}`
}

/** Whether a decision is about a booking. One about a whole sale is about its first. */
function isAbout(sql: Queryable, accountId: number): Fragment {
  return sql`refunds.account_id = ${accountId} and refunds.basket_id = bookings.basket_id
    and bookings.id = coalesce(refunds.booking_id, ${firstOf(sql, accountId)})`
}

function firstOf(sql: Queryable, accountId: number): Fragment {
  return sql`(select min(one.id) from bookings as one
    where one.account_id = ${accountId} and one.basket_id = refunds.basket_id)`
}
