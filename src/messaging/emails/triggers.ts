/** Pure rules of workflows: the events that trigger them. */

export const triggers = [
  'booking-confirmed',
  'booking-moved',
  'booking-amended',
  'booking-cancelled',
  'before-start',
  'after-end',
] as const
export type Trigger = (typeof triggers)[number]

/** A change of a confirmed booking, of which each has e-mails of its own. They follow the events. */
export const followedTriggers = ['booking-moved', 'booking-amended'] as const
export type FollowedTrigger = (typeof followedTriggers)[number]

/** A change of a booking that triggers an e-mail at once. */
export const changeTriggers = [...followedTriggers, 'booking-cancelled'] as const
export type ChangeTrigger = (typeof changeTriggers)[number]

export function isChangeTrigger(trigger: Trigger | undefined): trigger is ChangeTrigger {
  return changeTriggers.some((one) => one === trigger)
}
