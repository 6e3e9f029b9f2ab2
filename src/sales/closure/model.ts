/** Pure rules of closures: what happens to a timeslot and to every booking on it. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { TimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { placesOfWhole } from '../../inventory/service.ts'

/** A timeslot with the numbers of its bookings of each kind. */
export type TimeslotWithBookings = {
  id: number
  productId: number
  date: string
  time: string
  /** Null unless the timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  isOpen: boolean
  /**
   * Whether the timeslot has begun. An all-day timeslot counts as begun when its last opening period has
   * ended.
   */
  hasBegun: boolean
  confirmed: number
  /** The places of confirmed bookings, without those that take the whole timeslot. */
  places: number
  /** For each confirmed booking that takes the whole timeslot: its number of people. */
  partiesOfWhole: number[]
  /** The number of confirmed bookings with an e-mail address. */
  mailable: number
  held: number
  waitlisted: number
  /** References of bookings that get no e-mail: held and waiting ones, and confirmed ones without an address. */
  unmailable: string[]
}

/** The timeslot that the bookings of a closed timeslot move to. */
export type ClosureTarget = TimeslotAt

/**
 * How many places the confirmed bookings of a timeslot need on a target. A booking of the whole timeslot
 * needs the capacity of the target, or one place for each of its people if these are more.
 */
export function placesNeeded(
  { places, partiesOfWhole }: TimeslotWithBookings,
  { capacity }: ClosureTarget,
): number {
  return partiesOfWhole.reduce((sum, people) => sum + placesOfWhole(capacity, people), places)
}

export type TimeslotClosure = {
  timeslotId: number
  productId: number
  date: string
  time: string
  /** Old stored responses have none. */
  openingHours?: OpeningPeriod[] | null
  result: 'closed' | 'already-closed' | 'left'
  cancelled: number
  moved: number
  released: number
  waitlistEnded: number
  emailed: number
  /** References of bookings whose customers get no e-mail, as in `unmailable`. Old stored responses have none. */
  untold?: string[]
  /** The refunds by the operator for its own cancelled bookings. Old stored responses have none. */
  refunds?: RefundSum[]
  /** The refunds by partners for their bookings. In older stored responses they are part of `refunds`. */
  partnerRefunds?: RefundSum[]
  movedTo: (Pick<ClosureTarget, 'id' | 'date' | 'time'> & { openingHours?: OpeningPeriod[] | null }) | null
  reason: 'begun' | 'target-unavailable' | 'insufficient-capacity' | null
  /** The free places of the target, if they are too few. */
  available: number | null
}

/** Money in minor units, as digits: it may be larger than a number holds exactly, and is stored as JSON. */
export type RefundSum = { minor: string; currency: string }

/** One sum for each currency, in the order of their codes. */
export function sumRefunds(refunds: readonly RefundSum[]): RefundSum[] {
  const sums = new Map<string, bigint>()
  for (const { minor, currency } of refunds) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor))
  const currencies = [...sums.keys()].sort()
  return currencies.map((currency) => ({ minor: String(sums.get(currency)), currency }))
}

/** The content of `emails.details` for an e-mail about a closure. */
export type ClosureNotice = {
  /** The operator's text. */
  Message: string | null
  Action: 'cancelled' | 'moved'
  FromDate: string
  FromTime: string
  /** True if the closed timeslot was all-day. */
  FromAllDay?: boolean
}

/** The sums of the results of several timeslots. */
export function totalsOf(results: readonly TimeslotClosure[]) {
  const sum = (part: (result: TimeslotClosure) => number) =>
    results.reduce((total, result) => total + part(result), 0)
  const withResult = (kind: TimeslotClosure['result']) => sum(({ result }) => (result === kind ? 1 : 0))
  return {
    closed: withResult('closed'),
    alreadyClosed: withResult('already-closed'),
    left: withResult('left'),
    cancelled: sum(({ cancelled }) => cancelled),
    moved: sum(({ moved }) => moved),
    released: sum(({ released }) => released),
    waitlistEnded: sum(({ waitlistEnded }) => waitlistEnded),
    emailed: sum(({ emailed }) => emailed),
    untold: sum(({ untold = [] }) => untold.length),
    refunds: sumRefunds(results.flatMap(({ refunds = [] }) => refunds)),
    partnerRefunds: sumRefunds(results.flatMap(({ partnerRefunds = [] }) => partnerRefunds)),
  }
}

/**
 * Decides what a closure does to a timeslot. Either the timeslot is closed, its confirmed bookings are
 * cancelled or moved and its holds and waitlist end; or nothing changes. If the timeslot was closed before
 * and has no bookings, the result is `already-closed`.
 * @param target the timeslot that the bookings move to, as from findTarget(): undefined if the bookings are
 *   cancelled; null if there is no such timeslot.
 */
export function decideClosure(
  situation: TimeslotWithBookings,
  target: ClosureTarget | null | undefined,
): TimeslotClosure {
  const { id, productId, date, time, openingHours, confirmed, held, waitlisted } = situation
  const left: TimeslotClosure = {
    ...{ timeslotId: id, productId, date, time, openingHours, result: 'left' },
    ...{ cancelled: 0, moved: 0, released: 0, waitlistEnded: 0, emailed: 0, untold: [] },
    ...{ refunds: [], partnerRefunds: [] },
    ...{ movedTo: null, reason: null, available: null },
  }
  if (situation.hasBegun) return { ...left, reason: 'begun' }
  if (!situation.isOpen && confirmed + held + waitlisted === 0) return { ...left, result: 'already-closed' }
  const moves = target !== undefined && confirmed > 0
  if (moves && !target?.onSale) return { ...left, reason: 'target-unavailable' }
  if (moves && target!.available < placesNeeded(situation, target!))
    return { ...left, reason: 'insufficient-capacity', available: target!.available }
  return {
    ...left,
    result: 'closed',
    cancelled: moves ? 0 : confirmed,
    moved: moves ? confirmed : 0,
    released: held,
    waitlistEnded: waitlisted,
    emailed: situation.mailable,
    untold: situation.unmailable,
    movedTo: moves ? placeOf(target!) : null,
  }
}

function placeOf({ id, date, time, openingHours }: ClosureTarget) {
  return { id, date, time, openingHours }
}
