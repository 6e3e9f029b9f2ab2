/** The SQL of ledgers: sales, their payments, and decisions about refunds. */
import { liveAccountOf } from '../../accounts/model.ts'
import type { Actor } from '../../events/actor.ts'
import { listBookingsOfBaskets } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { CompletedSale, DecidedRefund, MovedMoney } from './model.ts'
import type { RefundCause } from './refund-model.ts'

export const paymentMethods = ['online', 'cash', 'card', 'transfer'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export type SaleRow = CompletedSale & {
  id: number
  completedAt: Date | null
  paymentMethod: 'online' | 'cash' | 'card' | null
  paymentReference: string | null
}

/** The operator's own sales among these baskets. Partners' bookings are left out, because customers pay the partner. */
export function listSales(sql: Queryable, accountId: number, basketIds: readonly number[]) {
  return sql<SaleRow[]>`
    select id, status, completed_at as "completedAt", payment_method as "paymentMethod",
      payment_reference as "paymentReference"
    from baskets
    where account_id = ${accountId} and id = any(${[...basketIds]}::bigint[]) and channel <> 'partner'`
}

export { listBookingsOfBaskets as listBookings }

export type LedgerPayment = MovedMoney & {
  /** Null for the first payment of an old sale, which has no row. */
  id: number | null
  basketId: number
  method: PaymentMethod
  currency: string
  reference: string | null
  madeAt: Date
  actor: Actor['kind']
  actorId: number | null
  /** For a user: the e-mail address. */
  actorName: string | null
  tillId: number | null
  /** The provider's event that reported the payment, or that made or confirmed the refund. */
  eventId: string | null
  /** For a refund: the id of the decision that was paid back. Null for a payment. */
  refundId: number | null
  /**
   * For a payment that undoes a refund marked by mistake: the id of the refund's row. Null for any other row.
   */
  undoesId: number | null
}

type TextAmount = { amount: string }

/** The payments and refunds of sales, in the order of writing. */
export async function listPaymentsOf(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<LedgerPayment[]> {
  const rows = await sql<(Omit<LedgerPayment, 'amountMinor'> & TextAmount)[]>`
    select payments.id, basket_id as "basketId", kind, method, amount_minor::text as amount, currency, reference,
      made_at as "madeAt", actor, actor_id as "actorId", users.email as "actorName", till_id as "tillId",
      event_id as "eventId", refund_id as "refundId", undoes_id as "undoesId"
    from payments
    left join users on actor = 'user' and users.account_id = ${liveAccountOf(accountId)} and users.id = actor_id
    where payments.account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
    order by payments.id`
  return rows.map(({ amount, ...row }) => ({ ...row, amountMinor: BigInt(amount) }))
}

export type LedgerRefund = DecidedRefund & {
  id: number
  basketId: number
  /** Null for overpaid money. */
  bookingId: number | null
  cause: RefundCause
  /**
   * The amount by the product's refund terms. Null without terms, and for a part that was split off another decision.
   */
  byTermsMinor: bigint | null
  /** The amount that was set off against a later balance of the sale. It is not included in `amountMinor`. */
  setOffMinor: bigint
  currency: string
  actor: Actor['kind']
  actorId: number | null
  decidedAt: Date
  doneAt: Date | null
}

/** The decisions about money of sales, in order. */
export async function listRefundsOf(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<LedgerRefund[]> {
  type TextAmounts = TextAmount & { kept: string; byTerms: string | null; setOff: string }
  type Row = Omit<LedgerRefund, 'amountMinor' | 'keptMinor' | 'byTermsMinor' | 'setOffMinor'> & TextAmounts
  const rows = await sql<Row[]>`
    select id, basket_id as "basketId", booking_id as "bookingId", cause, by_terms_minor::text as "byTerms",
      amount_minor::text as amount, kept_minor::text as kept, coalesce(set_off_minor, 0)::text as "setOff",
      currency, status, actor, actor_id as "actorId", decided_at as "decidedAt", done_at as "doneAt"
    from refunds
    where account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
    order by id`
  return rows.map(({ amount, kept, byTerms, setOff, ...row }) => ({
    ...row,
    amountMinor: BigInt(amount),
    keptMinor: BigInt(kept),
    byTermsMinor: byTerms === null ? null : BigInt(byTerms),
    setOffMinor: BigInt(setOff),
  }))
}

export type NewPayment = Omit<
  LedgerPayment,
  'id' | 'madeAt' | 'actor' | 'actorId' | 'actorName' | 'undoesId'
> & {
  actor: Actor
  undoesId?: number | null
  /** The present time, when left out. */
  madeAt?: Date
}

/** Writes payments and refunds of locked sales; returns the ids of the rows, in order. */
export async function insertPayments(
  tx: Transaction,
  accountId: number,
  payments: readonly NewPayment[],
): Promise<number[]> {
  const column = <T>(read: (payment: NewPayment) => T) => payments.map(read)
  const rows = await tx<{ id: number }[]>`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, reference, made_at, actor,
      actor_id, till_id, event_id, refund_id, undoes_id)
    select ${accountId}, basket_id, kind, method, amount, currency, reference, coalesce(made_at, app_now()), actor,
      actor_id, till_id, event_id, refund_id, undoes_id
    from unnest(
      ${column(({ basketId }) => basketId)}::bigint[], ${column(({ kind }) => kind)}::text[],
      ${column(({ method }) => method)}::text[],
      ${column(({ amountMinor }) => String(amountMinor))}::text[]::bigint[],
      ${column(({ currency }) => currency)}::text[], ${column(({ reference }) => reference)}::text[],
      ${column(({ madeAt }) => madeAt?.toISOString() ?? null)}::text[]::timestamptz[],
      ${column(({ actor }) => actor.kind)}::text[], ${column(({ actor }) => actor.id ?? null)}::bigint[],
      ${column(({ tillId }) => tillId)}::bigint[], ${column(({ eventId }) => eventId)}::text[],
      ${column(({ refundId }) => refundId)}::bigint[], ${column(({ undoesId }) => undoesId ?? null)}::bigint[]
    ) with ordinality as given (basket_id, kind, method, amount, currency, reference, made_at, actor, actor_id,
      till_id, event_id, refund_id, undoes_id, place)
    order by place
    returning id`
  return rows.map(({ id }) => id)
}

/**
 * Stores that nothing was paid when these locked sales were completed. A sale without valid bookings keeps its
 * payment method: it may have been paid before the previous version cancelled it, and no booking can be added
 * to it.
 */
export async function clearPaymentMethods(tx: Transaction, accountId: number, basketIds: readonly number[]) {
  await tx`
    update baskets set payment_method = null
    where account_id = ${accountId} and id = any(${[...basketIds]}::bigint[]) and payment_method is not null
      and exists (
        select from bookings
        where bookings.account_id = ${accountId} and bookings.basket_id = baskets.id
          and bookings.status in ('held', 'confirmed')
      )`
}
