/**
 * Pure rules of the ledger of a sale: the total of the bookings, the payments, the refunds and the balance.
 */
import type { BookingStatus } from '../../inventory/model.ts'
import { type Bought, totalOf } from '../../inventory/service.ts'

/** The largest bigint of PostgreSQL. */
export const maxMinor = 2n ** 63n - 1n

/** A payment to the operator, or a refund to the customer. */
export type MovedMoney = {
  kind: 'payment' | 'refund'
  amountMinor: bigint
  /** For a payment that undoes a refund: the id of the refund's row in `payments`. */
  undoesId?: number | null
}

/** A decision about paid money that no longer buys anything: one part is paid back, the other is kept. */
export type DecidedRefund = { status: 'due' | 'done' | 'none'; amountMinor: bigint; keptMinor: bigint }

export type LedgerSums = {
  /** The total of the valid bookings, which are the held and confirmed ones. */
  charged: bigint
  /** The amount that the operator keeps of cancelled or cheaper bookings, and of overpaid money. */
  kept: bigint
  paid: bigint
  paidBack: bigint
  /** The refunds that are due. */
  due: bigint
  /**
   * Above 0: the customer owes this amount. Below 0: the sale is overpaid by it, and nobody has decided about that
   * money.
   */
  balance: bigint
}

export function sumLedger(
  bookings: readonly (Bought & { status: BookingStatus })[],
  moved: readonly MovedMoney[],
  refunds: readonly DecidedRefund[],
): LedgerSums {
  const charged = sumOf(bookings.filter(isHeldOrConfirmed), totalOf)
  const kept = sumOf(refunds, ({ keptMinor }) => keptMinor)
  const isUndo = ({ undoesId = null }: MovedMoney) => undoesId !== null
  const paid = sumOf(
    moved.filter((one) => one.kind === 'payment' && !isUndo(one)),
    amountOf,
  )
  const refunded = sumOf(
    moved.filter(({ kind }) => kind === 'refund'),
    amountOf,
  )
  const paidBack = refunded - sumOf(moved.filter(isUndo), amountOf)
  const due = sumOf(
    refunds.filter(({ status }) => status === 'due'),
    amountOf,
  )
  return { charged, kept, paid, paidBack, due, balance: charged + kept - paid + paidBack + due }
}

export function isHeldOrConfirmed({ status }: { status: BookingStatus }): boolean {
  return status === 'held' || status === 'confirmed'
}

function amountOf({ amountMinor }: { amountMinor: bigint }): bigint {
  return amountMinor
}

export function sumOf<T>(items: readonly T[], read: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + read(item), 0n)
}

/** The data of a sale from which firstPaymentOf() computes its first payment. */
export type CompletedSale = { status: string; paymentMethod: string | null }

/**
 * The amount of the payment with which the previous version completed a sale without writing a row for it:
 * the balance without that payment, because the previous version accepted only the full total. 0 for any
 * other sale. A sale that was completed without a payment has no payment method.
 * @param sums the sums without that payment.
 */
export function firstPaymentOf(
  { status, paymentMethod }: CompletedSale,
  moved: readonly MovedMoney[],
  sums: LedgerSums,
): bigint {
  const isWritten = moved.some(({ kind, undoesId = null }) => kind === 'payment' && undoesId === null)
  if (status !== 'completed' || paymentMethod === null || isWritten) return 0n
  return sums.balance > 0n ? sums.balance : 0n
}

/** The payments and refunds without undone refunds and without the payments that undo them. */
export function withoutUndone<T extends { id: number | null; undoesId: number | null }>(
  moved: readonly T[],
): T[] {
  const undone = new Set(moved.map(({ undoesId }) => undoesId))
  return moved.filter(({ id, undoesId }) => undoesId === null && (id === null || !undone.has(id)))
}

/**
 * The rows of the decision to which the row with this id belongs, in order: the decision, and each part of it
 * that was paid back separately. A part has no link to its decision, but the same sale, booking, cause and
 * time. A row with the cause `provider` is always a decision of its own, because one event may take kept
 * money from several decisions about a booking at the same time.
 */
export function rowsOfDecision<T extends DecisionRow>(refunds: readonly T[], id: number): T[] {
  const one = refunds.find((refund) => refund.id === id)
  if (one?.cause === 'provider') return [one]
  return refunds.filter(
    ({ bookingId, cause, decidedAt }) =>
      bookingId === one?.bookingId && cause === one.cause && decidedAt.getTime() === one.decidedAt.getTime(),
  )
}

type DecisionRow = { id: number; bookingId: number | null; cause: string; decidedAt: Date }

/**
 * How much of the kept money is not covered by later payments. The sale owed nothing right after a decision,
 * so every payment after it is for a price that rose again.
 * @param moved payments and refunds from withoutUndone(): a row that undoes a refund is not a payment here.
 */
export function keptUnpaid(
  decisions: readonly { keptMinor: bigint; decidedAt: Date }[],
  moved: readonly (MovedMoney & { madeAt: Date })[],
): bigint {
  const kept = decisions.map(({ keptMinor, decidedAt }) => ({ at: decidedAt.getTime(), minor: keptMinor }))
  const paid = moved
    .filter(({ kind }) => kind === 'payment')
    .map(({ amountMinor, madeAt }) => ({ at: madeAt.getTime(), minor: -amountMinor }))
  // The sort is stable: of a payment and a decision at the same instant, the payment comes first.
  const inOrder = [...paid, ...kept].sort((one, other) => one.at - other.at)
  return inOrder.reduce((left, { minor }) => (left + minor > 0n ? left + minor : 0n), 0n)
}
