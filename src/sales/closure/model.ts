/** Pure rules of closures: what becomes of a timeslot that is to be closed with every booking on it. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { TimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { placesOfWhole } from '../../inventory/service.ts'

/** A timeslot and who is on it. */
export type Situation = {
  id: number
  productId: number
  date: string
  time: string
  /** Null unless it is all-day. */
  openingHours: OpeningPeriod[] | null
  isOpen: boolean
  /** Whether the last customer may have come: an all-day timeslot has begun once it has closed. */
  hasBegun: boolean
  confirmed: number
  /** What confirmed bookings take, but for those that take the whole timeslot. */
  places: number
  /** How many people have confirmed bookings of the whole timeslot, of each. */
  partiesOfWhole: number[]
  /** Confirmed bookings with an address. */
  mailable: number
  held: number
  waitlisted: number
  /** References of those who are sent no e-mail: who holds or waits, and confirmed bookings without an address. */
  unmailable: string[]
}

/** Where bookings are to go. */
export type ClosureTarget = TimeslotAt

/** How many places of a target its bookings take. A booking of a whole timeslot takes all of it. */
export function placesNeeded({ places, partiesOfWhole }: Situation, { capacity }: ClosureTarget): number {
  return partiesOfWhole.reduce((sum, people) => sum + placesOfWhole(capacity, people), places)
}

export type Result = {
  timeslotId: number
  productId: number
  date: string
  time: string
  /** Answers kept from before there were all-day timeslots have none. */
  openingHours?: OpeningPeriod[] | null
  result: 'closed' | 'already-closed' | 'left'
  cancelled: number
  moved: number
  released: number
  waitlistEnded: number
  emailed: number
  /** References of those whom only a person can tell. Answers kept from before there was such a list have none. */
  untold?: string[]
  /** What the operator is to pay back of its cancelled bookings. Answers kept from before there were refunds have none. */
  refunds?: RefundSum[]
  /** What partners are to pay back of theirs. In older answers it is part of `refunds`. */
  partnerRefunds?: RefundSum[]
  movedTo: (Pick<ClosureTarget, 'id' | 'date' | 'time'> & { openingHours?: OpeningPeriod[] | null }) | null
  reason: 'begun' | 'target-unavailable' | 'insufficient-capacity' | null
  /** Places free on the target, where they are too few. */
  available: number | null
}

/** Money in minor units, in digits: more than a number holds exactly, and kept as JSON. */
export type RefundSum = { minor: string; currency: string }

/** One sum for each currency, in the order of their codes. */
export function sumRefunds(refunds: readonly RefundSum[]): RefundSum[] {
  const sums = new Map<string, bigint>()
  for (const { minor, currency } of refunds) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor))
  const currencies = [...sums.keys()].sort()
  return currencies.map((currency) => ({ minor: String(sums.get(currency)), currency }))
}

/** What an e-mail about a closure has to say, as `emails.details` holds it. */
export type ClosureNotice = {
  /** The operator’s own words. */
  Message: string | null
  Action: 'cancelled' | 'moved'
  FromDate: string
  FromTime: string
  /** True if it had opening hours instead of a start. */
  FromAllDay?: boolean
}

/** What closing several timeslots comes to. */
export function totalsOf(results: readonly Result[]) {
  const sum = (part: (result: Result) => number) => results.reduce((total, result) => total + part(result), 0)
  const withResult = (kind: Result['result']) => sum(({ result }) => (result === kind ? 1 : 0))
  return {
    closed: withResult('closed'),
    alreadyClosed: withResult('already-closed'),
    left: withResult('left'),
    cancelled: sum(({ cancelled }) => cancelled),
    moved: sum(({ moved }) => moved),
    released: sum(({ released }) => released),
    waitlistEnded: sum(({ waitlistEnded }) => waitlistEnded),
    emailed: sum(({ emailed }) => emailed),
    refunds: sumRefunds(results.flatMap(({ refunds = [] }) => refunds)),
    partnerRefunds: sumRefunds(results.flatMap(({ partnerRefunds = [] }) => partnerRefunds)),
  }
}

/**
 * All or nothing: it is closed with every booking cancelled or moved, or, where the target cannot take all of them,
 * left as it is. One that is closed and has nobody on it any more is done.
 * @param target where bookings are to be moved; undefined when they are to be cancelled, null when there is none.
 */
export function decideClosure(situation: Situation, target: ClosureTarget | null | undefined): Result {
  const { id, productId, date, time, openingHours, confirmed, held, waitlisted } = situation
  const left: Result = {
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
