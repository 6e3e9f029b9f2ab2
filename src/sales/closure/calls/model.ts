/** The calls after a closure: which customers are informed, and which are not. */

export type ClosureCall = {
  /** The timeslot that was closed. */
  timeslotId: number
  productName: string
  date: string
  time: string
  openingHours: { opens: string; closes: string }[] | null
  closedAt: Date
  reference: string
  firstName: string | null
  lastName: string | null
  phone: string | null
  partnerName: string | null
  /** What the closure did to the booking. `released`: it was held or waiting. */
  became: 'cancelled' | 'moved' | 'released'
  /** The present timeslot of a moved booking, and its present status. */
  nowDate: string
  nowTime: string
  status: string
  /** The state of the e-mail about the closure. A released booking gets none. */
  byEmail: 'none' | 'on-its-way' | 'sent' | 'failed'
  emailReason: string | null
  /** Whether a call is still needed. */
  isToCall: boolean
  doneAt: Date | null
  /** The user who ticked it off; null also if a program did. */
  doneBy: string | null
}
