/**
 * Where timeslots stand in a grid of days and hours: from their start to their end on the clock of their place,
 * side by side where they overlap, or as lines. Pure.
 */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'

type SlotTimes = Pick<Timeslot, 'id' | 'date' | 'time' | 'localEnd' | 'openingHours' | 'booked'>

/** Minutes are those of the clock, from midnight of the day. Lanes are counted from 0. */
export type Placed<Slot> = {
  slot: Slot
  fromMinute: number
  toMinute: number
  /** The first lane that it fills, how many it fills, and how many there are beside it. */
  lane: number
  span: number
  lanes: number
  /** Whether it is a line at its start, not as high as it is long. */
  isLine: boolean
  /** Whether a link to the day is shown in its place, where there is no room for its line. */
  isHidden: boolean
}

/** What a link to the day is shown for: the lines that would stand too far below their starts. */
export type MoreTimeslots<Slot> = Omit<Placed<Slot>, 'slot' | 'isLine' | 'isHidden'> & { slots: Slot[] }

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
/** Of a week, as many as are readable in a seventh of a window of 1280 pixels. A busier day has lines. */
export const mostLanesOfWeek = 2
/** How many minutes of the clock are as high as a line. */
export const lineMinutes = 20
/** How far below its start a line may stand, because of the lines above it. */
export const mostDelayMinutes = 120

const minutesOfDay = 1440

/**
 * The timeslots of one day.
 * @param mostShown how many lanes are readable; a day with more has one lane of lines, in the order of their starts.
 */
export function placeDay<Slot extends SlotTimes>(
  slots: readonly Slot[],
  mostShown = Number.POSITIVE_INFINITY,
): PlacedDay<Slot> {
  const spans = slots.map((slot) => ({ slot, ...minutesOf(slot) }))
  const isTimed = ({ slot, fromMinute, endMinute }: (typeof spans)[number]) =>
    !slot.openingHours && endMinute - fromMinute <= minutesOfDay
  const times = spans.filter(isTimed).map(({ slot, fromMinute, endMinute }) => {
    const toMinute = Math.min(Math.max(endMinute, fromMinute + leastMinutes), mostHours * 60)
    return { slot, fromMinute, toMinute }
  })
  const inLanes = clustersOf(times).flatMap(placeCluster)
  const lanes = Math.max(0, ...inLanes.map((placed) => placed.lanes))
  const allDay = spans.filter((span) => !isTimed(span)).map(({ slot }) => slot)
  return lanes > mostShown
    ? { allDay, ...placeLines(times), lanes: 1 }
    : { allDay, timed: inLanes, more: [], lanes }
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

/** Gives each timeslot a lane, and widens it up to the next lane in which another one overlaps it. */
function placeCluster<Slot>(cluster: readonly Timed<Slot>[]): Placed<Slot>[] {
  const inLanes = laneEach(cluster)
  const lanes = 1 + Math.max(...inLanes.map(({ lane }) => lane))
  return inLanes.map((one) => {
    const inTheWay = inLanes.filter((other) => other.lane > one.lane && overlap(one, other))
    const span = Math.min(lanes, ...inTheWay.map(({ lane }) => lane)) - one.lane
    return { ...one, span, lanes, isLine: false, isHidden: false }
  })
}

type InLane<Slot> = Timed<Slot> & { lane: number }

/** No more lanes than are needed. Later starts stand further to the right, as far as a lane is free there. */
function laneEach<Slot>(cluster: readonly Timed<Slot>[]): InLane<Slot>[] {
  const ends: number[] = []
  let last = -1
  return cluster.map((one) => {
    const isFree = (endMinute: number) => endMinute <= one.fromMinute
    const right = ends.findIndex((endMinute, lane) => lane > last && isFree(endMinute))
    const free = right >= 0 ? right : ends.findIndex(isFree)
    last = free >= 0 ? free : ends.length
    ends[last] = one.toMinute
    return { ...one, lane: last }
  })
}

const oneLane = { lane: 0, span: 1, lanes: 1 }

/**
 * One below the other, each at its start or below the line before it. Of those with the same start, the booked ones come
 * first.
 */
function placeLines<Slot extends SlotTimes>(
  times: readonly Timed<Slot>[],
): Pick<PlacedDay<Slot>, 'timed' | 'more'> {
  const inOrder = times.toSorted(
    ({ fromMinute, slot }, other) =>
      fromMinute - other.fromMinute ||
      Number(other.slot.booked > 0) - Number(slot.booked > 0) ||
      slot.id - other.slot.id,
  )
  const rows: Timed<Slot>[][] = []
  let nextMinute = 0
  let isOpen = false
  for (const one of inOrder) {
    const isLate = nextMinute - one.fromMinute > mostDelayMinutes
    if (isLate && isOpen) {
      rows.at(-1)!.push(one)
      continue
    }
    rows.push([{ ...one, fromMinute: Math.max(one.fromMinute, nextMinute) }])
    nextMinute = rows.at(-1)![0]!.fromMinute + lineMinutes
    isOpen = isLate
  }
  const at = (row: Timed<Slot>[]) => {
    const { fromMinute } = row[0]!
    return { fromMinute, toMinute: fromMinute + lineMinutes }
  }
  return {
    timed: rows.flatMap((row) =>
      row.map(({ slot }) => ({
        ...{ slot, ...at(row), ...oneLane },
        ...{ isLine: true, isHidden: row.length > 1 },
      })),
    ),
    more: rows
      .filter(({ length }) => length > 1)
      .map((row) => ({ slots: row.map(({ slot }) => slot), ...at(row), ...oneLane })),
  }
}

type Minutes = { fromMinute: number; toMinute: number }

function overlap(one: Minutes, other: Minutes): boolean {
  return one.fromMinute < other.toMinute && other.fromMinute < one.toMinute
}
