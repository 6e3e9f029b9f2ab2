/** What is paid back of a booking and what its partner owes, as interfaces and pages show them. Pure. */
import { owedOf } from '../../inventory/partner-terms.ts'
import type { Bought, BoughtUnit } from '../../inventory/service.ts'
import { type Price, toAmount, toMoney } from '../../platform/text/money.ts'
import { toPercent } from '../../platform/text/percent.ts'
import type { SoldTermsView } from './money-schemas.ts'

/** Null for a booking that was not cancelled while it was confirmed, or whose product had no refund terms. */
export function refundView({
  refundMinor,
  currency,
}: {
  refundMinor: string | null
  currency: string
}): Price | null {
  return refundMinor === null ? null : toMoney(BigInt(refundMinor), currency)
}

/** For the operator and for the partner that sold it only. Null for a booking that was sold without terms. */
export function owedView(bought: Bought): Price | null {
  const owed = owedOf(bought)
  return owed === null ? null : toMoney(owed, bought.currency)
}

/** For the operator alone: the terms that a booking was sold under, or null. */
export function soldTermsView(bought: Bought): SoldTermsView | null {
  const { commissionBp, netMinor, units, currency } = bought
  if (commissionBp !== null) return { Commission: toPercent(commissionBp) }
  if (netMinor === null) return null
  const netPrice = ({ id, netMinor: net }: Pick<BoughtUnit, 'id' | 'netMinor'>) => {
    return { UnitID: id, Amount: toAmount(net ?? netMinor, currency) }
  }
  return { NetPrices: units?.map(netPrice) ?? [netPrice({ id: 0 })] }
}
