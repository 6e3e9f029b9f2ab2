/**
 * Which booking was in which timeslot when, as far as the history proves it: for any interval, how many
 * places were certainly taken all the time, and how many may have been taken at some moment.
 */
import type { FinalState } from './final-state.ts'
import {
  answerOf,
  group,
  type History,
  type Line,
  mayHaveActed,
  type Operation,
  operationsOf,
  spanOf,
} from './history.ts'

/**
 * A booking in a timeslot: certainly there from `surelyFrom` to `mayEnd`, and possibly from `mayBegin` to
 * `surelyGone`.
 */
export type Stay = {
  slot: string
  participants: number
  mayBegin: number
  surelyFrom: number
  mayEnd: number
  surelyGone: number
}
export type Interval = { from: number; to: number }
/**
 * `least`: places certainly taken during the whole interval. `most`: an upper bound of those taken at any
 * moment.
 */
export type Bounds = { least: number; most: number }

const never = Number.POSITIVE_INFINITY

/** The stays of every booking, including those of operations with an unknown outcome. */
export function listStays(history: History, final: FinalState): Stay[] {
  const known = begin(history, final)
  const order = (operation: Operation) => spanOf(operation).invoked
  for (const operation of history.operations.toSorted((one, other) => order(one) - order(other))) {
    if (mayHaveActed(operation)) change(operation, known)
  }
  return [...known.ofBooking.values()].flat()
}

type Known = {
  ofBooking: Map<string, Stay[]>
  /** References by the id of the basket, and of the entry on the waitlist. */
  ofBasket: Map<number, string[]>
  ofEntry: Map<number, string>
}

function begin(history: History, { bookings }: FinalState): Known {
  const known: Known = { ofBooking: new Map(), ofBasket: new Map(), ofEntry: new Map() }
  const add = (operation: Operation, reference: string, { slot, participants }: Line) => {
    const { invoked, acknowledged } = spanOf(operation)
    // A hold may expire; it is certain when it is paid. A waiting party may never get an offer.
    const surelyFrom = operation.kind === 'book' ? acknowledged : never
    const stay = { slot, participants, mayBegin: invoked, surelyFrom, mayEnd: never, surelyGone: never }
    known.ofBooking.set(reference, [stay])
  }
  const byPayment = group(bookings, ({ payment }) => payment)
  const byEmail = group(bookings, ({ email }) => email)
  for (const operation of operationsOf(history, 'book'))
    for (const { reference } of byPayment.get(operation.request.payment) ?? [])
      add(operation, reference, operation.request)
  for (const operation of [...operationsOf(history, 'hold'), ...operationsOf(history, 'join')])
    for (const booking of byEmail.get(operation.request.email) ?? [])
      add(operation as Operation, booking.reference, booking)
  for (const { basketId, reference } of bookings)
    known.ofBasket.set(basketId, [...(known.ofBasket.get(basketId) ?? []), reference])
  for (const operation of operationsOf(history, 'join')) {
    const answer = answerOf(operation)
    if (answer) known.ofEntry.set(answer.waitlistId, answer.reference)
  }
  return known
}

function change(operation: Operation, { ofBooking, ofBasket, ofEntry }: Known): void {
  const { invoked, acknowledged } = spanOf(operation)
  const leaves = (reference: string) => {
    for (const stay of ofBooking.get(reference) ?? []) {
      stay.mayEnd = Math.min(stay.mayEnd, invoked)
      stay.surelyGone = Math.min(stay.surelyGone, acknowledged)
    }
  }
  if (operation.kind === 'cancel') leaves(operation.request.reference)
  if (operation.kind === 'leave') leaves(ofEntry.get(operation.request.waitlistId) ?? '')
  if (operation.kind === 'move') {
    const { reference, slot } = operation.request
    const stays = ofBooking.get(reference)
    // Other rules find a lost booking.
    if (!stays) return
    leaves(reference)
    const { participants } = stays[0]!
    const there = { mayBegin: invoked, surelyFrom: acknowledged, mayEnd: never, surelyGone: never }
    stays.push({ slot, participants, ...there })
  }
  if (operation.kind === 'pay') {
    const references = ofBasket.get(operation.request.basketId) ?? []
    if (operation.request.type === 'failed') references.forEach(leaves)
    else
      for (const [stay] of references.flatMap((reference) => [ofBooking.get(reference) ?? []]))
        if (stay) stay.surelyFrom = acknowledged
  }
}

const bucketMs = 1000

/**
 * Returns a function that bounds the taken places of a timeslot in an interval. It is fast for intervals of a
 * few seconds in a history of any length.
 */
export function createOccupancy(stays: readonly Stay[]): (slot: string, interval: Interval) => Bounds {
  const lasting = group(
    stays.filter(({ surelyGone }) => surelyGone === never),
    ({ slot }) => slot,
  )
  const passing = group(
    stays.flatMap((stay) =>
      stay.surelyGone === never
        ? []
        : bucketsOf(stay.slot, { from: stay.mayBegin, to: stay.surelyGone }).map((bucket) => ({
            bucket,
            stay,
          })),
    ),
    ({ bucket }) => bucket,
  )
  return (slot, interval) => {
    const near = new Set(lasting.get(slot))
    for (const bucket of bucketsOf(slot, interval))
      for (const { stay } of passing.get(bucket) ?? []) near.add(stay)
    const bounds = { least: 0, most: 0 }
    for (const { participants, mayBegin, surelyFrom, mayEnd, surelyGone } of near) {
      if (surelyFrom <= interval.from && mayEnd >= interval.to) bounds.least += participants
      if (mayBegin <= interval.to && surelyGone >= interval.from) bounds.most += participants
    }
    return bounds
  }
}

/** A name for each second that an interval touches. */
function bucketsOf(slot: string, { from, to }: Interval): string[] {
  const [first, last] = [from, to].map((at) => Math.floor(at / bucketMs)) as [number, number]
  return Array.from({ length: last - first + 1 }, (_, index) => `${slot} ${first + index}`)
}
