/** E-mails in words: their kinds and states. Pure. */

import type { Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type EmailKind, type EmailStatus, emailKinds } from '../../messaging/emails/model.ts'
import { badge } from '../frame/layout.ts'

/** The name of a kind. A kind that this version does not know is returned unchanged. */
export function emailKindName(t: Texts, kind: string): string {
  return isKind(kind) ? t.say(`emails.kind.${kind}`) : kind
}

function isKind(text: string): text is EmailKind {
  return emailKinds.some((kind) => kind === text)
}

const statusKinds = { queued: 'accent', sent: 'good', failed: 'bad', dropped: 'quiet' } as const

export function emailStatusBadge(t: Texts, status: EmailStatus): Markup {
  return badge(t.say(`emails.status.${status}`), statusKinds[status])
}
