/** What a change of a booking would pay back, for the page that asks. */
import { refundOf } from '../../../inventory/refund-terms.ts'
import { totalOf } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { type Price, toExactMinorUnits, toMoney } from '../../../platform/text/money.ts'
import { type RefundOptions, refundOptions } from '../../ledger/refund-model.ts'
import { listKept, listRefundTerms } from '../../ledger/refund-queries.ts'
import { readLedger } from '../../ledger/service.ts'
import { findBooking } from '../desk/queries.ts'

export type RefundPreview = {
  /** What a partner's booking, of which nothing was paid to the operator, would say; null without terms. */
  byPartner: Price | null
  /** Of the operator's own sale; null unless something was paid. */
  own: OwnRefundPreview | null
}

export type OwnRefundPreview = {
  currency: string
  /** What was paid of the whole sale, less what was paid back. */
  paidMinor: bigint
  /** What a provider paid back of the sale, each amount, of which no decision is known. */
  undecidedMinor: readonly bigint[]
  /** Whether the sale has other bookings that stand. */
  hasOthers: boolean
  /** If the booking is cancelled now. */
  options: RefundOptions
  /** Which part of what falls away the terms pay back now, in hundredths of a percent; null without terms. */
  termsBp: number | null
}

/** What cancelling a booking now would pay back, and by which terms. Nothing of one that is not confirmed. */
export async function previewRefund(
  sql: Queryable,
  accountId: number,
  reference: string,
): Promise<RefundPreview> {
  const booking = await findBooking(sql, accountId, reference)
  if (booking?.status !== 'confirmed') return { byPartner: null, own: null }
  const [terms = null] = await listRefundTerms(sql, accountId, [booking.id])
  const { currency, channel, basketId } = booking
  const goneMinor = totalOf(booking)
  if (channel === 'partner') {
    const refund = terms && refundOf(terms.steps, goneMinor, terms.msBefore)
    return { byPartner: refund === null ? null : toMoney(refund, currency), own: null }
  }
  const ledger = (await readLedger(sql, accountId, [basketId])).get(basketId)
  const paidMinor = ledger ? ledger.paid - ledger.paidBack : 0n
  if (!ledger || paidMinor <= 0n) return { byPartner: null, own: null }
  const about = { goneMinor, balanceMinor: ledger.balance, terms, isOperatorsOwn: false }
  const options = refundOptions(about)
  const termsBp = terms && Number(refundOf(terms.steps, 10_000n, terms.msBefore))
  const undecidedMinor = await listUndecided(sql, accountId, { basketId, currency })
  const hasOthers = ledger.charged > goneMinor
  return { byPartner: null, own: { currency, paidMinor, undecidedMinor, hasOthers, options, termsBp } }
}

async function listUndecided(
  sql: Queryable,
  accountId: number,
  { basketId, currency }: { basketId: number; currency: string },
): Promise<bigint[]> {
  const kept = await listKept(sql, accountId, [basketId])
  const own = kept.filter((event) => event.currency === currency)
  return own.flatMap(({ amount }) => toExactMinorUnits(amount, currency) ?? [])
}
