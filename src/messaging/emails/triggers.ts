/** Pure rules of workflows: the events that trigger them. */

export const triggers = [
  'booking-confirmed',
  'booking-moved',
  'booking-cancelled',
  'before-start',
  'after-end',
] as const
export type Trigger = (typeof triggers)[number]

/** A change of a booking that triggers an e-mail at once. */
export type ChangeTrigger = Extract<Trigger, 'booking-moved' | 'booking-cancelled'>
