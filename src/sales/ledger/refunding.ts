/**
 * Decides what is paid back of bookings that become cheaper: by their terms, all, a part or nothing; and what of that is set
 * off when a sale owes again. The service itself pays nothing back.
 */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import type { Basket } from '../../inventory/service.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import type { RefundPart } from './matching.ts'
import { leftOf } from './provider-model.ts'
import { listUnsettled, type UnsettledEvent } from './provider-queries.ts'
import type { LedgerRefund } from './queries.ts'
import { backOf, overpaidOptions, partsSetOff, type TermsNow } from './refund-model.ts'
import {
  amountsOf,
  isOwnSale,
  type PriceDrop,
  planOf,
  type RefundOrder,
  type RefundPlan,
  type SaleSituation,
  toChoice,
} from './refund-plan.ts'
import { insertRefunds, listRefundTerms, type NewRefund, updateSetOff } from './refund-queries.ts'
import type { RefundChoiceRequest } from './refund-schemas.ts'
import { openLedgers, readLedger, type SaleLedger } from './service.ts'
import { settleUnsettled } from './settling.ts'

/**
 * What a change of prices would come to, as the ledgers of the sales are.
 * @throws as planOf().
 */
export async function planRefunds(
  sql: Queryable,
  accountId: number,
  drops: readonly PriceDrop[],
  order: RefundOrder,
): Promise<RefundPlan> {
  const ledgers = await readLedger(sql, accountId, basketsOf(drops))
  return planOf(
    drops,
    order,
    await readSituations(sql, accountId, ledgers),
    await readTerms(sql, accountId, drops),
  )
}

/** What is to be written down once the bookings are changed. */
export type RefundsToKeep = {
  refunds: readonly NewRefund[]
  /** The sales of which a provider has paid back something that belongs to nothing yet. */
  undecided: readonly number[]
}

/** With the ledgers of the sales as they were before. */
export type DecidedRefunds = RefundPlan & RefundsToKeep & { ledgers: ReadonlyMap<number, SaleLedger> }

/**
 * Decides, under the locks of the sales' baskets and before the bookings change; keepRefunds() writes it down afterwards. It
 * opens the ledgers of the sales.
 * @throws as planOf().
 */
export async function decideRefunds(
  tx: Transaction,
  accountId: number,
  drops: readonly PriceDrop[],
  order: RefundOrder,
): Promise<DecidedRefunds> {
  const ledgers = await openSettled(tx, accountId, basketsOf(drops))
  const situations = await readSituations(tx, accountId, ledgers)
  const undecided = [...situations].flatMap(([id, { undecidedMinor }]) => (undecidedMinor > 0n ? [id] : []))
  const terms = await readTerms(tx, accountId, drops)
  return { ...planOf(drops, order, situations, terms), undecided, ledgers }
}

/**
 * The ledgers of locked sales, by id, once their unsettled events are matched: the version before keeps those of
 * parts also where they are of what is due. What is paid back already is then neither set off nor decided about again.
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
 * Writes down what was decided about locked sales, with the events of what is to be paid back; gives the ids. What a
 * provider paid back before is done at once.
 */
export async function keepRefunds(
  tx: Transaction,
  by: Authorship,
  { refunds, undecided }: RefundsToKeep,
): Promise<number[]> {
  const ids = refunds.length > 0 ? await insertRefunds(tx, by, refunds) : []
  const events = refunds.flatMap(({ basketId, cause, amountMinor, currency }, index) => {
    if (amountMinor === 0n) return []
    const details = { Reason: cause, RefundID: ids[index]!, ...toMoney(amountMinor, currency) }
    return [{ ...by, type: 'refund.due' as const, basketId, details }]
  })
  await appendEvents(tx, events)
  // Also where nothing was decided: while its bookings stood, what was paid back may have been for these.
  if (undecided.length > 0) await settleUnsettled(tx, by.accountId, undecided)
  return ids
}

export type SetOff = RefundPart<LedgerRefund>[]

/** What of refunds that are due is set off when a sale with this ledger comes to cost so much more: as far as it owes then. */
export function planSetOff({ balance, refunds }: SaleLedger, moreMinor: bigint): SetOff {
  const due = refunds.filter(({ status }) => status === 'due')
  return moreMinor > 0n ? partsSetOff(due, balance + moreMinor) : []
}

/** Takes what is set off from the refunds of a locked sale that are due, with an event of each. */
export async function keepSetOff(tx: Transaction, by: Authorship, setOff: SetOff): Promise<void> {
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
 * Decides about what was paid too much of a locked sale; gives the id of the decision.
 * @throws Problem nothing-overpaid; validation for more than that.
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
  const options = overpaidOptions(balance, backOf(undecidedMinor, charged))
  const amounts = amountsOf(options, toChoice(request, currency), currency)
  const refund = { basketId: basket.id, bookingId: null, cause: 'overpaid' as const, byTermsMinor: null }
  const undecided = undecidedMinor > 0n ? [basket.id] : []
  const [id] = await keepRefunds(tx, by, { refunds: [{ ...refund, ...amounts, currency }], undecided })
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

/** What is known of the money of these sales. What is due or was set off is what unsettled events are of first: see openSettled(). */
export async function readSituations(
  sql: Queryable,
  accountId: number,
  ledgers: ReadonlyMap<number, SaleLedger>,
): Promise<Map<number, SaleSituation>> {
  const unsettled = ledgers.size > 0 ? await listUnsettled(sql, accountId, [...ledgers.keys()]) : []
  return new Map(
    [...ledgers].map(([id, { balance, charged, currency, due, refunds }]) => {
      const own = unsettled.filter(({ basketId }) => basketId === id)
      const asked = refunds.reduce((sum, { setOffMinor }) => sum + setOffMinor, due)
      const over = sumUnsettled(own, currency) - asked
      return [id, { balanceMinor: balance, chargedMinor: charged, undecidedMinor: over > 0n ? over : 0n }]
    }),
  )
}

/** What a provider paid back of a sale without a decision. */
async function findUndecided(
  sql: Queryable,
  accountId: number,
  { basketId, currency }: { basketId: number; currency: string },
): Promise<bigint> {
  return sumUnsettled(await listUnsettled(sql, accountId, [basketId]), currency)
}

function sumUnsettled(unsettled: readonly UnsettledEvent[], currency: string): bigint {
  const own = unsettled.filter((event) => event.currency === currency)
  return own.reduce((sum, event) => sum + (leftOf(event) ?? 0n), 0n)
}
