/**
 * Decides a batch of requests to book, against locked timeslots and with no I/O: who is granted places, who had been
 * before, and who is refused.
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
export type Granted = { booking: Attempt; bought: Bought; slot: PricedTimeslot }

/** Whether its places are only held, until the reseller confirms them. */
export function isHeld(granted: Granted): granted is Granted & { booking: { hold: NewHold } } {
  return granted.booking.hold !== null
}

/** A request to book. Its id is drawn before the first try and kept through every other. */
export type Attempt = NewBooking &
  Party & {
    id: number
    activity: string
    activityId: string
    date: string
    time: string
    claim: Claim | null
    /** What is made with it where it is held first; null for a booking that is confirmed at once. */
    hold: NewHold | null
    /** Whether an earlier try may have been committed unseen: its connection broke. */
    mayBeMade: boolean
    /** False once the client is gone, or has been answered that it took too long: then no place is sold to it any more. */
    isAwaited: () => boolean
  }

export type BookingOutcome =
  | { kind: 'made'; booking: BookingView; replayed: boolean }
  /** `wanted` is null where it is not known which places it would have taken. */
  | { kind: 'refused'; onSale: boolean; available: number; wanted: PlacesWanted | null }
  /** It breaks rules of its product. */
  | { kind: 'unpriced'; errors: FieldError[] }
  /** The idempotency key stands for another body. */
  | { kind: 'reused' }
  /** It has not been decided: its client is gone, or another attempt with its key came to nothing. It is to be tried again. */
  | { kind: 'again' }

export type Decision = { granted: Granted[]; decided: Map<Attempt, BookingOutcome> }

/** An earlier try of an attempt: when it made a booking, and what that has bought. */
export type MadeBooking = { createdAt: Date; bought: Bought }

/** First come, first served. `made` has what earlier tries made, by the ids of the bookings. */
export function decide(
  attempts: Attempt[],
  slots: PricedTimeslot[],
  made: ReadonlyMap<number, MadeBooking>,
): Decision {
  const byName = new Map(slots.map((slot) => [slotName(slot), slot]))
  // By place, not by id: the timeslots of a test account have the ids of those of its live account.
  const placeOf = new Map(slots.map((slot, place) => [slot, place]))
  const decided = new Map<Attempt, BookingOutcome>()
  const bidding: (Granted & { timeslotId: number; places: number })[] = []
  for (const attempt of attempts) {
    const slot = byName.get(slotName(attempt))
    const earlier = made.get(attempt.id)
    const { bought, errors } = slot && !earlier ? priceParty(attempt, slot, slot.capacity) : {}
    if (earlier) decided.set(attempt, asMade(attempt, earlier.bought, earlier.createdAt))
    else if (!slot?.onSale) {
      const wanted = bought ? placesWanted(bought) : null
      decided.set(attempt, { kind: 'refused', onSale: false, available: 0, wanted })
    } else if (!bought) decided.set(attempt, { kind: 'unpriced', errors: errors! })
    else
      bidding.push({ booking: attempt, bought, slot, timeslotId: placeOf.get(slot)!, places: bought.places })
  }
  const allocations = allocate(new Map(slots.map(({ free }, place) => [place, free])), bidding)
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

/** The timeslots with held places on which somebody was refused: the only ones where a hold's end matters now. */
export function findHeldFrom({ decided }: Decision, slots: PricedTimeslot[]): PricedTimeslot[] {
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

/** What the answer to a booking says that is known before it is made: not the time, nor what it costs. */
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

/** What some people have bought who are sold places plainly. */
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

/** What a timeslot is known by, locked or asked for. */
export function slotName({
  accountId,
  activity,
  date,
  time,
}: Pick<Attempt, 'accountId' | 'activity' | 'date' | 'time'>) {
  return `${accountId} ${activity} ${date} ${time}`
}
