/** E-mails in words: their kinds and states. Pure. */

import type { Markup } from '../../http/pages.ts'
import type { EmailKind, EmailStatus } from '../../messaging/emails/model.ts'
import { badge } from '../frame/layout.ts'

export const emailKindNames: Record<EmailKind, string> = {
  workflow: 'workflow',
  'waitlist-offer': 'offer to the waitlist',
  closure: 'about a closure',
  confirmation: 'confirmation',
  test: 'test',
  message: 'message to everybody on a timeslot',
  'webhook-paused': 'about a paused webhook endpoint',
  receipt: 'receipt',
  'offer-unpaid': 'about an offer that was not paid',
}

export function emailKindName(kind: string): string {
  return emailKindNames[kind as EmailKind] ?? kind
}

const statusKinds = { queued: 'accent', sent: 'good', failed: 'bad', dropped: 'quiet' } as const

export function emailStatusBadge(status: EmailStatus): Markup {
  return badge(status, statusKinds[status])
}
