/**
 * The form for the new party of a booking. It leads to the page that confirms the change: see amendView(). Pure.
 */

import { html, type Markup } from '../../http/pages.ts'
import { defaultUnitAlias, type ShownPriceList, type ShownUnit } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { type FormFaults, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { type GivenUnits, partyFaults, partyFields, withFree } from '../parts/party-fields.ts'
import { bookingPath } from '../parts/subject.ts'

type AmendForm = {
  booking: BookingRecord
  list: ShownPriceList | null
  again: ShownForm | null
}

/** @param form `list` is the price list of the booking's timeslot. */
export function amendForm(session: Session, t: Texts, form: AmendForm): Markup {
  const { booking, list, again } = form
  const existing = { Participants: booking.Participants, Units: currentUnits(booking, list) }
  const party = again ? (again.values as PartyRequest) : existing
  const isSold = ({ id }: ShownUnit) => list?.units?.some((unit) => unit.id === id)
  const priceText = (unit: ShownUnit) =>
    isSold(unit) ? t.amount(unit.priceMinor, list!.currency) : t.say('amend.no-longer')
  const options = { label: t.say('word.party'), priceText }
  const fields = partyFields(
    t,
    amendableList(list, booking),
    { ...party, faults: again?.faults ?? null },
    options,
  )
  const hint = html`<p class="hint">${t.say('amend.hint')}</p>`
  return postForm(
    session,
    `${bookingPath(booking.BookingReference)}/amend`,
    html`${fields}${list?.units ? hint : ''}<button class="secondary" name="Show" value="party">${t.say('amend.change')}</button>`,
    { class: list?.units ? 'stacked' : 'filters' },
  )
}

/**
 * The faults of a refused form, named by the fields of this form. Adds a fault with the number of free places
 * if there are too few, unless the product is sold by whole timeslots. Null without faults.
 */
export function amendFaults(
  t: Texts,
  { values, faults, available = null }: ShownForm & { available?: number | null },
  list: ShownPriceList | null,
  booking: BookingRecord,
): FormFaults {
  const party = values as PartyRequest
  if (!faults) return null
  return partyFaults(
    t,
    withFree(faults, party, { list, available }),
    party,
    amendableList(list, booking),
    new Map([['Participants', t.say('word.party')]]),
  )
}

/**
 * The price list, plus the units of the booking that its timeslot no longer sells. The quantity of these
 * units cannot be increased. The price list of a product without units is returned unchanged.
 */
function amendableList(list: ShownPriceList | null, booking: BookingRecord): ShownPriceList | null {
  if (!list?.units) return list
  const { units } = list
  const unsoldUnits = currentUnits(booking, list).filter(({ UnitID }) =>
    units.every(({ id }) => id !== UnitID),
  )
  const unsoldAsShown = unsoldUnits.map(({ UnitID, Quantity }): ShownUnit => {
    const { Name: name, Type: type } = booking.Units!.find((unit) => unit.UnitID === UnitID)!
    return {
      ...{ id: UnitID, name, type, priceMinor: 0, places: 1, people: 1, minAge: null, maxAge: null },
      ...{ minQuantity: null, maxQuantity: Quantity, accompaniedBy: [] },
    }
  })
  return { ...list, units: [...units, ...unsoldAsShown] }
}

/**
 * The quantity of each unit of a booking, added up if the unit has several prices. A booking that was sold
 * without units counts as the default unit of the price list.
 */
function currentUnits({ Units = [] }: BookingRecord, list: ShownPriceList | null): GivenUnits {
  const counts = new Map<number, number>()
  for (const { UnitID, Quantity } of Units) {
    const id = UnitID === defaultUnitAlias ? (list?.defaultUnitId ?? defaultUnitAlias) : UnitID
    counts.set(id, (counts.get(id) ?? 0) + Quantity)
  }
  return [...counts].map(([UnitID, Quantity]) => ({ UnitID, Quantity }))
}
