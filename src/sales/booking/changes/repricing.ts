/** What a booking has bought once its party changed: what it keeps costs what it did, what is added costs today's price. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { atNetPrices, type TermsInForce } from '../../../inventory/partner-terms.ts'
import { defaultUnit, type PriceList } from '../../../inventory/price-list.ts'
import { type Bought, type BoughtUnit, priceOf } from '../../../inventory/service.ts'
import { findUnit, implicitUnit, type Party, type PricedParty, priceParty, toBoughtUnit } from '../pricing.ts'

/**
 * Prices a party that has bought something before, on a timeslot of this price list. A unit that is sold no more can be
 * kept, and cannot be added to. A reduction stays, as far as the price does; and so do a partner's terms.
 * @param terms of the partner for the product today: at their net prices is what is added to a booking at net prices.
 */
export function repriceParty(
  sold: Bought,
  party: Party,
  list: PriceList,
  capacity: number,
  terms: TermsInForce | null = null,
): PricedParty {
  const standing = sold.units ?? soldPlainly(sold)
  const priced = priceParty(party, withSold(list, standing), capacity)
  if (priced.errors) return priced
  const { commissionBp, netMinor } = sold
  const today = { ...priced.bought, commissionBp }
  const bought = netMinor === null ? today : atNetPrices(today, terms, list)
  if (sold.pricedPerBooking || bought.pricedPerBooking)
    return { bought: reduced({ ...bought, unitPriceMinor: sold.unitPriceMinor, netMinor }, sold) }
  const wanted = bought.units ?? soldPlainly(bought)
  const units = wanted.flatMap((unit) => keepSold(unit, standing.filter(isSame(list, unit.id))))
  const plain = units.length === 1 && units[0]!.id === defaultUnit
  const kept = {
    ...bought,
    units: plain ? null : units,
    unitPriceMinor: units[0]!.priceMinor,
    netMinor: units[0]!.netMinor ?? null,
    participants: units.reduce((sum, { quantity, people }) => sum + quantity * people, 0),
    places: units.reduce((sum, { quantity, places }) => sum + quantity * places, 0),
  }
  return { bought: reduced(kept, sold) }
}

/** The people of a product without units, as a unit. */
function soldPlainly({ participants, unitPriceMinor, netMinor }: Bought): BoughtUnit[] {
  const unit = toBoughtUnit({ unit: implicitUnit(unitPriceMinor), quantity: participants })
  return [netMinor === null ? unit : { ...unit, netMinor }]
}

/** A price list that also has what was sold and is sold no more, up to what was sold. */
function withSold(list: PriceList, standing: readonly BoughtUnit[]): PriceList {
  if (!list.units) return list
  const gone = standing.filter(({ id }) => !findUnit(list, id))
  const ids = [...new Set(gone.map(({ id }) => id))]
  const units = ids.map((id) => {
    const rows = gone.filter((row) => row.id === id)
    const maxQuantity = rows.reduce((sum, { quantity }) => sum + quantity, 0)
    return { ...rows[0]!, minQuantity: null, maxQuantity, accompaniedBy: [] }
  })
  return { ...list, units: [...list.units, ...units] }
}

/** Whether a row is of this unit. Who bought when the product had no units has its default unit. */
function isSame(list: PriceList, id: number) {
  return (row: BoughtUnit) => row.id === id || (row.id === defaultUnit && id === list.defaultUnitId)
}

/** What was sold first is kept first, as it was sold; what is wanted besides is as it is today. */
function keepSold(wanted: BoughtUnit, sold: readonly BoughtUnit[]): BoughtUnit[] {
  let left = wanted.quantity
  const rows: BoughtUnit[] = []
  for (const row of sold) {
    const quantity = Math.min(left, row.quantity)
    if (quantity > 0) rows.push({ ...row, quantity })
    left -= quantity
  }
  if (left === 0) return rows
  const last = rows.at(-1)
  if (last && isDeepStrictEqual({ ...last, quantity: left }, { ...wanted, quantity: left }))
    last.quantity += left
  else rows.push({ ...wanted, quantity: left })
  return rows
}

function reduced(bought: Bought, { discountMinor }: Bought): Bought {
  const price = priceOf(bought)
  return { ...bought, discountMinor: price < BigInt(discountMinor) ? Number(price) : discountMinor }
}
