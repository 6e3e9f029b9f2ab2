/** What a partner owes the operator for a booking. Pure. */
import { percentOf } from '../platform/text/money.ts'
import { type Bought, totalOf } from './bought.ts'

/** The terms that a booking was sold under: one of the two, or none. */
export type SoldTerms = {
  /** Hundredths of a percent of the total that the partner keeps. */
  commissionBp: number | null
  /** The net price of the first unit, as the unit price is; those of units are with them. */
  netMinor: number | null
}

/**
 * What a partner owes in minor units: the total less its commission, or the net prices of what was bought; null for a
 * booking that was sold without terms.
 */
export function owedOf(bought: Bought, { commissionBp, netMinor }: SoldTerms): bigint | null {
  if (commissionBp !== null) {
    const total = totalOf(bought)
    return total - percentOf(total, commissionBp)
  }
  if (netMinor === null) return null
  const { units, participants, pricedPerBooking } = bought
  if (pricedPerBooking) return BigInt(netMinor)
  if (!units) return BigInt(netMinor) * BigInt(participants)
  return units.reduce(
    (sum, { netMinor: net, priceMinor, quantity }) => sum + BigInt(net ?? priceMinor) * BigInt(quantity),
    0n,
  )
}
