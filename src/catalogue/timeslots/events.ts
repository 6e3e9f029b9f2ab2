/** The events of timeslots. */
import type { Authorship } from '../../events/actor.ts'
import type { NewEvent } from '../../events/event.ts'

type TimeslotKey = { id: number; productId: number }
export type TimeslotPlace = TimeslotKey & { date: string; time: string }
export type MadeTimeslot = TimeslotPlace & { capacity: number }

/** A timeslot before and after a statement that may have changed it. */
export type TimeslotChange = TimeslotKey & {
  oldCapacity: number
  newCapacity: number
  wasOpen: boolean
  isOpen: boolean
  hasOtherHours: boolean
}

export function madeEvents(by: Authorship, made: readonly MadeTimeslot[]): NewEvent[] {
  return made.map(({ capacity, ...slot }) => {
    const details = { ...placeDetails(slot), Capacity: capacity }
    return { ...by, ...subjectOf(slot), type: 'timeslot.made', details }
  })
}

/**
 * The events of changed timeslots: an event for each change of the status, the capacity and the opening
 * hours. A timeslot that did not change has no event.
 */
export function changeEvents(by: Authorship, changes: readonly TimeslotChange[]): NewEvent[] {
  return changes.flatMap(({ oldCapacity, newCapacity, wasOpen, isOpen, hasOtherHours, ...slot }) => {
    const event = { ...by, ...subjectOf(slot) }
    const events: NewEvent[] = []
    if (wasOpen !== isOpen)
      events.push({ ...event, type: isOpen ? 'timeslot.reopened' : 'timeslot.closed', details: {} })
    if (oldCapacity !== newCapacity) {
      const details = { From: oldCapacity, To: newCapacity }
      events.push({ ...event, type: 'timeslot.capacity-changed', details })
    }
    if (hasOtherHours) events.push(...rescheduledEvents(by, [slot]))
    return events
  })
}

export function rescheduledEvents(by: Authorship, moved: readonly TimeslotKey[]): NewEvent[] {
  return moved.map((slot) => ({ ...by, ...subjectOf(slot), type: 'timeslot.rescheduled', details: {} }))
}

export function pricedEvents(by: Authorship, priced: readonly TimeslotKey[]): NewEvent[] {
  return priced.map((slot) => ({ ...by, ...subjectOf(slot), type: 'timeslot.prices-changed', details: {} }))
}

export function removedEvents(by: Authorship, removed: readonly TimeslotPlace[]): NewEvent[] {
  return removed.map((slot) => {
    return { ...by, ...subjectOf(slot), type: 'timeslot.removed', details: placeDetails(slot) }
  })
}

function subjectOf({ id, productId }: TimeslotKey) {
  return { productId, timeslotId: id }
}

function placeDetails({ date, time }: TimeslotPlace) {
  return { Date: date, Time: time }
}
