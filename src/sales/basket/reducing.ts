/** The till's reduction of a sale: an amount or a percentage with a reason, in addition to a promotion. */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { type Bought, bookingEvent, type EventBooking, totalOf } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { percentOf, toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { shareUpTo, toReduction } from '../promotion/model.ts'
import type { Total } from './model.ts'
import { updateReductions } from './reduction-queries.ts'
import type { TillReduction } from './till-schemas.ts'

/**
 * Reduces bookings that are sold together, in proportion to their prices, and writes an event for each
 * reduced booking.
 * @returns all of the bookings, with their new discounts.
 * @throws Problem validation for a reduction of 0, or of more than their total.
 */
export async function reduceSale<Sold extends EventBooking & Bought>(
  tx: Transaction,
  by: Authorship,
  bookings: readonly Sold[],
  reduction: TillReduction | undefined,
): Promise<Sold[]> {
  if (!reduction) return [...bookings]
  const totals = bookings.map(totalOf)
  const { currency } = bookings[0]!
  const total = { minor: totals.reduce((sum, minor) => sum + minor, 0n), currency }
  const shares = shareUpTo(readReduction(reduction, total), totals)
  const reduced = bookings.flatMap((booking, index) => {
    const minor = shares[index]!
    return minor === 0n ? [] : [{ booking, minor }]
  })
  await updateReductions(
    tx,
    by.accountId,
    reduction.Reason.trim(),
    reduced.map(({ booking: { id }, minor }) => ({ id, minor })),
  )
  await appendEvents(
    tx,
    reduced.map(({ booking, minor }) =>
      bookingEvent(by, booking, { action: 'reduced', details: toMoney(minor, currency) }),
    ),
  )
  return bookings.map((booking, index) => {
    return { ...booking, discountMinor: String(BigInt(booking.discountMinor) + shares[index]!) }
  })
}

/**
 * The amount by which a reduction reduces a total, in minor units.
 * @throws Problem validation unless exactly one of amount and percentage is given and valid; and for a
 *   reduction of 0, or of more than the total.
 */
export function readReduction(reduction: TillReduction, total: Total): bigint {
  const { minor, error } = minorOf(reduction, total)
  if (error) throw problems.validation([error])
  const field = reduction.Percent === undefined ? 'Reduction.Amount' : 'Reduction.Percent'
  const { Amount, Currency } = toMoney(total.minor, total.currency)
  if (minor > total.minor) throw refused(field, `must be at most the total, ${Amount} ${Currency}`)
  if (minor === 0n) throw refused(field, `takes nothing off the total, ${Amount} ${Currency}`)
  return minor
}

function refused(field: string, message: string): Error {
  return problems.validation([{ field, message }])
}

type ReductionRead = { minor: bigint; error?: never } | { minor?: never; error: FieldError }

function minorOf({ Amount, Percent }: TillReduction, { minor: total, currency }: Total): ReductionRead {
  if (Amount !== undefined && Percent !== undefined)
    return { error: { field: 'Reduction.Percent', message: 'must not be given with Amount' } }
  if (Amount !== undefined) {
    const minor = toExactMinorUnits(Amount, currency)
    if (minor !== null) return { minor }
    return { error: { field: 'Reduction.Amount', message: `must be an amount of ${currency}` } }
  }
  if (Percent === undefined)
    return { error: { field: 'Reduction.Amount', message: 'is required unless Percent is given' } }
  const basisPoints = toReduction(Percent)
  if (basisPoints !== null) return { minor: percentOf(total, basisPoints) }
  return { error: { field: 'Reduction.Percent', message: 'must be above 0 and at most 100' } }
}
