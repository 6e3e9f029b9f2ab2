/** Computes the effect of a possible change of the party for the page that offers it, without locks. */
import { isDeepStrictEqual } from 'node:util'
import { getTimeslot } from '../../../catalogue/timeslots/editing/service.ts'
import { problems } from '../../../http/problems.ts'
import { PlacesRefused, withAlternatives } from '../../../inventory/alternatives.ts'
import { freeOf } from '../../../inventory/on-sale.ts'
import { listPriceLists } from '../../../inventory/price-list-queries.ts'
import { type Bought, pickBought, totalOf } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { planSetOff } from '../../ledger/deciding-refunds.ts'
import { readLedger } from '../../ledger/service.ts'
import { type BookingRow, findBooking } from '../desk/queries.ts'
import { type Party, placesWanted } from '../pricing.ts'
import { isSameParty, repriced } from './moving.ts'
import { type OwnRefundPreview, previewRefund } from './refund-preview.ts'

export type PartyPreview = {
  /** The purchase of the booking after the change. */
  bought: Bought
  currency: string
  fromMinor: bigint
  toMinor: bigint
  /** How many people leave; 0 if as many come as before, or more. */
  leaving: number
  /**
   * The possible refunds of the operator's own sale; null if the booking does not become cheaper, or no
   * payment is left to pay back.
   */
  refund: OwnRefundPreview | null
  /** How much of the due refunds is set off if the booking becomes dearer. */
  setOffMinor: bigint
  /**
   * The amount that the sale owes after the change; null for a partner's booking, which is paid to the
   * partner.
   */
  owedMinor: bigint | null
}

/**
 * The prices and refunds of a confirmed booking if its party changes; null for the same party.
 * @throws Problem not-found; validation for a party that breaks rules; insufficient-capacity, with alternatives.
 */
export function previewParty(
  sql: Queryable,
  accountId: number,
  { reference, party }: { reference: string; party: Party },
): Promise<PartyPreview | null> {
  return withAlternatives(sql, () => preview(sql, accountId, reference, party), { shopfrontOnly: true })
}

async function preview(
  sql: Queryable,
  accountId: number,
  reference: string,
  party: Party,
): Promise<PartyPreview | null> {
  const booking = await findBooking(sql, accountId, reference)
  if (!booking) throw problems.bookingNotFound()
  const bought = await boughtHere(sql, booking, party)
  if (!bought) return null
  const [fromMinor, toMinor] = [totalOf(booking), totalOf(bought)]
  const { own } = toMinor < fromMinor ? await previewRefund(sql, accountId, reference, bought) : { own: null }
  const { basketId, currency, channel, participants } = booking
  const ledger = (await readLedger(sql, accountId, [basketId])).get(basketId)
  const setOff = ledger ? planSetOff(ledger, toMinor - fromMinor) : []
  const setOffMinor = setOff.reduce((sum, { partMinor }) => sum + partMinor, 0n)
  const balance = (ledger?.balance ?? 0n) + toMinor - fromMinor - setOffMinor
  const owedMinor = channel === 'partner' ? null : balance > 0n ? balance : 0n
  const leaving = Math.max(0, participants - bought.participants)
  return { bought, currency, fromMinor, toMinor, leaving, refund: own, setOffMinor, owedMinor }
}

/** The purchase of the booking after the change, on its own timeslot; null for the same party. */
async function boughtHere(sql: Queryable, booking: BookingRow, party: Party): Promise<Bought | null> {
  const { accountId, timeslotId, activity, date, time, places } = booking
  if (isSameParty(booking, party)) return null
  const slot = await getTimeslot(sql, accountId, timeslotId)
  const list = (await listPriceLists(sql, accountId, [timeslotId])).get(timeslotId)!
  const { capacity } = slot
  const bought = await repriced(sql, booking, party, { ...list, takesTimeslot: false, capacity })
  if (isDeepStrictEqual(bought, pickBought(booking))) return null
  const available = freeOf(slot)
  if (!bought.takesTimeslot && bought.places - places > available)
    throw new PlacesRefused(
      { accountId, activity, date, time, ...placesWanted(bought) },
      { onSale: true, available },
    )
  return bought
}
