/** Whether the purpose of a workflow’s e-mail still stands when it is about to go. Pure. */
import type { BookingFacts, WorkflowFacts } from './facts.ts'

/** `drop`: never; `rearm`: not now, since the booking has moved, but when its time comes. */
export type Objection = { kind: 'drop' | 'rearm'; reason: string }

const drop = (reason: string): Objection => ({ kind: 'drop', reason })
const rearm: Objection = { kind: 'rearm', reason: 'The booking has moved: another goes when its time comes.' }

/** Why it must not go at `now`; null when it may. */
export function objectionTo(
  { trigger, offsetMinutes, productId, active }: WorkflowFacts,
  { status, attendance, productId: bookedId, startsAt, endsAt }: BookingFacts,
  now: Date,
): Objection | null {
  if (!active) return drop('The workflow is switched off.')
  if (productId !== null && productId !== bookedId) return drop('The booking is of another product now.')
  const standing = trigger === 'booking-cancelled' ? 'cancelled' : 'confirmed'
  if (status !== standing) return drop(`The booking is ${status}.`)
  if (trigger === 'before-start') {
    if (startsAt <= now) return drop('The timeslot has begun.')
    if (startsAt.getTime() - offsetMinutes * 60_000 > now.getTime()) return rearm
  }
  if (trigger === 'after-end') {
    if (attendance === 'no-show') return drop('The party did not come.')
    if (endsAt.getTime() + offsetMinutes * 60_000 > now.getTime()) return rearm
  }
  return null
}
