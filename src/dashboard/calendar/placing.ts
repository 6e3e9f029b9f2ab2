/**
 * The layout of timeslots in a grid of days and hours: from start to end in their local time, side by side where
 * they overlap, or as lines of one height. Pure.
 */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'

type SlotTimes = Pick<Timeslot, 'id' | 'date' | 'time' | 'localEnd' | 'openingHours' | 'booked'>

/**
 * The box that is drawn for a timeslot. The box may begin later than the timeslot, and may end later or
 * earlier. Minutes are in local time, from midnight of the day. Lanes are counted from 0.
 */
export type Placed<Slot> = {
  slot: Slot
  fromMinute: number
  toMinute: number
  /**
   * `lane` is the first lane of the timeslot, and `span` the number of its lanes. `lanes` is the number of
   * all lanes of the group of overlapping timeslots that it belongs to.
   */
  lane: number
  span: number
  lanes: number
  /**
   * Whether the timeslot is drawn as a line of fixed height, at its start or below its start, instead of a box
   * whose height is its duration.
   */
  isLine: boolean
  /** Whether there is no room for the line of the timeslot, so that a link to the day is shown instead. */
  isHidden: boolean
}

/** The timeslots for which a link to the day is shown, because their lines would be too far below their starts. */
export type MoreTimeslots<Slot> = Omit<Placed<Slot>, 'slot' | 'isLine' | 'isHidden'> & { slots: Slot[] }

export type PlacedDay<Slot> = {
  /** The timeslots that the grid shows above the hours: with opening hours, or longer than a day. */
  allDay: Slot[]
  timed: Placed<Slot>[]
  more: MoreTimeslots<Slot>[]
  /** The maximum number of lanes side by side during the day; 0 if `timed` is empty, 1 if it has lines. */
  lanes: number
}

/**
 * The hours of the axis: from `first` until `last`, exclusive. Null if no timeslot has a place on the axis.
 */
export type Axis = { first: number; last: number } | null

/**
 * The least height of a box, in minutes of the axis. A lower box could not be read or clicked. Lines may be
 * lower.
 */
export const leastMinutes = 30
/** The end of the longest axis, in hours from midnight: 30 is 06:00 of the next day. */
export const maxHours = 30
/** A day with more lanes than this is shown as a list, because its lanes would be too narrow to read. */
export const maxLanes = 24
/**
 * The number of lanes that are readable on a day of the week view, in a window 1280 pixels wide. A day that needs
 * more lanes shows lines.
 */
export const maxLanesOfWeek = 2
/** The height of a line, in minutes of the axis. */
export const lineMinutes = 20
/**
 * How far below its start a line may be, in minutes of the axis. Consecutive timeslots whose lines would be further
 * below share one row.
 */
export const maxDelayMinutes = 120

const minutesOfDay = 1440

/**
 * Places the timeslots of one day.
 * @param maxShown how many lanes are readable. If the day has more lanes, its timeslots become lines below
 *   each other.
 */
export function placeDay<Slot extends SlotTimes>(
  slots: readonly Slot[],
  maxShown = Number.POSITIVE_INFINITY,
): PlacedDay<Slot> {
  const spans = slots.map((slot) => ({ slot, ...minutesOf(slot) }))
  const isTimed = ({ slot, fromMinute, endMinute }: (typeof spans)[number]) =>
    !slot.openingHours && endMinute - fromMinute <= minutesOfDay
  const times = spans.filter(isTimed).map(({ slot, fromMinute, endMinute }) => {
    const toMinute = Math.min(Math.max(endMinute, fromMinute + leastMinutes), maxHours * 60)
    return { slot, fromMinute, toMinute }
  })
  const inLanes = clustersOf(times).flatMap(placeCluster)
  const lanes = Math.max(0, ...inLanes.map((placed) => placed.lanes))
  const allDay = spans.filter((span) => !isTimed(span)).map(({ slot }) => slot)
  return lanes > maxShown
    ? { allDay, ...placeLines(times), lanes: 1 }
    : { allDay, timed: inLanes, more: [], lanes }
}

/** The axis that has room for the timeslots in `timed` of all these days. */
export function axisOf(days: readonly PlacedDay<unknown>[]): Axis {
  const timed = days.flatMap((day) => day.timed)
  if (timed.length === 0) return null
  const first = Math.floor(Math.min(...timed.map(({ fromMinute }) => fromMinute)) / 60)
  const last = Math.ceil(Math.max(...timed.map(({ toMinute }) => toMinute)) / 60)
  return { first, last }
}

/**
 * The start and the end in local time. When daylight saving time begins or ends, their difference is not the
 * real duration.
 */
function minutesOf({ date, time, localEnd }: SlotTimes): { fromMinute: number; endMinute: number } {
  const [hours, minutes] = time.split(':')
  const fromMinute = Number(hours) * 60 + Number(minutes)
  const endMinute = Math.round((Date.parse(`${localEnd}Z`) - Date.parse(`${date}T00:00:00Z`)) / 60_000)
  return { fromMinute, endMinute }
}

type Timed<Slot> = Pick<Placed<Slot>, 'slot' | 'fromMinute' | 'toMinute'>

/**
 * Groups timeslots that overlap directly or through others. Each group is ordered by start. Of several timeslots
 * with the same start, the longest comes first.
 */
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

/**
 * Gives each timeslot a lane, and widens the timeslot to the right, up to the next lane with an overlapping
 * timeslot.
 */
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

/**
 * Uses as few lanes as possible. A timeslot gets the next free lane to the right of the lane of the timeslot
 * before it. If there is none, it gets the first free lane, or a new lane.
 */
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
 * Places timeslots as lines below each other, each at its start or below the line before it. Of several
 * timeslots with the same start, the timeslots with bookings come first. Consecutive timeslots that would be
 * more than `maxDelayMinutes` below their start share one row. If a row has several timeslots, a link to the
 * day replaces them.
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
    const isLate = nextMinute - one.fromMinute > maxDelayMinutes
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
