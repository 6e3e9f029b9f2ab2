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
  /** Whether a link to the day is shown in its place, where there is no room for all lanes. */
  isHidden: boolean
}

/** What a link to the day is shown for: timeslots that overlap, in the last lane. */
export type MoreTimeslots<Slot> = Omit<Placed<Slot>, 'slot' | 'isHidden'> & { slots: Slot[] }

export type PlacedDay<Slot> = {
  /** Those without a place on the clock: with opening hours, or longer than a day. */
  allDay: Slot[]
  timed: Placed<Slot>[]
  more: MoreTimeslots<Slot>[]
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
/** Of a week, as many as are readable in a seventh of a window of 1280 pixels. */
export const mostLanesOfWeek = 3

const minutesOfDay = 1440

/**
 * The timeslots of one day.
 * @param mostShown how many lanes are shown; of more, the last one has links to the day.
 */
export function placeDay<Slot extends SlotTimes>(
  slots: readonly Slot[],
  mostShown = Number.POSITIVE_INFINITY,
): PlacedDay<Slot> {
  const spans = slots.map((slot) => ({ slot, ...minutesOf(slot) }))
  const isTimed = ({ slot, fromMinute, endMinute }: (typeof spans)[number]) =>
    !slot.openingHours && endMinute - fromMinute <= minutesOfDay
  const timed = spans.filter(isTimed).map(({ slot, fromMinute, endMinute }) => {
    const toMinute = Math.min(Math.max(endMinute, fromMinute + leastMinutes), mostHours * 60)
    return { slot, fromMinute, toMinute }
  })
  const clusters = clustersOf(timed).map((cluster) => placeCluster(cluster, mostShown))
  const placed = clusters.flatMap((cluster) => cluster.timed)
  return {
    allDay: spans.filter((span) => !isTimed(span)).map(({ slot }) => slot),
    timed: placed,
    more: clusters.flatMap(({ more }) => more),
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
function placeCluster<Slot extends SlotTimes>(
  cluster: readonly Timed<Slot>[],
  mostShown: number,
): Pick<PlacedDay<Slot>, 'timed' | 'more'> {
  const inLanes = laneEach(cluster)
  const all = 1 + Math.max(...inLanes.map(({ lane }) => lane))
  const lanes = Math.min(all, mostShown)
  const groups = all > mostShown ? groupHidden(inLanes, mostShown - 1) : []
  const hidden = new Set(groups.flat().map(({ slot }) => slot))
  const more = groups.map((group) => ({
    ...{ slots: group.map(({ slot }) => slot), lane: lanes - 1, span: 1, lanes },
    fromMinute: Math.min(...group.map(({ fromMinute }) => fromMinute)),
    toMinute: Math.max(...group.map(({ toMinute }) => toMinute)),
  }))
  const shown = [...inLanes.filter(({ slot }) => !hidden.has(slot)), ...more]
  const timed = inLanes.map((one) => {
    const inTheWay = shown.filter((other) => other.lane > one.lane && overlap(one, other))
    const span = Math.min(lanes, ...inTheWay.map(({ lane }) => lane)) - one.lane
    return { ...one, span, lanes, isHidden: hidden.has(one.slot) }
  })
  return { timed, more }
}

type InLane<Slot> = Timed<Slot> & { lane: number }

function laneEach<Slot>(cluster: readonly Timed<Slot>[]): InLane<Slot>[] {
  const ends: number[] = []
  return cluster.map((one) => {
    const free = ends.findIndex((endMinute) => endMinute <= one.fromMinute)
    const lane = free >= 0 ? free : ends.length
    ends[lane] = one.toMinute
    return { ...one, lane }
  })
}

/** What there is no room for, in groups that overlap: the lanes after the last one, and what is beside them in the last one. */
function groupHidden<Slot extends SlotTimes>(cluster: readonly InLane<Slot>[], last: number) {
  const after = cluster.filter(({ lane }) => lane > last)
  const isBeside = (one: InLane<Slot>) => one.lane === last && after.some((other) => overlap(one, other))
  return clustersOf(cluster.filter((one) => one.lane > last || isBeside(one)))
}

type Minutes = { fromMinute: number; toMinute: number }

function overlap(one: Minutes, other: Minutes): boolean {
  return one.fromMinute < other.toMinute && other.fromMinute < one.toMinute
}
