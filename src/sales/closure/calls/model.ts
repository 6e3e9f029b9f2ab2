/** Pure rules of whom to call after a closure: who has been told, and who has not. */

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
  hasEmail: boolean
  partnerName: string | null
  /** What the closure made of the booking; released is what was held or waited. */
  became: 'cancelled' | 'moved' | 'released'
  /** Where a booking that was moved is now, and as it stands now. */
  nowDate: string
  nowTime: string
  status: string
  /** The e-mail about the closure; null while there is none. */
  emailStatus: 'queued' | 'sent' | 'failed' | 'dropped' | null
  emailReason: string | null
  doneAt: Date | null
  doneBy: string | null
}

/** How far the e-mail about a closure has come. What is released is sent none. */
export type ToldByEmail = 'none' | 'on-its-way' | 'sent' | 'failed'

export function toldByEmail({
  became,
  hasEmail,
  emailStatus,
}: Pick<ClosureCall, 'became' | 'hasEmail' | 'emailStatus'>): ToldByEmail {
  if (emailStatus === 'sent') return 'sent'
  if (emailStatus === 'failed' || emailStatus === 'dropped') return 'failed'
  if (became === 'released' || !hasEmail) return 'none'
  return 'on-its-way'
}

/** Whether somebody has to call still. */
export function isToCall(call: ClosureCall): boolean {
  const told = toldByEmail(call)
  return call.doneAt === null && (told === 'none' || told === 'failed')
}
