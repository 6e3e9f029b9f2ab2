/** The refund of a booking and what its partner owes, as interfaces and pages show them. Pure. */
import { owedOf } from '../../inventory/partner-terms.ts'
import type { Bought, BoughtUnit } from '../../inventory/service.ts'
import { type Price, toAmount, toMoney } from '../../platform/text/money.ts'
import { toPercent } from '../../platform/text/percent.ts'
import type { SoldTermsView } from './money-schemas.ts'

/**
 * The refund of a cancelled booking. Null unless the booking was confirmed before, and either had refund
 * terms or was a sale of the operator that was paid at least in part.
 */
export function refundView({
  refundMinor,
  currency,
}: {
  refundMinor: string | null
  currency: string
}): Price | null {
  return refundMinor === null ? null : toMoney(BigInt(refundMinor), currency)
}

/**
 * What the partner owes for a booking: 0 unless it is confirmed, null if it was sold without terms. Only for the
 * operator and the partner that sold the booking.
 */
export function owedView(booking: Bought & { status: string }): Price | null {
  const owed = owedOf(booking)
  if (owed === null) return null
  return toMoney(booking.status === 'confirmed' ? owed : 0n, booking.currency)
}

/** Only for the operator: the terms of the sale, or null. */
export function soldTermsView(bought: Bought): SoldTermsView | null {
  const { commissionBp, netMinor, units, currency } = bought
  if (commissionBp !== null) return { Commission: toPercent(commissionBp) }
  if (netMinor === null) return null
  const netPrice = ({ id, netMinor: net }: Pick<BoughtUnit, 'id' | 'netMinor'>) => {
    return { UnitID: id, Amount: toAmount(net ?? netMinor, currency) }
  }
  return { NetPrices: units?.map(netPrice) ?? [netPrice({ id: 0 })] }
}
