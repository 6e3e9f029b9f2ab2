/**
 * Decides a batch of booking attempts against locked timeslots, without I/O: which get places, which got them in an
 * earlier try, and which are refused.
 */

import { isTestAccount } from '../../accounts/model.ts'
import type { NewHold } from '../../inventory/hold-model.ts'
import type { PricedTimeslot } from '../../inventory/lock-queries.ts'
import { allocate } from '../../inventory/model.ts'
import type { SoldUnit } from '../../inventory/sale-queries.ts'
import type { Bought, NewBooking } from '../../inventory/service.ts'
import type { Claim } from '../../platform/postgres/idempotency.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { boughtView } from './bought-view.ts'
import { type Party, type PlacesWanted, placesWanted, priceParty } from './pricing.ts'
import type { BookingView } from './schemas.ts'

/** A booking that has got its places. */
export type GrantedBooking = { booking: Attempt; bought: Bought; slot: PricedTimeslot }

/** Whether its places are only held, until the reseller confirms them. */
export function isHeld(granted: GrantedBooking): granted is GrantedBooking & { booking: { hold: NewHold } } {
  return granted.booking.hold !== null
}

/** A request to book. Its id is drawn before the first try, and further tries keep it. */
export type Attempt = NewBooking &
  Party & {
    id: number
    activity: string
    activityId: string
    date: string
    time: string
    claim: Claim | null
    /** The attempt is refused with these errors, unless its key or an earlier try has made the booking. */
    answerErrors: readonly FieldError[]
    /** The hold to make with it; null for a booking that is confirmed at once. */
    hold: NewHold | null
    /** Whether an earlier try may have been committed, because its connection broke. */
    mayBeMade: boolean
    /** False after the client has disconnected or its request has timed out. No place is sold to it then. */
    isAwaited: () => boolean
  }

export type BookingOutcome =
  | { kind: 'made'; booking: BookingView; replayed: boolean }
  /** `wanted` is null if it is not known which places the attempt needs. */
  | { kind: 'refused'; onSale: boolean; available: number; wanted: PlacesWanted | null }
  /**
   * The party breaks rules of the product or names a unit that the product does not have, or an answer is to
   * a question that the product does not ask.
   */
  | { kind: 'invalid'; errors: FieldError[] }
  /** The idempotency key was used with another request body. */
  | { kind: 'reused' }
  /**
   * Not decided, and to be tried again: the client is gone, or an attempt with the same key and another body
   * made no booking.
   */
  | { kind: 'again' }

export type Decision = { granted: GrantedBooking[]; decided: Map<Attempt, BookingOutcome> }

/** The booking that an earlier try of an attempt made: its time, and what it bought. */
export type MadeBooking = { createdAt: Date; bought: Bought }

/** Decides the attempts, first come, first served. @param made the bookings of earlier tries, by id. */
export function decide(
  attempts: Attempt[],
  slots: PricedTimeslot[],
  made: ReadonlyMap<number, MadeBooking>,
): Decision {
  const byName = new Map(slots.map((slot) => [slotName(slot), slot]))
  // By index and not by id, because a test account has timeslots with the ids of its live account.
  const indexOf = new Map(slots.map((slot, index) => [slot, index]))
  const decided = new Map<Attempt, BookingOutcome>()
  const bidding: (GrantedBooking & { timeslotId: number; places: number })[] = []
  for (const attempt of attempts) {
    const slot = byName.get(slotName(attempt))
    const earlier = made.get(attempt.id)
    const { answerErrors } = attempt
    const { bought, errors } = slot && !earlier ? priceParty(attempt, slot, slot.capacity) : {}
    if (earlier) decided.set(attempt, asMade(attempt, earlier.bought, earlier.createdAt))
    else if (answerErrors.length > 0) decided.set(attempt, { kind: 'invalid', errors: [...answerErrors] })
    else if (!slot?.onSale) {
      const wanted = bought ? placesWanted(bought) : null
      decided.set(attempt, { kind: 'refused', onSale: false, available: 0, wanted })
    } else if (!bought) decided.set(attempt, { kind: 'invalid', errors: errors! })
    else
      bidding.push({ booking: attempt, bought, slot, timeslotId: indexOf.get(slot)!, places: bought.places })
  }
  const allocations = allocate(new Map(slots.map(({ free }, index) => [index, free])), bidding)
  const granted = bidding.filter((_, index) => allocations[index]!.granted)
  for (const [index, { booking, bought }] of bidding.entries()) {
    const allocation = allocations[index]!
    const wanted = placesWanted(bought)
    decided.set(
      booking,
      allocation.granted
        ? asMade(booking, bought, slots[0]!.now)
        : { kind: 'refused', onSale: true, available: allocation.available, wanted },
    )
  }
  return { granted, decided }
}

/**
 * The timeslots on sale that have held places and on which an attempt was refused. The release of expired holds can
 * change the decision only for these timeslots.
 */
export function listRefusedSlotsWithHolds({ decided }: Decision, slots: PricedTimeslot[]): PricedTimeslot[] {
  const short = new Set(
    [...decided].flatMap(([attempt, outcome]) =>
      outcome.kind === 'refused' && outcome.onSale ? [slotName(attempt)] : [],
    ),
  )
  return slots.filter((slot) => slot.held > 0 && short.has(slotName(slot)))
}

/** The outcome of an attempt whose booking was made at this time. */
export function asMade(attempt: Attempt, bought: Bought, createdAt: Date): BookingOutcome {
  return { kind: 'made', booking: bookingView(attempt, bought, createdAt.toISOString()), replayed: false }
}

function bookingView(attempt: Attempt, bought: Bought, createdAt: string): BookingView {
  const { Participants, Units, Total } = boughtView(bought)
  return Object.assign(describeMade(attempt, Participants), { Units, Total, CreatedAt: createdAt })
}

/**
 * The parts of a booking's response that are known before it is made: all but the units, the price and the
 * time of creation.
 */
export function describeMade(attempt: Attempt, participants: number): MadeView {
  const view: MadeView = {
    BookingReference: attempt.reference,
    Status: 'confirmed',
    ActivityID: attempt.activityId,
    Date: attempt.date,
    Time: attempt.time,
    Participants: participants,
    PaymentReference: attempt.paymentReference,
  }
  if (isTestAccount(attempt.accountId)) view.TestMode = true
  return view
}

type MadeView = Omit<BookingView, 'CreatedAt' | 'Units' | 'Total' | 'Discount'>

/**
 * The purchase of a number of people: places of a product without units, or one of the product's default unit
 * for each person.
 */
export function boughtPlainly(participants: number, { priceMinor, currency, unit }: SoldUnit): Bought {
  return {
    places: participants,
    participants,
    units: unit && [{ ...unit, quantity: participants, priceMinor }],
    unitPriceMinor: priceMinor,
    currency,
    pricedPerBooking: false,
    takesTimeslot: false,
    discountMinor: '0',
    commissionBp: null,
    netMinor: null,
  }
}

/**
 * A text that identifies a timeslot: equal for the request and for the locked timeslot, and unique over all
 * accounts.
 */
export function slotName({
  accountId,
  activity,
  date,
  time,
}: Pick<Attempt, 'accountId' | 'activity' | 'date' | 'time'>) {
  return `${accountId} ${activity} ${date} ${time}`
}
