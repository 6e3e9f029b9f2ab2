/** Pure rules of the ledger of a sale: what its bookings cost, what was paid and paid back, and what stays to be paid. */
import type { BookingStatus } from '../../inventory/model.ts'
import { type Bought, totalOf } from '../../inventory/service.ts'

/** Of PostgreSQL's bigint. */
export const mostMinor = 2n ** 63n - 1n

/** Money of a sale that moved: to the operator, or back to the customer. */
export type MovedMoney = { kind: 'payment' | 'refund'; amountMinor: bigint }

/** A decision about money of a sale: so much is paid back, and so much is kept although no booking stands for it. */
export type DecidedRefund = { status: 'due' | 'done' | 'none'; amountMinor: bigint; keptMinor: bigint }

export type LedgerSums = {
  /** What the standing bookings cost. */
  charged: bigint
  /** What the operator keeps for bookings that stand no more. */
  kept: bigint
  paid: bigint
  paidBack: bigint
  /** What was decided to be paid back, and is not yet. */
  due: bigint
  /** Above 0 the customer owes it; below 0 so much was paid too much, and nothing is decided about it. */
  balance: bigint
}

export function sumLedger(
  bookings: readonly (Bought & { status: BookingStatus })[],
  moved: readonly MovedMoney[],
  refunds: readonly DecidedRefund[],
): LedgerSums {
  const charged = sumOf(bookings.filter(isStanding), totalOf)
  const kept = sumOf(refunds, ({ keptMinor }) => keptMinor)
  const paid = sumOf(
    moved.filter(({ kind }) => kind === 'payment'),
    amountOf,
  )
  const paidBack = sumOf(
    moved.filter(({ kind }) => kind === 'refund'),
    amountOf,
  )
  const due = sumOf(
    refunds.filter(({ status }) => status === 'due'),
    amountOf,
  )
  return { charged, kept, paid, paidBack, due, balance: charged + kept - paid + paidBack + due }
}

export function isStanding({ status }: { status: BookingStatus }): boolean {
  return status === 'held' || status === 'confirmed'
}

function amountOf({ amountMinor }: { amountMinor: bigint }): bigint {
  return amountMinor
}

export function sumOf<T>(items: readonly T[], read: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + read(item), 0n)
}

/** A sale as far as its first payment goes. */
export type CompletedSale = { status: string; paymentMethod: string | null }

/**
 * What a sale was paid when it was completed, if no payment of it was written down: all that it costs, since the version
 * before took nothing less. A sale that was completed without a payment has no method.
 * @param sums those without that payment.
 */
export function firstPaymentOf(
  { status, paymentMethod }: CompletedSale,
  moved: readonly MovedMoney[],
  sums: LedgerSums,
): bigint {
  const isWritten = moved.some(({ kind }) => kind === 'payment')
  if (status !== 'completed' || paymentMethod === null || isWritten) return 0n
  return sums.balance > 0n ? sums.balance : 0n
}

export function groupByBasket<T extends { basketId: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.basketId)
    if (group) group.push(row)
    else groups.set(row.basketId, [row])
  }
  return groups
}
