/** The SQL of payments on a day, by the rules of the ledger of a sale. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { totalOfBooking } from './booking-queries.ts'
import { isNearDay, isOnDay } from './source-queries.ts'

/**
 * Sums the payments and refunds of the days in `keys`, by method. A sale without payment rows counts as paid when it
 * was completed. Refunds that were undone, and the rows that undid them, do not count, because no money was moved.
 */
export function sumPaid(sql: Queryable, accountId: number): Fragment {
  return sql`
    with written as materialized (
      select keys.day, kind, method, currency, amount_minor::numeric as minor, basket_id,
        ${isOnDay(sql, sql`payment.made_at`)} as is_on_day
      from keys
      cross join lateral (
        select * from payments
        where account_id = ${accountId} and ${isNearDay(sql, sql`made_at`)} and undoes_id is null
          and not exists (
            select from payments as undo
            where undo.account_id = ${accountId} and undo.undoes_id = payments.id
          )
        offset 0
      ) as payment
    ), moved as (
      select day, kind, method, currency, minor from written where is_on_day
      union all
      select sale.day, 'payment', sale.method, sale.currency, sum(price.minor)
      from (${unwrittenSales(sql, accountId)}) as sale
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

// Only sales without a payment on the day are looked up one by one: most sales were paid on the day they were
// made.
function unwrittenSales(sql: Queryable, accountId: number): Fragment {
  return sql`
    select distinct unpaid.day, baskets.id, baskets.payment_method as method, unpaid.currency
    from (
      select keys.day, keys.time_zone, sold.basket_id, sold.currency
      from keys
      cross join lateral (
        select basket_id, currency, channel from bookings
        where account_id = ${accountId} and ${isNearDay(sql, sql`confirmed_at`)} offset 0
      ) as sold
      where sold.channel <> 'partner'
        and not exists (select from written where written.basket_id = sold.basket_id and kind = 'payment')
      offset 0
    ) as unpaid
    join baskets on baskets.account_id = ${accountId} and baskets.id = unpaid.basket_id
      and baskets.status = 'completed' and baskets.payment_method is not null
      and (baskets.completed_at at time zone unpaid.time_zone)::date = unpaid.day
    where not exists (
      select from payments
      where payments.account_id = ${accountId} and payments.basket_id = baskets.id and kind = 'payment'
        and undoes_id is null)`
}

export const paidColumns = ['payments', 'paid_minor', 'refunds', 'refunded_minor']
