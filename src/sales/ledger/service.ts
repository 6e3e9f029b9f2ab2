/**
 * The ledger of a sale: its total, payments, refunds and balance. A change of money first locks the basket of the
 * sale and opens its ledger. deciding-refunds.ts decides about refunds.
 */
import { type Authorship, theService } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { LockedBasket } from '../../inventory/service.ts'
import { groupBy } from '../../platform/collections/group-by.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { type Price, toMoney } from '../../platform/text/money.ts'
import { cashFault } from '../till/model.ts'
import { findTillFor } from '../till/queries.ts'
import { firstPaymentOf, isHeldOrConfirmed, type LedgerSums, maxMinor, sumLedger } from './model.ts'
import * as queries from './queries.ts'

export type SaleLedger = LedgerSums & {
  currency: string
  /** The number of held and confirmed bookings of the sale. */
  activeBookings: number
  payments: queries.LedgerPayment[]
  refunds: queries.LedgerRefund[]
}

/**
 * The ledgers of these baskets, by id. Partners' bookings and baskets without lines have none. If the
 * previous version completed a sale, the payment has no row and its `id` is null until openLedger() writes
 * it.
 */
export async function readLedger(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<Map<number, SaleLedger>> {
  if (basketIds.length === 0) return new Map()
  const sales = await queries.listSales(sql, accountId, basketIds)
  const ids = sales.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const bookings = groupBy(await queries.listBookings(sql, accountId, ids), 'basketId')
  // Sales that are not completed have no payments and no refunds.
  const completed = sales.flatMap(({ id, status }) => (status === 'completed' ? [id] : []))
  const isAny = completed.length > 0
  const payments = groupBy(isAny ? await queries.listPaymentsOf(sql, accountId, completed) : [], 'basketId')
  const refunds = groupBy(isAny ? await queries.listRefundsOf(sql, accountId, completed) : [], 'basketId')
  return new Map(
    sales.flatMap((sale) => {
      const bought = bookings.get(sale.id)
      if (!bought) return []
      const paid = payments.get(sale.id) ?? []
      return [[sale.id, toLedger(sale, bought, paid, refunds.get(sale.id) ?? [])] as const]
    }),
  )
}

function toLedger(
  sale: queries.SaleRow,
  bookings: LockedBasket['lines'],
  payments: queries.LedgerPayment[],
  refunds: queries.LedgerRefund[],
): SaleLedger {
  const { currency } = bookings[0]!
  const activeBookings = bookings.filter(isHeldOrConfirmed).length
  const sums = sumLedger(bookings, payments, refunds)
  const amountMinor = firstPaymentOf(sale, payments, sums)
  if (amountMinor === 0n) return { ...sums, currency, activeBookings, payments, refunds }
  const first: queries.LedgerPayment = {
    id: null,
    ...{ basketId: sale.id, kind: 'payment', method: sale.paymentMethod!, amountMinor, currency },
    ...{ reference: sale.paymentReference, madeAt: sale.completedAt!, actor: 'service', actorId: null },
    ...{ actorName: null, tillId: null, eventId: null, refundId: null, undoesId: null },
  }
  const all = [first, ...payments]
  return { ...sumLedger(bookings, all, refunds), currency, activeBookings, payments: all, refunds }
}

/** The balance of a sale, and the number of its held and confirmed bookings. */
export type OwedOfSale = { amount: Price; activeBookings: number }

/** The balance of a sale that owes something; null for any other. */
export function owedOf({ balance, currency, activeBookings }: SaleLedger): OwedOfSale | null {
  return balance > 0n ? { amount: toMoney(balance, currency), activeBookings } : null
}

/** The balances of sales that owe something, by basket. */
export async function listOwed(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<Map<number, OwedOfSale>> {
  const ledgers = await readLedger(sql, accountId, basketIds)
  return new Map(
    [...ledgers].flatMap(([id, ledger]) => {
      const owed = owedOf(ledger)
      return owed ? [[id, owed] as const] : []
    }),
  )
}

/**
 * Opens the ledger of a locked basket. Call this before the money or the prices of the sale change. It writes
 * the payment of a sale that the previous version completed, and clears the payment method of a sale without
 * a payment. Null for a partner's booking and for a basket without lines.
 */
export async function openLedger(
  tx: Transaction,
  accountId: number,
  { basket }: Pick<LockedBasket, 'basket'>,
): Promise<SaleLedger | null> {
  return (await openLedgers(tx, accountId, [basket.id])).get(basket.id) ?? null
}

/**
 * Like openLedger(), for many locked baskets with the same number of statements. Returns the ledgers by
 * basket id.
 */
export async function openLedgers(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<Map<number, SaleLedger>> {
  const ledgers = await readLedger(tx, accountId, basketIds)
  const unwritten: queries.LedgerPayment[] = []
  // Sales without a payment: their price is 0, they are paid later, or they are not completed. Their payment
  // method is cleared: otherwise firstPaymentOf() would treat a later addition as paid.
  const unpaid: number[] = []
  for (const [id, { payments }] of ledgers) {
    const first = payments.find((payment) => payment.id === null)
    if (first) unwritten.push(first)
    else if (!payments.some(({ kind }) => kind === 'payment')) unpaid.push(id)
  }
  if (unpaid.length > 0) await queries.clearPaymentMethods(tx, accountId, unpaid)
  if (unwritten.length === 0) return ledgers
  const ids = await queries.insertPayments(
    tx,
    accountId,
    unwritten.map((first) => ({ ...first, actor: theService })),
  )
  for (const [index, first] of unwritten.entries()) {
    const ledger = ledgers.get(first.basketId)!
    const payments = ledger.payments.map((payment) =>
      payment === first ? { ...payment, id: ids[index]! } : payment,
    )
    ledgers.set(first.basketId, { ...ledger, payments })
  }
  return ledgers
}

export type TakenPayment = {
  basketId: number
  method: queries.PaymentMethod
  /** Above 0. */
  amountMinor: bigint
  currency: string
  reference: string | null
  /** The provider's event that reported the payment. */
  eventId?: string | undefined
}

/**
 * Writes a payment of a locked sale whose ledger is open. Cash that a user takes goes into the user's open till.
 * The caller checks that the sale owes the amount.
 * @throws Problem validation for an amount that is too large to store exactly, or above the limit of cash.
 */
export async function addPayment(tx: Transaction, by: Authorship, payment: TakenPayment): Promise<void> {
  const { accountId, actor } = by
  const { basketId, method, amountMinor, currency, reference, eventId = null } = payment
  if (amountMinor > maxMinor) throw problems.validation([{ field: 'Amount', message: 'is too large' }])
  checkCash(payment)
  const tillId = await findTillFor(tx, by, payment)
  const common = { basketId, method, amountMinor, currency, reference, eventId, tillId, actor }
  await queries.insertPayments(tx, accountId, [{ ...common, kind: 'payment', refundId: null }])
  const details = { Method: method, ...toMoney(amountMinor, currency) }
  await appendEvents(tx, [{ ...by, type: 'payment.taken', basketId, details }])
}

/** @throws Problem validation for more cash than the limit, which keeps the sums of tills exact. */
export function checkCash(moved: { method: string; amountMinor: bigint; currency: string }): void {
  const message = cashFault(moved)
  if (message) throw problems.validation([{ field: 'Amount', message }])
}
