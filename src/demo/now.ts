/**
 * Creates departures around now, so that the demo’s Today page has something to show at any hour: one that has just
 * begun, with two of the three people of its first party checked in, and the next ones.
 */
import type { Caller } from '../accounts/service.ts'
import { createTimeslot } from '../catalogue/timeslots/editing/service.ts'
import { byKey, keyActor } from '../events/actor.ts'
import { withoutRequest } from '../http/idempotent-request.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { addDays } from '../platform/text/calendar.ts'
import { recordAttendance } from '../sales/booking/changes/service.ts'
import { createBookingService } from '../sales/booking/service.ts'
import { nextCustomer, places } from './parties.ts'
import { type DemoTour, findDemoSlot, findTour, moveToDate } from './queries.ts'

const capacity = 12
const lastMinute = 24 * 60 - 1

export async function sellAroundNow(sql: Sql, operator: Caller, partner: Caller): Promise<void> {
  const tour = await findTour(sql, operator.accountId)
  if (!tour) return
  const { begun, next } = departuresAround(tour.minutes, tour.taken)
  const selling = { operator, partner, tour }
  if (begun !== null) await sellBegun(sql, selling, begun)
  for (const [index, minutes] of next.entries())
    await sellAt(sql, selling, { date: tour.date, minutes, parties: index === 0 ? [4, 2] : [2] })
}

/** Makes a departure that has begun, and checks in two people of its first party. */
async function sellBegun(sql: Sql, selling: Selling, minutes: number): Promise<void> {
  const { operator, tour } = selling
  // A departure that has begun cannot be sold. So it is created and sold for tomorrow, and then moved to today.
  const departure = { date: addDays(tour.date, 1), minutes, parties: [3, 2] }
  const { id, references } = await sellAt(sql, selling, departure)
  await moveToDate(sql, operator.accountId, id, tour.date)
  const subject = { accountId: operator.accountId, actor: keyActor(operator), reference: references[0]! }
  const here = { attendance: 'checked-in', people: 2 } as const
  await recordAttendance(sql, withoutRequest('demo', operator), subject, here)
}

type DemoDeparture = { date: string; minutes: number; parties: readonly number[] }
type Selling = { operator: Caller; partner: Caller; tour: DemoTour }

/** Makes a departure and sells it to these parties. */
async function sellAt(
  sql: Sql,
  { operator, partner, tour }: Selling,
  { date, minutes, parties }: DemoDeparture,
): Promise<{ id: number; references: string[] }> {
  const Time = timeAt(minutes)
  const slot = await runAgain(sql, (tx) =>
    createTimeslot(tx, byKey(operator), tour.productId, { Date: date, Time, Capacity: capacity }),
  )
  const sold = await findDemoSlot(sql, operator.accountId, slot.id)
  const references: string[] = []
  for (const participants of parties) {
    const { booking } = await createBookingService(sql).book({
      caller: partner,
      request: { ...places(sold, participants), Customer: nextCustomer() },
      idempotencyKey: undefined,
      isAwaited: () => true,
    })
    references.push(booking.BookingReference)
  }
  return { id: slot.id, references }
}

/**
 * The start times of departures around a minute of the day: one that began within the last half hour, or null if all of
 * these minutes are taken; and at most two that begin later on the same day, at least two minutes from now.
 * @param taken the minutes at which timeslots of the product already begin.
 */
export function departuresAround(
  now: number,
  taken: readonly number[],
): { begun: number | null; next: number[] } {
  const quarter = Math.floor(now / 15) * 15
  const isFree = (minutes: number) => !taken.includes(minutes)
  const lastMinutes = Array.from({ length: 30 }, (_, ago) => now - ago)
  const begun = [Math.max(0, quarter - 15), quarter, ...lastMinutes].find(
    (minutes) => minutes >= 0 && isFree(minutes),
  )
  const wanted = [quarter + 30, quarter + 90, now + Math.ceil((lastMinute - now) / 2), lastMinute]
  const next = wanted.filter((minutes) => minutes > now + 1 && minutes <= lastMinute && isFree(minutes))
  return {
    begun: begun ?? null,
    next: [...new Set(next)].sort((one, other) => one - other).slice(0, 2),
  }
}

function timeAt(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
