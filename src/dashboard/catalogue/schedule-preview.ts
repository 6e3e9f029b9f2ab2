/**
 * The preview of a schedule: the timeslots of the coming weeks, with the effect of saving the schedule on
 * each timeslot. Pure.
 */

import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { ScheduleOutcome } from '../../catalogue/schedules/editing/following.ts'
import type { listComing } from '../../catalogue/schedules/editing/service.ts'
import { addDays } from '../../platform/text/calendar.ts'

type ComingPreview = Awaited<ReturnType<typeof listComing>>
export type Effect = 'stays' | 'made' | 'changed' | 'removed' | 'closed' | 'left'

/**
 * A timeslot after the change. `was` is the capacity before the change; null if the timeslot is new, was
 * closed, or keeps its capacity. `isOpen`: whether the timeslot is open before the change; true if it is new.
 */
export type PreviewSlot = {
  time: string
  openingHours: OpeningPeriod[] | null
  capacity: number
  fate: Effect
  was: number | null
  isOpen: boolean
  reason?: string
}
type SlotFate = { fate: Effect; reason?: string } & Partial<Pick<PreviewSlot, 'capacity' | 'openingHours'>>
export type PreviewDay = { date: string; slots: PreviewSlot[] }

export const previewDays = 28

/**
 * The days with stored or new timeslots, in order; days without any are left out. `schedule` is the schedule
 * to save.
 */
export function toDays(
  coming: ComingPreview,
  outcome: ScheduleOutcome,
  schedule: { id: number | null } & Pick<PreviewSlot, 'capacity' | 'openingHours'>,
): PreviewDay[] {
  const { id, capacity, openingHours } = schedule
  const fates = new Map<string, SlotFate>()
  for (const slot of outcome.changed) {
    // If another schedule takes over the timeslot, the hours of that schedule are not known here.
    const hours = id === null || slot.scheduleId === id ? openingHours : null
    fates.set(key(slot), { fate: 'changed', capacity: slot.capacity, openingHours: hours })
  }
  for (const slot of outcome.removed) fates.set(key(slot), { fate: 'removed' })
  for (const slot of outcome.closed) fates.set(key(slot), { fate: 'closed' })
  for (const slot of outcome.left) fates.set(key(slot), { fate: 'left', reason: slot.reason })
  const days = new Map<string, PreviewSlot[]>()
  const add = (date: string, slot: PreviewSlot) => days.set(date, [...(days.get(date) ?? []), slot])
  for (const slot of coming.slots) {
    const { fate = 'stays', reason, ...changed } = fates.get(key(slot)) ?? {}
    const { time, isOpen } = slot
    const becomes = { capacity: slot.capacity, openingHours: slot.openingHours, ...changed }
    const was = slot.isOpen && becomes.capacity !== slot.capacity ? slot.capacity : null
    add(slot.date, { time, ...becomes, fate, was, isOpen, ...(reason && { reason }) })
  }
  const last = addDays(coming.first, previewDays - 1)
  for (const { date, time } of outcome.made.earliest) {
    if (date >= coming.first && date <= last)
      add(date, { time, capacity, openingHours, fate: 'made', was: null, isOpen: true })
  }
  return [...days]
    .map(([date, slots]) => ({ date, slots: slots.sort((a, b) => (a.time < b.time ? -1 : 1)) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

function key({ date, time }: { date: string; time: string }): string {
  return `${date} ${time}`
}
