/** Whether a workflow’s e-mail is still needed when it is about to be sent. Pure. */
import type { BookingFacts, WorkflowFacts } from './facts.ts'

/**
 * `drop`: never send it. `reschedule`: it is not due yet, because the booking moved or the workflow's offset
 * changed.
 */
export type Objection = { kind: 'drop' | 'reschedule'; reason: string }

const drop = (reason: string): Objection => ({ kind: 'drop', reason })
const reschedule: Objection = {
  kind: 'reschedule',
  reason:
    'It is not due yet, because the booking or the workflow was changed. Another e-mail is sent when it is due.',
}

/** Returns why the e-mail must not be sent at `now`; null if it may be sent. */
export function objectionTo(
  { trigger, offsetMinutes, productId, active }: WorkflowFacts,
  { status, attendance, productId: bookedId, startsAt, endsAt }: BookingFacts,
  now: Date,
): Objection | null {
  if (!active) return drop('The workflow is switched off.')
  if (productId !== null && productId !== bookedId) return drop('The booking is now for another product.')
  const expectedStatus = trigger === 'booking-cancelled' ? 'cancelled' : 'confirmed'
  if (status !== expectedStatus) return drop(`The booking is ${status}.`)
  if (trigger === 'before-start') {
    if (startsAt <= now) return drop('The timeslot has begun.')
    if (startsAt.getTime() - offsetMinutes * 60_000 > now.getTime()) return reschedule
  }
  if (trigger === 'after-end') {
    if (attendance === 'no-show') return drop('The party did not come.')
    if (endsAt.getTime() + offsetMinutes * 60_000 > now.getTime()) return reschedule
  }
  return null
}
