/**
 * The ledger of a sale: what it costs, what was paid and paid back, and its balance. Who changes money of a sale holds the
 * lock of its basket and has opened its ledger first. What is paid back is in refunding.ts.
 */
import { type Authorship, theService } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { LockedBasket } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { type Price, toMoney } from '../../platform/text/money.ts'
import { cashFault } from '../till/model.ts'
import { findTillFor } from '../till/queries.ts'
import { firstPaymentOf, groupByBasket, isStanding, type LedgerSums, mostMinor, sumLedger } from './model.ts'
import * as queries from './queries.ts'

export type SaleLedger = LedgerSums & {
  currency: string
  /** How many bookings of it are held or confirmed. */
  standing: number
  payments: queries.LedgerPayment[]
  refunds: queries.LedgerRefund[]
}

/**
 * The ledgers of these baskets, by id; partners' bookings have none, and neither has a basket without lines. What a sale
 * was paid when the version before completed it is the payment without an id.
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
  const bookings = groupByBasket(await queries.listBookings(sql, accountId, ids))
  // No money of any other was written down.
  const completed = sales.flatMap(({ id, status }) => (status === 'completed' ? [id] : []))
  const isAny = completed.length > 0
  const payments = groupByBasket(isAny ? await queries.listPaymentsOf(sql, accountId, completed) : [])
  const refunds = groupByBasket(isAny ? await queries.listRefundsOf(sql, accountId, completed) : [])
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
  const standing = bookings.filter(isStanding).length
  const sums = sumLedger(bookings, payments, refunds)
  const amountMinor = firstPaymentOf(sale, payments, sums)
  if (amountMinor === 0n) return { ...sums, currency, standing, payments, refunds }
  const first: queries.LedgerPayment = {
    id: null,
    ...{ basketId: sale.id, kind: 'payment', method: sale.paymentMethod!, amountMinor, currency },
    ...{ reference: sale.paymentReference, madeAt: sale.completedAt!, actor: 'service', actorId: null },
    ...{ actorName: null, tillId: null, eventId: null, refundId: null },
  }
  const all = [first, ...payments]
  return { ...sumLedger(bookings, all, refunds), currency, standing, payments: all, refunds }
}

/** What a sale still owes, and how many bookings it is for. */
export type OwedOfSale = { amount: Price; standing: number }

/** What sales still owe, by basket; those that owe nothing are missing. */
export async function listOwed(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<Map<number, OwedOfSale>> {
  const ledgers = await readLedger(sql, accountId, basketIds)
  const owing = [...ledgers].filter(([, { balance }]) => balance > 0n)
  return new Map(
    owing.map(([id, { balance, currency, standing }]) => {
      return [id, { amount: toMoney(balance, currency), standing }]
    }),
  )
}

/**
 * The ledger of a locked basket before its money changes, or the price of what it holds: call it before either. It writes
 * down what the sale was paid when the version before completed it. Null for a partner's booking.
 */
export async function openLedger(
  tx: Transaction,
  accountId: number,
  { basket }: Pick<LockedBasket, 'basket'>,
): Promise<SaleLedger | null> {
  return (await openLedgers(tx, accountId, [basket.id])).get(basket.id) ?? null
}

/** The same of many locked baskets, by id, in as many statements as of one. */
export async function openLedgers(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<Map<number, SaleLedger>> {
  const ledgers = await readLedger(tx, accountId, basketIds)
  const unwritten: queries.LedgerPayment[] = []
  // Sales that cost nothing, and maybe others that nobody completed. What is added to them later is not paid.
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
  /** The provider's event that confirmed it. */
  eventId?: string | undefined
}

/**
 * Writes down a payment of a locked sale whose ledger is open. Cash of a user goes into the till that the
 * user has open. It checks no balance: see taking.ts.
 * @throws Problem validation for an amount beyond what is kept exactly, or beyond what is taken in cash.
 */
export async function addPayment(tx: Transaction, by: Authorship, payment: TakenPayment): Promise<void> {
  const { accountId, actor } = by
  const { basketId, method, amountMinor, currency, reference, eventId = null } = payment
  if (amountMinor > mostMinor) throw problems.validation([{ field: 'Amount', message: 'is too large' }])
  checkCash(payment)
  const tillId = await findTillFor(tx, by, payment)
  const common = { basketId, method, amountMinor, currency, reference, eventId, tillId, actor }
  await queries.insertPayments(tx, accountId, [{ ...common, kind: 'payment', refundId: null }])
  const details = { Method: method, ...toMoney(amountMinor, currency) }
  await appendEvents(tx, [{ ...by, type: 'payment.taken', basketId, details }])
}

/** @throws Problem validation for more than moves in cash at once, so that the sums of tills stay exact. */
export function checkCash(moved: { method: string; amountMinor: bigint; currency: string }): void {
  const message = cashFault(moved)
  if (message) throw problems.validation([{ field: 'Amount', message }])
}
