/**
 * Decides about refunds. When bookings become cheaper or are cancelled, it decides how much of the difference
 * is paid back: the amount by the refund terms, all, a part or nothing. When the sale later owes money, it
 * decides how much of the due refunds is set off. The service itself does not transfer money.
 */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import type { Basket } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import type { RefundPart } from './matching.ts'
import { unsettledOf } from './provider-model.ts'
import { listUnsettled, type UnsettledEvent } from './provider-queries.ts'
import type { LedgerRefund } from './queries.ts'
import { overpaidOptions, partsSetOff, type TermsNow, undecidedForDrop } from './refund-model.ts'
import {
  amountsOf,
  isOwnSale,
  type PriceDrop,
  planOf,
  type RefundInstruction,
  type RefundPlan,
  type SaleSituation,
  toChoice,
} from './refund-plan.ts'
import { insertRefunds, listRefundTerms, type NewRefund, updateSetOff } from './refund-queries.ts'
import type { RefundChoiceRequest } from './refund-schemas.ts'
import { openLedgers, readLedger, type SaleLedger } from './service.ts'
import { settleUnsettled } from './settling.ts'

/**
 * Computes, from the present ledgers of the sales, the refunds that a change of prices causes. It locks and
 * writes nothing.
 * @throws as planOf().
 */
export async function planRefunds(
  sql: Queryable,
  accountId: number,
  drops: readonly PriceDrop[],
  order: RefundInstruction,
): Promise<RefundPlan> {
  const ledgers = await readLedger(sql, accountId, basketsOf(drops))
  return planOf(
    drops,
    order,
    await readSituations(sql, accountId, ledgers),
    await readTerms(sql, accountId, drops),
  )
}

/** The data that storeRefunds() writes after the bookings are changed. */
export type RefundsToStore = {
  refunds: readonly NewRefund[]
  /** The basket ids of the sales of which a provider paid back more than was decided. */
  undecided: readonly number[]
}

/** A plan of refunds with the data for storeRefunds(), and the ledgers of the sales before the change. */
export type DecidedRefunds = RefundPlan & RefundsToStore & { ledgers: ReadonlyMap<number, SaleLedger> }

/**
 * Opens the ledgers of the sales, and decides about the refunds of a change. The caller has locked the
 * baskets of the sales. It calls this function before it changes the bookings, and storeRefunds() after that.
 * @throws as planOf().
 */
export async function decideRefunds(
  tx: Transaction,
  accountId: number,
  drops: readonly PriceDrop[],
  order: RefundInstruction,
): Promise<DecidedRefunds> {
  const ledgers = await openSettled(tx, accountId, basketsOf(drops))
  const situations = await readSituations(tx, accountId, ledgers)
  const undecided = [...situations].flatMap(([id, { undecidedMinor }]) => (undecidedMinor > 0n ? [id] : []))
  const terms = await readTerms(tx, accountId, drops)
  return { ...planOf(drops, order, situations, terms), undecided, ledgers }
}

/**
 * Settles the unsettled events of locked sales, and returns their ledgers by basket id. The previous version
 * leaves partial refunds unsettled. Without this step, money that is already paid back would be set off or
 * decided about a second time.
 */
