/** Phone calls to customers after a closure: who has been informed, and who must still be called. */

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
  /**
   * The date, time and opening hours of the timeslot that the booking is on now, and the current status of the
   * booking.
   */
  nowDate: string
  nowTime: string
  nowOpeningHours: { opens: string; closes: string }[] | null
  status: string
  /**
   * The state of the e-mail about the closure. `none`: the booking was released, or has no e-mail address.
   */
  byEmail: 'none' | 'on-its-way' | 'sent' | 'failed'
  emailReason: string | null
  /** Whether a call is still needed. */
  isToCall: boolean
  doneAt: Date | null
  /** The e-mail address of the user who ticked the call off; null if nobody did, or if an API client did. */
  doneBy: string | null
}
