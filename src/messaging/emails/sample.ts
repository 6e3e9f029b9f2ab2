/** An invented booking, for previews and test e-mails of a workflow if no real booking is given. */
import type { BookingFacts } from './facts.ts'

const sampleUnits = [
  { id: 1, name: 'Adult', type: 'ADULT', quantity: 2, priceMinor: 4500, places: 1, people: 1 },
  { id: 2, name: 'Child', type: 'CHILD', quantity: 1, priceMinor: 2500, places: 1, people: 1 },
]

/**
 * The link in a preview. The real link of a booking is signed when its e-mail is sent, and opens the tickets.
 */
export const sampleTicketsLink = 'https://booking.example/tickets/SAMPLE'

/**
 * Fills a real booking with sample values, as if it had been changed: the timeslot and the party before the
 * change, and a refund if the booking has none and no partner sold it. A customer without a name gets the
 * sample name.
 */
export function withExampleChange(booking: BookingFacts): BookingFacts {
  const { firstName, lastName, movedFrom, partyBefore } = sampleBooking
  const isNamed = booking.firstName || booking.lastName
  const refundMinor = booking.refundMinor ?? (booking.sale ? '1500' : null)
  return { ...booking, ...(!isNamed && { firstName, lastName }), movedFrom, partyBefore, refundMinor }
}

export const sampleBooking: BookingFacts = {
  id: 0,
  sale: { paidMinor: 4000n, owedMinor: 7500n, dueMinor: 0n, bookings: 1 },
  reference: 'SAMPLE23',
  refundMinor: null,
  status: 'confirmed',
  attendance: null,
  ...{
    places: 3,
    participants: 3,
    units: sampleUnits,
    unitPriceMinor: 4500,
    currency: 'EUR',
    discountMinor: '0',
  },
  ...{ pricedPerBooking: false, takesTimeslot: false, commissionBp: null, netMinor: null },
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+351912345678',
  locales: null,
  productId: 0,
  productName: 'Sunset kayak tour',
  durationMinutes: 120,
  timeZone: 'Europe/Lisbon',
  timeslotId: 0,
  date: '2030-06-15',
  time: '18:00',
  openingHours: null,
  startsAt: new Date('2030-06-15T17:00:00Z'),
  localStart: '2030-06-15T18:00:00',
  endsAt: new Date('2030-06-15T19:00:00Z'),
  localEnd: '2030-06-15T20:00:00',
  movedFrom: { productName: 'Morning kayak tour', date: '2030-06-14', time: '10:00', openingHours: null },
  partyBefore: { Participants: 2, Units: [{ UnitID: 1, Name: 'Adult', Quantity: 2 }] },
}
