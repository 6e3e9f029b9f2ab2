/**
 * Where timeslots stand in a grid of days and hours: from their start to their end on the clock of their place,
 * side by side where they overlap. Pure.
 */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'

type SlotTimes = Pick<Timeslot, 'id' | 'date' | 'time' | 'localEnd' | 'openingHours'>

/** Minutes are those of the clock, from midnight of the day. Lanes are counted from 0. */
export type Placed<Slot> = {
  slot: Slot
  fromMinute: number
  toMinute: number
  /** The first lane that it fills, how many it fills, and how many there are beside it. */
  lane: number
  span: number
  lanes: number
}

export type PlacedDay<Slot> = {
  /** Those without a place on the clock: with opening hours, or longer than a day. */
  allDay: Slot[]
  timed: Placed<Slot>[]
  /** The most lanes at any time; 0 without timed ones. */
  lanes: number
}

/** The hours of the axis, the last one not included; null when nothing stands on it. */
export type Axis = { first: number; last: number } | null

/** A shorter one could not be read or hit. */
export const leastMinutes = 30
/** How far the axis goes into the next day. */
export const mostHours = 30
/** Of more than these, none could be read: such a day is a list. */
export const mostLanes = 24

const minutesOfDay = 1440

/** The timeslots of one day. */
export function placeDay<Slot extends SlotTimes>(slots: readonly Slot[]): PlacedDay<Slot> {
  const spans = slots.map((slot) => ({ slot, ...minutesOf(slot) }))
  const isTimed = ({ slot, fromMinute, endMinute }: (typeof spans)[number]) =>
    !slot.openingHours && endMinute - fromMinute <= minutesOfDay
  const timed = spans.filter(isTimed).map(({ slot, fromMinute, endMinute }) => {
    const toMinute = Math.min(Math.max(endMinute, fromMinute + leastMinutes), mostHours * 60)
    return { slot, fromMinute, toMinute }
  })
  const placed = clustersOf(timed).flatMap(placeCluster)
  return {
    allDay: spans.filter((span) => !isTimed(span)).map(({ slot }) => slot),
    timed: placed,
    lanes: Math.max(0, ...placed.map(({ lanes }) => lanes)),
  }
}

/** The hours that timeslots of these days have. */
export function axisOf(days: readonly PlacedDay<unknown>[]): Axis {
  const timed = days.flatMap((day) => day.timed)
  if (timed.length === 0) return null
  const first = Math.floor(Math.min(...timed.map(({ fromMinute }) => fromMinute)) / 60)
  const last = Math.ceil(Math.max(...timed.map(({ toMinute }) => toMinute)) / 60)
  return { first, last }
}

/** On the clock: an hour that clocks skip or repeat on the way is in it as they show it. */
function minutesOf({ date, time, localEnd }: SlotTimes): { fromMinute: number; endMinute: number } {
  const [hours, minutes] = time.split(':')
  const fromMinute = Number(hours) * 60 + Number(minutes)
  const endMinute = Math.round((Date.parse(`${localEnd}Z`) - Date.parse(`${date}T00:00:00Z`)) / 60_000)
  return { fromMinute, endMinute }
}

type Timed<Slot> = Pick<Placed<Slot>, 'slot' | 'fromMinute' | 'toMinute'>

/** Those that overlap, directly or by others, in the order of their starts; of equal ones the longest first. */
function clustersOf<Slot extends SlotTimes>(timed: readonly Timed<Slot>[]): Timed<Slot>[][] {
  const inOrder = timed.toSorted(
    (one, other) =>
      one.fromMinute - other.fromMinute || other.toMinute - one.toMinute || one.slot.id - other.slot.id,
  )
  const clusters: Timed<Slot>[][] = []
  let endMinute = -1
  for (const one of inOrder) {
    if (one.fromMinute >= endMinute) clusters.push([])
    clusters.at(-1)!.push(one)
    endMinute = Math.max(endMinute, one.toMinute)
  }
  return clusters
}

/** Each in the first lane that is free, and as wide as no other one stands in its way. */
function placeCluster<Slot>(cluster: readonly Timed<Slot>[]): Placed<Slot>[] {
  const lanes: Timed<Slot>[][] = []
  const laneOf = cluster.map((one) => {
    const free = lanes.findIndex((lane) => lane.at(-1)!.toMinute <= one.fromMinute)
    const lane = free >= 0 ? free : lanes.length
    lanes[lane] = [...(lanes[lane] ?? []), one]
    return lane
  })
  const isFree = (lane: Timed<Slot>[], { fromMinute, toMinute }: Timed<Slot>) =>
    lane.every((other) => other.toMinute <= fromMinute || other.fromMinute >= toMinute)
  return cluster.map((one, index) => {
    const lane = laneOf[index]!
    const next = lanes.findIndex((others, place) => place > lane && !isFree(others, one))
    return { ...one, lane, span: (next < 0 ? lanes.length : next) - lane, lanes: lanes.length }
  })
}
