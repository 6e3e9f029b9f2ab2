/** The purchase of a booking, as the API, pages and e-mails show it. OCTO has its own shape. Pure. */
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import { type Bought, totalOf } from '../../inventory/service.ts'
import { toMoney } from '../../platform/text/money.ts'
import { person } from './pricing.ts'
import type { BoughtView } from './schemas.ts'

type NamedUnit = Pick<BoughtView['Units'][number], 'UnitID' | 'Name' | 'Quantity'>

/** `2 × Adult, 1 × Child`, without prices. */
export function unitsText(units: readonly NamedUnit[]): string {
  const counts = new Map<string, number>()
  for (const { Name, Quantity } of units) counts.set(Name, (counts.get(Name) ?? 0) + Quantity)
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ')
}

/**
 * The party as text: `2 × Adult, 1 × Child`, followed by the number of people if it is not the number of
 * units; `3 people` for a product without units.
 * @param people the text for a number of people, in the reader's language.
 */
export function partyWords(
  { Participants, Units = [] }: { Participants: number; Units?: readonly NamedUnit[] | undefined },
  people: (count: number) => string,
): string {
  if (Units.every(({ UnitID }) => UnitID === defaultUnitAlias)) return people(Participants)
  const count = Units.reduce((sum, { Quantity }) => sum + Quantity, 0)
  return count === Participants ? unitsText(Units) : `${unitsText(Units)} (${people(Participants)})`
}

/**
 * The number of people, the units with their prices, the discount if there is one, and the total. It copies
 * no object, because that would take longer than the rest of the work.
 */
export function boughtView(bought: Bought): BoughtView {
  const { participants, units, unitPriceMinor, currency, discountMinor } = bought
  const view: BoughtView = {
    Participants: participants,
    Units: units
      ? units.map(({ id, name, type, quantity, priceMinor }) =>
          unitView({ UnitID: id, Name: name, Type: type, Quantity: quantity }, priceMinor, bought),
        )
      : [
          unitView(
            { UnitID: defaultUnitAlias, Name: person.name, Type: person.type, Quantity: participants },
            unitPriceMinor,
            bought,
          ),
        ],
    Total: toMoney(totalOf(bought), currency),
  }
  if (discountMinor !== '0') view.Discount = toMoney(BigInt(discountMinor), currency)
  return view
}

type UnitView = BoughtView['Units'][number]

/** Adds the price of one unit, unless the booking has one price for all. */
function unitView(unit: UnitView, priceMinor: number, { currency, pricedPerBooking }: Bought): UnitView {
  if (!pricedPerBooking) unit.UnitPrice = toMoney(priceMinor, currency)
  return unit
}

/**
 * The field `Reduction`: the sum of the till's reductions of bookings that have one currency. No field if
 * there is no reduction.
 */
export function reductionView(
  bookings: readonly { reductionMinor: string | null; reductionReason: string | null; currency: string }[],
) {
  const [first, ...others] = bookings.filter(({ reductionMinor }) => reductionMinor !== null)
  if (!first) return {}
  const minor = others.reduce(
    (sum, other) => sum + BigInt(other.reductionMinor!),
    BigInt(first.reductionMinor!),
  )
  return { Reduction: { ...toMoney(minor, first.currency), Reason: first.reductionReason } }
}
