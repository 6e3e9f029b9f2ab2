/** Pure rules of workflows: what they can wait for. */

export const triggers = ['booking-confirmed', 'booking-cancelled', 'before-start', 'after-end'] as const
export type Trigger = (typeof triggers)[number]
