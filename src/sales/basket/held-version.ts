/** What lines hold, in the form from which its version is computed: a page finds out whether it has changed since. Pure. */
import type { BasketView } from './schemas.ts'

/** The bookings, timeslots and parties of the lines that are not removed. Prices are left out: a promotion changes them. */
export function heldState(lines: BasketView['Lines']) {
  return lines
    .filter(({ Status }) => Status !== 'cancelled')
    .map(({ BookingReference, TimeslotID, Participants, Units = [] }) => {
      const units = Units.map(({ UnitID, Quantity }) => [UnitID, Quantity])
      return [BookingReference, TimeslotID, Participants, units]
    })
}
