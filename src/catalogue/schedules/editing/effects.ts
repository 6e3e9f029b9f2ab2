/** Pure rules of changing a schedule: what happens to each timeslot that has not begun. */

/** An existing timeslot at a date and time of a changed schedule, before or after the change. */
export type StandingTimeslot = {
  id: number
  date: string
  time: string
  capacity: number
  isOpen: boolean
  /** Whether it belongs to the schedule that changes. */
  isOwn: boolean
  /** Whether a schedule has closed it and no longer owns it, so that any schedule may take it. See isReleased(). */
  isLetGo: boolean
  touched: 'edited' | 'booked' | 'held' | 'waiting' | null
  /** Whether it has any booking, including ended ones: then its row must stay. */
  hasBookings: boolean
  /** The schedule that has this date and time after the change: the timeslot's own if possible. Null if none has. */
  heirId: number | null
  heirCapacity: number | null
  /** Whether it has the opening hours of that schedule. */
  hasHoursOfHeir: boolean
}

export type Reason = NonNullable<StandingTimeslot['touched']> | 'exists'
export type SlotTime = { id: number; date: string; time: string }

export type Effects = {
  changed: (SlotTime & { scheduleId: number; capacity: number })[]
  removed: SlotTime[]
  closed: SlotTime[]
  /**
   * `isOutside`: the timeslot is in no pattern any more. Otherwise it differs in capacity or hours, or is
   * closed.
   */
  left: (SlotTime & { reason: Reason; isOutside: boolean })[]
}

/**
 * Decides what happens to each timeslot. A timeslot that was edited, or that has bookings, held places or a waitlist,
 * stays as it is, and is listed in `left` if it differs from its schedule. A timeslot made by hand or by another schedule
 * also stays and is listed. Of the others, those that are in no pattern any more are removed, or only closed if ended
 * bookings refer to them.
 */
export function decideEffects(scheduleId: number, existing: readonly StandingTimeslot[]): Effects {
  const effects: Effects = { changed: [], removed: [], closed: [], left: [] }
  for (const slot of existing) {
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
