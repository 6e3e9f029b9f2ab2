/** Moving a booking to another timeslot, and changing its size: what it has is kept until what it needs is secured. */
import { activityUuid } from '../../../catalogue/model.ts'
import { findTimeslotAt } from '../../../catalogue/timeslots/editing/service.ts'
import { problems } from '../../../http/problems.ts'
import { PlacesRefused } from '../../../inventory/alternatives.ts'
import { changeBookings, findShortages } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { checkStatus, lockStanding, readStanding, type Subject } from './locking.ts'
import { findProduct } from './queries.ts'

/** `activityId` is null for the product that is booked. */
export type MoveTarget = { activityId: string | null; date: string; time: string }

/**
 * Moves a confirmed booking, at the price it has; whether its party came is forgotten. A move to where it is
 * changes nothing.
 * @throws Problem not-found, validation for an unknown ActivityID, booking-not-changeable; PlacesRefused.
 */
export async function move(
  tx: Transaction,
  subject: Subject,
  { activityId, date, time }: MoveTarget,
): Promise<void> {
  const { accountId, actor } = subject
  const standing = await readStanding(tx, subject)
  const product = activityId === null ? standing : await findProduct(tx, accountId, activityUuid(activityId))
  if (!product) throw problems.validation([{ field: 'ActivityID', message: 'is not that of a product' }])
  const { productId, activity } = product
  const timeslotId = (await findTimeslotAt(tx, accountId, { productId, date, time }))?.id ?? null
  const { booking } = await lockStanding(tx, subject, standing, timeslotId === null ? [] : [timeslotId])
  checkStatus(booking, 'move')
  if (timeslotId === booking.timeslotId) return
  const wanted = { accountId, activity, date, time, participants: booking.participants }
  if (timeslotId === null) throw new PlacesRefused(wanted, { onSale: false, available: 0 })
  const [shortage] = await findShortages(tx, [{ from: booking, to: { ...booking, timeslotId } }])
  if (shortage) throw new PlacesRefused(wanted, shortage)
  const details = {
    From: {
      ProductID: standing.productId,
      TimeslotID: booking.timeslotId,
      Date: standing.date,
      Time: standing.time,
    },
    To: { ProductID: productId, TimeslotID: timeslotId, Date: date, Time: time },
  }
  await changeBookings(tx, actor, [{ booking, to: { timeslotId }, action: 'moved', details }])
}

/**
 * Makes a confirmed booking larger or smaller; the same size changes nothing.
 * @throws Problem not-found or booking-not-changeable; PlacesRefused.
 */
export async function amend(tx: Transaction, subject: Subject, participants: number): Promise<void> {
  const { accountId, actor } = subject
  const standing = await readStanding(tx, subject)
  const { booking } = await lockStanding(tx, subject, standing)
  checkStatus(booking, 'amend')
  if (participants === booking.participants) return
  const [shortage] = await findShortages(tx, [{ from: booking, to: { ...booking, participants } }])
  if (shortage) throw new PlacesRefused({ ...standing, accountId, participants }, shortage)
  const details = { From: booking.participants, To: participants }
  await changeBookings(tx, actor, [{ booking, to: { participants }, action: 'amended', details }])
}
