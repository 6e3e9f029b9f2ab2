/** The price of each item of a booking. Pure. */
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import type { Bought } from '../../inventory/service.ts'
import { percentOf } from '../../platform/text/money.ts'
import { type OctoPricing, pricingOf } from '../pricing.ts'

type Sold = { priceMinor: number; netMinor: number | null }

/**
 * The price of each item, in order. If units of one kind were bought at different prices, each price is given
 * to as many items as there are units with that price. If the price is for the whole booking, each item has
 * the price 0.
 */
export function itemPrices(bought: Bought, items: readonly { unitId: number }[]): OctoPricing[] {
  const left = new Map<number, Sold[]>()
  for (const { id, quantity, ...sold } of soldUnits(bought)) {
    const prices = left.get(id) ?? []
    left.set(id, prices)
    for (let count = 0; count < quantity; count++) prices.push(sold)
  }
  return items.map(({ unitId }) => {
    const { priceMinor, netMinor } = left.get(unitId)?.shift() ?? { priceMinor: 0, netMinor: null }
    return pricingOf({ retailMinor: priceMinor, netMinor, currency: bought.currency })
  })
}

function soldUnits(bought: Bought): (Sold & { id: number; quantity: number })[] {
  const { units, participants, unitPriceMinor, netMinor, commissionBp, pricedPerBooking } = bought
  const owed = (priceMinor: number, net: number | null) => {
    if (commissionBp === null) return net
    return priceMinor - Number(percentOf(BigInt(priceMinor), commissionBp))
  }
  if (pricedPerBooking) {
    const isOwed = commissionBp !== null || netMinor !== null
    return [{ id: defaultUnitAlias, quantity: participants, priceMinor: 0, netMinor: isOwed ? 0 : null }]
  }
  const plain = {
    id: defaultUnitAlias,
    quantity: participants,
    priceMinor: unitPriceMinor,
    netMinor: netMinor ?? undefined,
  }
  return (units ?? [plain]).map(({ id, quantity, priceMinor, netMinor: net }) => {
    return {
      id,
      quantity,
      priceMinor,
      netMinor: owed(priceMinor, netMinor === null ? null : (net ?? priceMinor)),
    }
  })
}
