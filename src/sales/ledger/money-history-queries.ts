/**
 * The SQL that reads the part of the money history of a sale that the events of its bookings do not contain:
 * declined payments, payments that bought nothing, their refunds, and marks of refunds that were undone.
 */
import { liveAccountOf } from '../../accounts/model.ts'
import type { Actor } from '../../events/actor.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { restOfPayment } from './provider-model.ts'

export type MoneyHistoryRow = {
  action: 'payment-declined' | 'payment-unused' | 'payment-refunded' | 'refund-undone'
  madeAt: Date
  actor: Actor['kind']
  actorId: number | null
  /** The e-mail address of a user; null for other actors. */
  actorName: string | null
  details: object
}

/**
 * Lists this part of the money history of a sale, oldest first. If a part of a payment had already been paid
 * back when the payment was marked as paid back, the `payment-refunded` row has the rest as its amount, and
 * that part as `PaidBackBefore`. If the previous version marked a payment as paid back, the actor is unknown
 * and returned as `service`.
 */
export async function listMoneyHistory(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<MoneyHistoryRow[]> {
  type Details = { Amount: string; Currency: string }
  type Row = Omit<MoneyHistoryRow, 'details'> & { details: Details; refunded: string | null }
  const rows = await sql<Row[]>`
    with event as (
      select * from payment_events where account_id = ${accountId} and basket_id = ${basketId}
    ), happening as (
      select case type when 'failed' then 'payment-declined' else 'payment-unused' end as action, received_at as made_at,
        'payment' as actor, null::bigint as actor_id,
        jsonb_build_object('Amount', amount, 'Currency', currency, 'Reference', reference)
          || case when refund_reason is null then '{}' else jsonb_build_object('Reason', refund_reason) end as details,
        null::bigint as refunded
      from event where type = 'failed' or outcome = 'refund-due'
      union all
      select 'payment-refunded', refunded_at, coalesce(refund_actor, 'service'), refund_actor_id,
        jsonb_build_object('Amount', amount, 'Currency', currency, 'Method', refund_method, 'Reference', refund_reference),
        refunded_minor
      from event where refunded_at is not null
      union all
      select 'refund-undone', undone_at, actor, actor_id,
        jsonb_build_object('Amount', amount, 'Currency', currency, 'Method', method, 'Reference', reference,
          'Reason', reason), null
      from undone_refunds where account_id = ${accountId} and basket_id = ${basketId}
    )
    select action, made_at as "madeAt", actor, actor_id as "actorId", users.email as "actorName",
      jsonb_strip_nulls(details) as details, refunded::text as refunded
    from happening
    left join users on actor = 'user' and users.account_id = ${liveAccountOf(accountId)} and users.id = actor_id
    order by made_at, action`
  return rows.map(({ refunded, details, ...row }) => {
    if (refunded === null) return { ...row, details }
    const { Amount: amount, Currency: currency } = details
    const refundedMinor = BigInt(refunded)
    const rest = restOfPayment({ amount, currency, refundedMinor })
    return { ...row, details: { ...details, ...rest, PaidBackBefore: toMoney(refundedMinor, currency) } }
  })
}
