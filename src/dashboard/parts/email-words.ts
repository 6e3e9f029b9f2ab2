/** E-mails in words: their kinds and states. Pure. */

import type { Markup } from '../../http/pages.ts'
import type { EmailKind, EmailStatus } from '../../messaging/emails/model.ts'
import { badge } from '../frame/layout.ts'

export const emailKindNames: Record<EmailKind, string> = {
  workflow: 'Workflow',
  'waitlist-offer': 'Offer to the waitlist',
  closure: 'About a closure',
  confirmation: 'Confirmation',
  test: 'Test',
  message: 'Message to everybody on a timeslot',
  'webhook-paused': 'About a paused webhook endpoint',
  receipt: 'Receipt',
  'offer-unpaid': 'About an offer that was not paid',
}

export function emailKindName(kind: string): string {
  return emailKindNames[kind as EmailKind] ?? kind
}

const statusKinds = { queued: 'accent', sent: 'good', failed: 'bad', dropped: 'quiet' } as const

export function emailStatusBadge(status: EmailStatus): Markup {
  return badge(status, statusKinds[status])
}
