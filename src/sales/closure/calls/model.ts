/** Whom to call after a closure: who has been told, and who has not. */

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
  /** What the closure made of the booking; released is what was held or waited. */
  became: 'cancelled' | 'moved' | 'released'
  /** Where a booking that was moved is now, and as it stands now. */
  nowDate: string
  nowTime: string
  status: string
  /** How far the e-mail about the closure has come. What is released is sent none. */
  byEmail: 'none' | 'on-its-way' | 'sent' | 'failed'
  emailReason: string | null
  /** Whether somebody has to call still. */
  isToCall: boolean
  doneAt: Date | null
  /** Null also where a program ticked it off. */
  doneBy: string | null
}
