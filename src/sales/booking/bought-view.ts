/** What a booking has bought, as every interface and page shows it. Pure. */
import { type Bought, totalOf } from '../../inventory/service.ts'
import { toMoney } from '../../platform/text/money.ts'
import { implicitUnit, toBoughtUnit } from './pricing.ts'
import type { BoughtView } from './schemas.ts'

/** How many people, which units at which price, and what all of it costs. */
export function boughtView(bought: Bought): BoughtView {
  const { participants, unitPriceMinor, currency, pricedPerBooking } = bought
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
    Total: toMoney(totalOf(bought), currency),
  }
}
