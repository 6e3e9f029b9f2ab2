/** The possible refunds if a booking is cancelled or changed, for the page that offers it. */
import { refundOf } from '../../../inventory/refund-terms.ts'
import { type Bought, totalOf } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { type Price, toMoney } from '../../../platform/text/money.ts'
import { readSituations } from '../../ledger/deciding-refunds.ts'
import { unsettledOf } from '../../ledger/provider-model.ts'
import { listUnsettled } from '../../ledger/provider-queries.ts'
import type { RefundOptions } from '../../ledger/refund-model.ts'
import { optionsOf } from '../../ledger/refund-plan.ts'
import { listRefundTerms } from '../../ledger/refund-queries.ts'
import { readLedger } from '../../ledger/service.ts'
import { findBooking } from '../desk/queries.ts'

export type RefundPreview = {
  /**
   * The refund of a partner's booking by its terms, if it is cancelled; null without terms. The partner pays it back.
   */
  byPartner: Price | null
  /** The refunds of the operator's own sale; null unless its payments are more than its refunds. */
  own: OwnRefundPreview | null
}

export type OwnRefundPreview = {
  currency: string
  /** The payments of the whole sale, less its refunds. */
  paidMinor: bigint
  /** The amounts that a payment provider paid back for the sale without a decision of the operator. */
  undecidedMinor: readonly bigint[]
  /** Whether the sale has other valid bookings that cost something. */
  hasOthers: boolean
  /** The possible refunds if the booking is cancelled or changed now. */
  options: RefundOptions
  /** The share that the terms pay back now, in hundredths of a percent; null without terms. */
  termsBp: number | null
}

/**
 * The possible refunds if a booking is cancelled or changed now. Both fields are null unless the booking exists
 * and is confirmed.
 * @param to the purchase of the booking after the change; null if it is cancelled.
 */
export async function previewRefund(
  sql: Queryable,
  accountId: number,
  reference: string,
  to: Bought | null = null,
): Promise<RefundPreview> {
  const booking = await findBooking(sql, accountId, reference)
  if (booking?.status !== 'confirmed') return { byPartner: null, own: null }
  const [terms = null] = await listRefundTerms(sql, accountId, [booking.id])
  const { currency, channel, basketId } = booking
  const total = totalOf(booking)
  const newTotalMinor = to ? totalOf(to) : 0n
  const droppedMinor = total > newTotalMinor ? total - newTotalMinor : 0n
  if (channel === 'partner') {
    const refund = to ? null : terms && refundOf(terms.steps, droppedMinor, terms.msBefore)
    return { byPartner: refund === null ? null : toMoney(refund, currency), own: null }
  }
  const ledgers = await readLedger(sql, accountId, [basketId])
  const ledger = ledgers.get(basketId)
  const paidMinor = ledger ? ledger.paid - ledger.paidBack : 0n
  if (!ledger || paidMinor <= 0n) return { byPartner: null, own: null }
  const situation = (await readSituations(sql, accountId, ledgers)).get(basketId)!
  const options = optionsOf(situation, { droppedMinor, newTotalMinor, terms, isOperatorsOwn: false })
  const termsBp = terms && Number(refundOf(terms.steps, 10_000n, terms.msBefore))
  const undecidedMinor = await listUndecided(sql, accountId, { basketId, currency })
  const hasOthers = ledger.charged > total
  return { byPartner: null, own: { currency, paidMinor, undecidedMinor, hasOthers, options, termsBp } }
}

async function listUndecided(
  sql: Queryable,
  accountId: number,
  { basketId, currency }: { basketId: number; currency: string },
): Promise<bigint[]> {
  const unsettled = await listUnsettled(sql, accountId, [basketId])
  const own = unsettled.filter((event) => event.currency === currency)
  return own.flatMap((event) => unsettledOf(event) ?? [])
}
