import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'

/** Whether a booking still has places, so that it can be cancelled. */
export function canCancel(status: BookingRecord['Status']): boolean {
  return status === 'confirmed' || status === 'held' || status === 'waitlisted'
}
