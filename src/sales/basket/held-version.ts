/**
 * The places that lines hold, as the data from which a version is computed. A page compares versions to find
 * out whether the places have changed. Pure.
 */
import type { BasketView } from './schemas.ts'

/**
 * The bookings, timeslots and parties of the lines that are not removed. Prices are left out: a promotion changes
 * them.
 */
export function heldState(lines: BasketView['Lines']) {
  return lines
    .filter(({ Status }) => Status !== 'cancelled')
    .map(({ BookingReference, TimeslotID, Participants, Units = [] }) => {
      const units = Units.map(({ UnitID, Quantity }) => [UnitID, Quantity])
      return [BookingReference, TimeslotID, Participants, units]
    })
}
