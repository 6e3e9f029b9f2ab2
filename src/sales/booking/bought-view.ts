/** What a booking has bought, as every interface and page shows it. Pure. */
import { type Bought, totalOf } from '../../inventory/service.ts'
import { toMoney } from '../../platform/text/money.ts'
import { implicitUnit, toBoughtUnit } from './pricing.ts'
import type { BoughtView } from './schemas.ts'

/** `2 × Adult, 1 × Child`, whatever each cost. */
export function unitsText(units: BoughtView['Units']): string {
  const counts = new Map<string, number>()
  for (const { Name, Quantity } of units) counts.set(Name, (counts.get(Name) ?? 0) + Quantity)
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ')
}

/** How many people, which units at which price, and what all of it costs. */
export function boughtView(bought: Bought): BoughtView {
  const { participants, unitPriceMinor, currency, pricedPerBooking, discountMinor } = bought
  const units = bought.units ?? [toBoughtUnit({ unit: implicitUnit(unitPriceMinor), quantity: participants })]
  return {
    Participants: participants,
    Units: units.map(({ id, name, type, quantity, priceMinor }) => ({
      UnitID: id,
      Name: name,
      Type: type,
      Quantity: quantity,
      ...(!pricedPerBooking && { UnitPrice: toMoney(priceMinor, currency) }),
    })),
    ...(discountMinor > 0 && { Discount: toMoney(discountMinor, currency) }),
    Total: toMoney(totalOf(bought), currency),
  }
}

/** What the till took off bookings together, in one currency; nothing where it took off nothing. */
export function reductionView(
  bookings: readonly { reductionMinor: number | null; reductionReason: string | null; currency: string }[],
) {
  const [first, ...others] = bookings.filter(({ reductionMinor }) => reductionMinor !== null)
  if (!first) return {}
  const minor = others.reduce(
    (sum, other) => sum + BigInt(other.reductionMinor!),
    BigInt(first.reductionMinor!),
  )
  return { Reduction: { ...toMoney(minor, first.currency), Reason: first.reductionReason } }
}
