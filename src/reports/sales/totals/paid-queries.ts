/** The SQL of what was paid on a day, by the rules of the ledger of a sale. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { totalOfBooking } from './booking-queries.ts'

/** Sums of days (product_id, day), by method. A sale without payments of its own was paid when it was completed. */
export function sumPaid(sql: Queryable, accountId: number, keys: Fragment): Fragment {
  const begin = sql`(stale.day::timestamp at time zone accounts.time_zone) - interval '3 hours'`
  const end = sql`((stale.day + 1)::timestamp at time zone accounts.time_zone) + interval '3 hours'`
  return sql`
    with stale as materialized (
      select day, accounts.time_zone, ${begin} as begins, ${end} as ends
      from (${keys}) as stale (product_id, day) join accounts on accounts.account_id = ${accountId}
    ), moved as (
      select stale.day, kind, method, currency, amount_minor::numeric as minor
      from stale join payments on payments.account_id = ${accountId} and made_at >= begins and made_at < ends
        and (made_at at time zone time_zone)::date = stale.day
      union all
      select sale.day, 'payment', sale.method, sale.currency, sum(price.minor)
      from (
        select distinct stale.day, baskets.id, baskets.payment_method as method, bookings.currency
        from stale
        join bookings on bookings.account_id = ${accountId} and bookings.confirmed_at >= begins
          and bookings.confirmed_at < ends and bookings.channel <> 'partner'
        join baskets on baskets.account_id = ${accountId} and baskets.id = bookings.basket_id
          and baskets.status = 'completed' and baskets.payment_method is not null
          and (baskets.completed_at at time zone time_zone)::date = stale.day
        where not exists (
          select from payments
          where payments.account_id = ${accountId} and payments.basket_id = baskets.id and kind = 'payment')
      ) as sale
      join bookings on bookings.account_id = ${accountId} and bookings.basket_id = sale.id
        and bookings.status in ('held', 'confirmed')
      cross join lateral (${totalOfBooking(sql)}) as price
      group by sale.day, sale.id, sale.method, sale.currency
    )
    select day, method, currency, count(*) filter (where kind = 'payment') as payments,
      coalesce(sum(minor) filter (where kind = 'payment'), 0) as paid_minor,
      count(*) filter (where kind = 'refund') as refunds,
      coalesce(sum(minor) filter (where kind = 'refund'), 0) as refunded_minor
    from moved where minor > 0 group by day, method, currency`
}

export const paidColumns = ['payments', 'paid_minor', 'refunds', 'refunded_minor']
