/** Pure rules of changing a schedule: what becomes of each timeslot that has not begun. */

/** What stands at a date and time that a changed schedule has, or had. */
export type StandingTimeslot = {
  id: number
  date: string
  time: string
  capacity: number
  isOpen: boolean
  /** Whether it belongs to the schedule that changes. */
  isOwn: boolean
  /** Whether a schedule closed it and let it go. */
  isLetGo: boolean
  touched: 'edited' | 'booked' | 'held' | 'waiting' | null
  /** Whether there is any booking on it, be it one that ended: then its row has to stay. */
  hasBookings: boolean
  /** The schedule that has this date and time after the change, its own before any other; null when none has. */
  heirId: number | null
  heirCapacity: number | null
  /** Whether its opening hours are those of that schedule. */
  hasHoursOfHeir: boolean
}

export type Reason = NonNullable<StandingTimeslot['touched']> | 'exists'
export type SlotTime = { id: number; date: string; time: string }

export type Effects = {
  changed: (SlotTime & { scheduleId: number; capacity: number })[]
  removed: SlotTime[]
  closed: SlotTime[]
  /** `isOutside` tells those that are in no pattern any more from those that differ in capacity or hours or are closed. */
  left: (SlotTime & { reason: Reason; isOutside: boolean })[]
}

/**
 * Sorts timeslots by what becomes of them. Nobody's work is undone: one that was edited, booked, held or waited
 * for stays as it is, and is named where it differs from its schedule; so does one that stands in the way. What is
 * no longer in any pattern goes, or stays closed where bookings that ended refer to it.
 */
export function decideEffects(scheduleId: number, standing: readonly StandingTimeslot[]): Effects {
  const effects: Effects = { changed: [], removed: [], closed: [], left: [] }
  for (const slot of standing) {
    const { id, date, time, heirId, heirCapacity } = slot
    const place = { id, date, time }
    const isOutside = heirId === null
    if (!slot.isOwn && !slot.isLetGo) effects.left.push({ ...place, reason: 'exists', isOutside })
    else if (isAsWanted(slot, scheduleId)) continue
    else if (slot.touched) effects.left.push({ ...place, reason: slot.touched, isOutside })
    else if (heirId !== null) effects.changed.push({ ...place, scheduleId: heirId, capacity: heirCapacity! })
    else if (slot.hasBookings) effects.closed.push(place)
    else effects.removed.push(place)
  }
  return effects
}

function isAsWanted(
  { isOwn, isOpen, isLetGo, capacity, heirId, heirCapacity, hasHoursOfHeir }: StandingTimeslot,
  scheduleId: number,
) {
  if (heirId === null) return isLetGo
  return isOwn && heirId === scheduleId && isOpen && capacity === heirCapacity && hasHoursOfHeir
}
