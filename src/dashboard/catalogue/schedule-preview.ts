/** The weeks to come as a change of a schedule would have them: what stands, and what becomes of each. Pure. */

import type { ScheduleOutcome } from '../../catalogue/schedules/editing/following.ts'
import type { listComing } from '../../catalogue/schedules/editing/service.ts'
import { addDays } from '../../platform/text/calendar.ts'

type ComingPreview = Awaited<ReturnType<typeof listComing>>
export type Fate = 'stays' | 'made' | 'changed' | 'removed' | 'closed' | 'left'

/** `was` is what it differs from, in places; null for one that is new, was closed, or does not change. */
export type PreviewSlot = {
  time: string
  capacity: number
  fate: Fate
  was: number | null
  isOpen: boolean
  reason?: string
}
export type PreviewDay = { date: string; slots: PreviewSlot[] }

export const previewDays = 28

/** The days that have timeslots now or would have. `capacity` is that of the schedule, for those it makes. */
export function toDays(coming: ComingPreview, outcome: ScheduleOutcome, capacity: number): PreviewDay[] {
  const fates = new Map<string, { fate: Fate; capacity?: number; reason?: string }>()
  for (const slot of outcome.changed) fates.set(key(slot), { fate: 'changed', capacity: slot.capacity })
  for (const slot of outcome.removed) fates.set(key(slot), { fate: 'removed' })
  for (const slot of outcome.closed) fates.set(key(slot), { fate: 'closed' })
  for (const slot of outcome.left) fates.set(key(slot), { fate: 'left', reason: slot.reason })
  const days = new Map<string, PreviewSlot[]>()
  const add = (date: string, slot: PreviewSlot) => days.set(date, [...(days.get(date) ?? []), slot])
  for (const slot of coming.slots) {
    const { fate = 'stays', capacity: becomes = slot.capacity, reason } = fates.get(key(slot)) ?? {}
    const was = slot.isOpen && becomes !== slot.capacity ? slot.capacity : null
    const { time, isOpen } = slot
    add(slot.date, { time, capacity: becomes, fate, was, isOpen, ...(reason && { reason }) })
  }
  const last = addDays(coming.first, previewDays - 1)
  for (const { date, time } of outcome.made.earliest) {
    if (date >= coming.first && date <= last)
      add(date, { time, capacity, fate: 'made', was: null, isOpen: true })
  }
  return [...days]
    .map(([date, slots]) => ({ date, slots: slots.sort((a, b) => (a.time < b.time ? -1 : 1)) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

function key({ date, time }: { date: string; time: string }): string {
  return `${date} ${time}`
}
