/** Pure rules of workflows: what they can wait for. */

export const triggers = [
  'booking-confirmed',
  'booking-moved',
  'booking-cancelled',
  'before-start',
  'after-end',
] as const
export type Trigger = (typeof triggers)[number]

/** What happens to a booking, and is told of when it is changed. */
export type ChangeTrigger = Extract<Trigger, 'booking-moved' | 'booking-cancelled'>
