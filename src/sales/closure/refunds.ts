/** The refunds of a closure: their instruction, the price drops that they follow from, and their sums. Pure. */
import { type Booking, type Bought, totalOf } from '../../inventory/service.ts'
import type { PriceDrop, RefundPlan } from '../ledger/refund-plan.ts'
import { sumRefunds, type TimeslotClosure } from './model.ts'
import type { ClosureRequest } from './schemas.ts'

/** The refund instruction of a closure. A closure is the operator's own cancellation, not the customer's. */
export function refundOrderOf({ Refund }: ClosureRequest) {
  return { request: Refund, isOperatorsOwn: true }
}

/** The price drops of bookings that a closure cancels: from their total to 0. */
export function dropsOf(bookings: readonly (PriceDrop['booking'] & Bought)[]): PriceDrop[] {
  return bookings.map((booking) => ({
    booking,
    droppedMinor: totalOf(booking),
    newTotalMinor: 0n,
    cause: 'closed',
  }))
}

/** Sums the refunds of these bookings: those that the operator pays, and those that partners pay. */
export function refundsIn(
  bookings: readonly Pick<Booking, 'id' | 'currency' | 'channel'>[],
  { refundingOf }: RefundPlan,
): Required<Pick<TimeslotClosure, 'refunds' | 'partnerRefunds'>> {
  const sum = (areByPartners: boolean) =>
    sumRefunds(
      bookings.flatMap(({ id, currency, channel }) => {
        const { refundMinor } = refundingOf(id)
        const isMeant = refundMinor !== undefined && (channel === 'partner') === areByPartners
        return isMeant ? [{ minor: String(refundMinor), currency }] : []
      }),
    )
  return { refunds: sum(false), partnerRefunds: sum(true) }
}
