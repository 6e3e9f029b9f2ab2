/** The SQL of cash payments and refunds, in tills and outside of tills. */
import { liveAccountOf } from '../../accounts/model.ts'
import type { Actor } from '../../events/actor.ts'
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'
import { cashSums, withUndone } from './queries.ts'

/** A cash payment or refund of a sale. */
export type CashMovementRow = {
  id: number
  kind: 'payment' | 'refund'
  /** Whether the movement undoes a cash refund that was marked as paid back by mistake. */
  isUndo: boolean
  amountMinor: number
  currency: string
  madeAt: Date
  basketId: number
  /** The booking of a refund, or of the refund that is undone; otherwise the first booking of the sale. */
  reference: string | null
  /** The number of bookings of the sale; 1 for the refund of one booking, and for its undo. */
  bookings: number
  actor: Actor['kind']
  actorId: number | null
  actorName: string | null
}

function selectMovements(sql: Queryable, accountId: number) {
  return sql`
    select payments.id, payments.kind, payments.undoes_id is not null as "isUndo", payments.amount_minor as "amountMinor", payments.currency,
      payments.made_at as "madeAt", payments.basket_id as "basketId", sold.reference, sold.bookings, payments.actor,
      payments.actor_id as "actorId", users.email as "actorName"
    from payments
    left join users on payments.actor = 'user' and users.account_id = ${liveAccountOf(accountId)}
      and users.id = payments.actor_id
    cross join lateral (
      select (array_agg(reference order by id))[1] as reference, count(*) as bookings from bookings
      where bookings.account_id = payments.account_id and bookings.basket_id = payments.basket_id
        and bookings.id = coalesce((
          select booking_id from refunds
          where refunds.account_id = payments.account_id and refunds.id = coalesce(payments.refund_id, (
            select refund_id from payments as undone
            where undone.account_id = payments.account_id and undone.id = payments.undoes_id
          ))
        ), bookings.id)
    ) as sold`
}

type CashPosition = { before: number | null; limit: number }

/** The cash payments and refunds of a till, the latest first. */
export function listMovements(
  sql: Queryable,
  accountId: number,
  { tillId, before, limit }: CashPosition & { tillId: number },
) {
  return sql<CashMovementRow[]>`
    ${selectMovements(sql, accountId)}
    where payments.account_id = ${accountId} and payments.till_id = ${tillId}
      ${before === null ? sql`` : sql`and payments.id < ${before}`}
    order by payments.id desc
    limit ${limit}`
}

/** Cash outside of tills on a day in the account's time zone, the latest first. */
export function listOutside(
  sql: Queryable,
  accountId: number,
  { day, timeZone, before, limit }: CashPosition & { day: string; timeZone: string },
) {
  const midnight = sql`(${day}::text::date)::timestamp`
  return sql<CashMovementRow[]>`
    ${selectMovements(sql, accountId)}
    where payments.account_id = ${accountId} and payments.method = 'cash' and payments.till_id is null
      and payments.made_at >= (${midnight} at time zone ${timeZone})
      and payments.made_at < ((${midnight} + interval '1 day') at time zone ${timeZone})
      ${before === null ? sql`` : sql`and payments.id < ${before}`}
    order by payments.id desc
    limit ${limit}`
}

/** The sums of cash outside of tills on a day, in a currency. */
export type OutsideDay = {
  day: string
  currency: string
  takenMinor: number
  paidBackMinor: number
  movements: number
}

/**
 * The sums of cash outside of tills for each day and currency, the latest day first.
 * @param days the number of days, of which the last is today in the account's time zone.
 */
export function listOutsideDays(
  sql: Queryable,
  accountId: number,
  { timeZone, days }: { timeZone: string; days: number },
) {
  const dayOf = (payment: Fragment) => sql`(${payment}.made_at at time zone ${timeZone})::date`
  const paymentDay = dayOf(sql`payments`)
  const wasAtSamePlace = sql`undone.method = 'cash' and undone.till_id is null and ${dayOf(sql`undone`)} = ${paymentDay}`
  return sql<OutsideDay[]>`
    select day::text, currency, taken as "takenMinor", paid_back as "paidBackMinor", movements
    from (
      select ${paymentDay} as day, payments.currency, ${cashSums(sql, wasAtSamePlace)}, count(*) as movements
      from payments ${withUndone(sql)}
      where payments.account_id = ${accountId} and payments.method = 'cash' and payments.till_id is null
        and payments.made_at >=
          (((app_now() at time zone ${timeZone})::date - ${days - 1}::integer)::timestamp at time zone ${timeZone})
      group by 1, 2
    ) as days
    order by days.day desc, currency`
}
