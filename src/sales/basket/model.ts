/**
 * Pure rules of baskets: the total, the line whose customer gets the receipt, the lines that a payment
 * confirms, and the line that an error names when there are too few places.
 */

import type { BookingStatus } from '../../inventory/model.ts'
import { allocate } from '../../inventory/model.ts'
import { type Bought, type Customer, type Shortage, totalOf } from '../../inventory/service.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'

type Priced = Bought & { status: BookingStatus }

export type Total = { minor: bigint; currency: string }

/** The exact total of the lines that are not cancelled; null if there are none. */
export function sumLines(lines: readonly Priced[]): Total | null {
  const counted = lines.filter(({ status }) => status !== 'cancelled')
  const currency = counted[0]?.currency
  if (currency === undefined) return null
  const minor = counted.reduce((sum, line) => sum + totalOf(line), 0n)
  return { minor, currency }
}

/** Whether an amount on the wire is exactly this total. */
export function isTotal(total: Total, amount: string, currency: string): boolean {
  return currency === total.currency && toExactMinorUnits(amount, currency) === total.minor
}

/**
 * The line whose customer counts as the customer of the sale and gets the receipt: the first confirmed line, else
 * the first line that is not cancelled, else the first line. The lines may have different customers, because the
 * customer of each line can be changed separately.
 */
export function contactLineOf<T extends { status: BookingStatus }>(lines: readonly T[]): T | undefined {
  return (
    lines.find(({ status }) => status === 'confirmed') ??
    lines.find(({ status }) => status !== 'cancelled') ??
    lines[0]
  )
}

/** The lines that have another customer than this one. */
export function withOtherCustomer<T extends Customer>(lines: readonly T[], customer: Customer): T[] {
  const fields = ['firstName', 'lastName', 'email', 'phone'] as const
  return lines.filter((line) => fields.some((field) => line[field] !== customer[field]))
}

/** Whether a payment confirms a line: a held line, or a line whose hold has expired. */
export function isPayable({ status }: { status: BookingStatus }): boolean {
  return status === 'held' || status === 'expired'
}

export type RequestedPlaces = { timeslotId: number; places: number }
export type RefusedLine = { index: number; onSale: boolean; available: number }

/**
 * The line to name in the error when the lines together do not fit: the first that does not get its places if
 * the lines take places one after another.
 * @param shortages of the timeslots with too few places; at least one.
 */
export function findRefused(lines: readonly RequestedPlaces[], shortages: readonly Shortage[]): RefusedLine {
  const short = new Map(shortages.map((shortage) => [shortage.timeslotId, shortage]))
  const free = new Map(shortages.map(({ timeslotId, available }) => [timeslotId, available]))
  const asking = lines
    .map((line, index) => ({ ...line, index }))
    .filter(({ timeslotId }) => short.has(timeslotId))
  const allocations = allocate(free, asking)
  const place = allocations.findIndex(({ granted }) => !granted)
  const { index, timeslotId } = asking[place]!
  const allocation = allocations[place]!
  const available = allocation.granted ? 0 : allocation.available
  return { index, onSale: short.get(timeslotId)!.onSale, available }
}
