/** The triggers of workflows: changes of a booking, or a time before or after its timeslot. Pure. */

export const triggers = [
  'booking-confirmed',
  'booking-moved',
  'booking-amended',
  'booking-cancelled',
  'before-start',
  'after-end',
] as const
export type Trigger = (typeof triggers)[number]

/**
 * Triggers that may send several e-mails about one booking, after several changes. The events queue these e-mails, not
 * the sweep.
 */
export const followedTriggers = ['booking-moved', 'booking-amended'] as const
export type FollowedTrigger = (typeof followedTriggers)[number]

/**
 * Triggers that notify a customer of a change. A new account has a workflow for each, which the operator can
 * preview.
 */
export const changeTriggers = [...followedTriggers, 'booking-cancelled'] as const
export type ChangeTrigger = (typeof changeTriggers)[number]

export function isChangeTrigger(trigger: Trigger | undefined): trigger is ChangeTrigger {
  return changeTriggers.some((one) => one === trigger)
}