async function openSettled(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<Map<number, SaleLedger>> {
  const ledgers = await openLedgers(tx, accountId, basketIds)
  if (ledgers.size === 0 || !(await settleUnsettled(tx, accountId, [...ledgers.keys()]))) return ledgers
  return readLedger(tx, accountId, basketIds)
}

/**
 * Writes the decisions about locked sales, and the events of due refunds; returns the ids of the decisions.
 * Refunds that a provider has already made are marked as done at once.
 */
export async function storeRefunds(
  tx: Transaction,
  by: Authorship,
  { refunds, undecided }: RefundsToStore,
): Promise<number[]> {
  const ids = refunds.length > 0 ? await insertRefunds(tx, by, refunds) : []
  const events = refunds.flatMap(({ basketId, cause, amountMinor, currency }, index) => {
    if (amountMinor === 0n) return []
    const details = { Reason: cause, RefundID: ids[index]!, ...toMoney(amountMinor, currency) }
    return [{ ...by, type: 'refund.due' as const, basketId, details }]
  })
  await appendEvents(tx, events)
  // This is needed even without a new decision. The valid bookings now cost less, so a larger part of the
  // provider's refund may have to come from kept money.
  if (undecided.length > 0) await settleUnsettled(tx, by.accountId, undecided)
  return ids
}

export type SetOff = RefundPart<LedgerRefund>[]

/**
 * How much of the due refunds is set off when the total of a sale grows by an amount: at most the balance
 * after the growth.
 */
export function planSetOff({ balance, refunds }: SaleLedger, moreMinor: bigint): SetOff {
  const due = refunds.filter(({ status }) => status === 'due')
  return moreMinor > 0n ? partsSetOff(due, balance + moreMinor) : []
}

/** Sets off amounts of due refunds of a locked sale, with an event for each. */
export async function storeSetOff(tx: Transaction, by: Authorship, setOff: SetOff): Promise<void> {
  if (setOff.length === 0) return
  const parts = setOff.map(({ refund: { id }, partMinor }) => ({ id, partMinor }))
  await updateSetOff(tx, by.accountId, parts)
  await appendEvents(
    tx,
    setOff.map(({ refund: { id, basketId, currency }, partMinor }) => {
      const details = { RefundID: id, ...toMoney(partMinor, currency) }
      return { ...by, type: 'refund.set-off' as const, basketId, details }
    }),
  )
}

/**
 * Decides about overpaid money of a locked sale; returns the id of the decision.
 * @throws Problem nothing-overpaid; validation as amountsOf() and toChoice(), for example if the refund is
 *   more than the overpaid amount.
 */
export async function decideOverpaid(
  tx: Transaction,
  by: Authorship,
  basket: Basket,
  request: RefundChoiceRequest | undefined,
): Promise<number> {
  const ledger = (await openSettled(tx, by.accountId, [basket.id])).get(basket.id)
  if (!ledger || ledger.balance >= 0n) throw moneyProblems.nothingOverpaid()
  const { currency, balance, charged } = ledger
  const undecidedMinor = await findUndecided(tx, by.accountId, { basketId: basket.id, currency })
  const options = overpaidOptions(balance, undecidedForDrop(undecidedMinor, charged))
  const amounts = amountsOf(options, toChoice(request, currency), currency)
  const refund = { basketId: basket.id, bookingId: null, cause: 'overpaid' as const, byTermsMinor: null }
  const undecided = undecidedMinor > 0n ? [basket.id] : []
  const [id] = await storeRefunds(tx, by, { refunds: [{ ...refund, ...amounts, currency }], undecided })
  return id!
}

function basketsOf(drops: readonly PriceDrop[]): number[] {
  return [...new Set(drops.filter(isOwnSale).map(({ booking }) => booking.basketId))]
}

async function readTerms(sql: Queryable, accountId: number, drops: readonly PriceDrop[]) {
  const ids = drops
    .filter(({ booking: { status } }) => status === 'confirmed')
    .map(({ booking }) => booking.id)
  const rows = ids.length > 0 ? await listRefundTerms(sql, accountId, ids) : []
  return new Map<number, TermsNow>(rows.map(({ bookingId, ...terms }) => [bookingId, terms]))
}

/**
 * The situation of each sale, by basket id. The unsettled events of a provider may be for due or set-off
 * refunds, so only the amount above these is undecided.
 */
export async function readSituations(
  sql: Queryable,
  accountId: number,
  ledgers: ReadonlyMap<number, SaleLedger>,
): Promise<Map<number, SaleSituation>> {
  const unsettled = ledgers.size > 0 ? await listUnsettled(sql, accountId, [...ledgers.keys()]) : []
  return new Map(
    [...ledgers].map(([id, { balance, charged, currency, due, refunds }]) => {
      const own = unsettled.filter(({ basketId }) => basketId === id)
      const decidedMinor = refunds.reduce((sum, { setOffMinor }) => sum + setOffMinor, due)
      const over = sumUnsettled(own, currency) - decidedMinor
      return [id, { balanceMinor: balance, chargedMinor: charged, undecidedMinor: over > 0n ? over : 0n }]
    }),
  )
}

/** The amount of a sale that a provider paid back and that no decision covers. */
async function findUndecided(
  sql: Queryable,
  accountId: number,
  { basketId, currency }: { basketId: number; currency: string },
): Promise<bigint> {
  return sumUnsettled(await listUnsettled(sql, accountId, [basketId]), currency)
}

function sumUnsettled(unsettled: readonly UnsettledEvent[], currency: string): bigint {
  const own = unsettled.filter((event) => event.currency === currency)
  return own.reduce((sum, event) => sum + (unsettledOf(event) ?? 0n), 0n)
}
