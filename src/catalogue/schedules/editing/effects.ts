/** Pure rules of changing a schedule: what happens to each timeslot that has not begun. */

/**
 * A timeslot that belongs to a changed schedule, has a date and time of the schedule after the change, or is
 * released.
 */
export type ExistingTimeslot = {
  id: number
  date: string
  time: string
  capacity: number
  isOpen: boolean
  /** Whether it belongs to the schedule that changes. */
  isOwn: boolean
  /**
   * Whether a schedule has closed it and no longer owns it, so that any schedule may take it. See
   * isReleased().
   */
  isReleased: boolean
  touched: 'edited' | 'booked' | 'held' | 'waiting' | null
  /** Whether it has any booking, including ended ones: then its row must stay. */
  hasBookings: boolean
  /**
   * The schedule that has this date and time after the change; if several have it, preferably the timeslot's
   * own schedule. Null if no schedule has it.
   */
  heirId: number | null
  heirCapacity: number | null
  /** Whether the timeslot has the opening hours of the schedule `heirId`. */
  hasHoursOfHeir: boolean
}

export type Reason = NonNullable<ExistingTimeslot['touched']> | 'exists'
export type SlotTime = { id: number; date: string; time: string }

export type Effects = {
  changed: (SlotTime & { scheduleId: number; capacity: number })[]
  removed: SlotTime[]
  closed: SlotTime[]
  /**
   * Timeslots that stay as they are. `isOutside`: whether no schedule has the date and time of the timeslot
   * any more.
   */
  left: (SlotTime & { reason: Reason; isOutside: boolean })[]
}

/**
 * Decides what happens to each timeslot. A timeslot that was edited, or that has bookings, held places or a
 * waitlist, stays as it is, and is listed in `left` if it differs from its schedule. A timeslot made by hand
 * or by another schedule also stays and is listed. Any other timeslot is changed to match the schedule that
 * has its date and time. If no schedule has this date and time, the timeslot is removed, or closed if ended
 * bookings refer to it; a released timeslot stays closed.
 */
export function decideEffects(scheduleId: number, existing: readonly ExistingTimeslot[]): Effects {
  const effects: Effects = { changed: [], removed: [], closed: [], left: [] }
  for (const slot of existing) {
    const { id, date, time, heirId, heirCapacity } = slot
    const place = { id, date, time }
    const isOutside = heirId === null
    if (!slot.isOwn && !slot.isReleased) effects.left.push({ ...place, reason: 'exists', isOutside })
    else if (isAsWanted(slot, scheduleId)) continue
    else if (slot.touched) effects.left.push({ ...place, reason: slot.touched, isOutside })
    else if (heirId !== null) effects.changed.push({ ...place, scheduleId: heirId, capacity: heirCapacity! })
    else if (slot.hasBookings) effects.closed.push(place)
    else effects.removed.push(place)
  }
  return effects
}

function isAsWanted(
  { isOwn, isOpen, isReleased, capacity, heirId, heirCapacity, hasHoursOfHeir }: ExistingTimeslot,
  scheduleId: number,
) {
  if (heirId === null) return isReleased
  return isOwn && heirId === scheduleId && isOpen && capacity === heirCapacity && hasHoursOfHeir
}
