/** The pure rule that decides whether a single timeslot can be moved, and the messages for its reasons. */

export type MoveObstacle = 'begun' | 'booked' | 'held' | 'waiting' | 'closed'

/** The reason why a timeslot cannot be moved; null if it can. */
export function findMoveObstacle(slot: {
  hasBegun: boolean
  status: 'open' | 'closed'
  booked: number
  held: number
  waiting: number
}): MoveObstacle | null {
  if (slot.hasBegun) return 'begun'
  if (slot.booked > 0) return 'booked'
  if (slot.held > 0) return 'held'
  if (slot.waiting > 0) return 'waiting'
  return slot.status === 'closed' ? 'closed' : null
}

export const moveObstacleMessages: Record<MoveObstacle, string> = {
  begun: 'It has begun.',
  booked: 'Somebody has booked it. A closure moves the bookings to another timeslot.',
  held: 'Places of it are held. A closure moves them to another timeslot.',
  waiting: 'Somebody is on its waitlist. A closure informs the waiting customers.',
  closed: 'It is closed. Put it on sale again first.',
}
