/** Schedules, and the effects of changes, in responses. */

import { ownPricesView } from '../../units/own-prices.ts'
import { fromPattern } from '../model.ts'
import type { ScheduleRow } from '../queries.ts'
import type { EffectsView, ScheduleResult, ScheduleView } from '../schemas.ts'
import { maxNamed, type ScheduleOutcome } from './following.ts'
import type { ChangedSchedule } from './service.ts'

export function scheduleView(schedule: ScheduleRow): ScheduleView {
  const { id, capacity, closedDates, unitPrices, ...pattern } = schedule
  return {
    ID: id,
    ...fromPattern(pattern),
    Capacity: capacity,
    ClosedDates: closedDates,
    UnitPrices: ownPricesView(unitPrices),
  }
}

export function resultView({ schedule, outcome }: ChangedSchedule): ScheduleResult {
  return { Schedule: scheduleView(schedule), Timeslots: effectsView(outcome) }
}

export function effectsView({ made, changed, removed, closed, left }: ScheduleOutcome): EffectsView {
  return {
    Made: {
      Count: made.count,
      Timeslots: made.earliest.map(({ date, time }) => ({ Date: date, Time: time })),
    },
    Changed: named(changed),
    Removed: named(removed),
    Closed: named(closed),
    Left: {
      Count: left.length,
      Timeslots: left.slice(0, maxNamed).map((slot) => ({ ...slotView(slot), Reason: slot.reason })),
    },
  }
}

type ScheduledSlot = { id: number; date: string; time: string }

function named(slots: ScheduledSlot[]) {
  return { Count: slots.length, Timeslots: slots.slice(0, maxNamed).map(slotView) }
}

function slotView({ id, date, time }: ScheduledSlot) {
  return { TimeslotID: id, Date: date, Time: time }
}
