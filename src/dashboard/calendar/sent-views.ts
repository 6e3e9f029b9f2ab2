/** The e-mails to the customers of a timeslot: messages, and e-mails about its closure. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { SentToAll } from '../../messaging/messages/service.ts'
import { table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { emailKindName } from '../parts/email-words.ts'

/**
 * The messages and closures of the timeslot, each with how many of its e-mails are sent. Empty if there are none.
 */
export function sentPart(session: Session, t: Texts, sent: readonly SentToAll[]): Markup {
  if (sent.length === 0) return html``
  const what = ({ kind, subject, message }: SentToAll) => {
    const words = message ?? subject
    return html`${emailKindName(t, kind)}${words ? html`: ${words}` : ''}`
  }
  return html`<section id="sent" class="no-print">
<h2>${t.say('calendar.slot.sent')}</h2>
${table(
  t.say('calendar.slot.sent'),
  [
    { head: t.say('word.when'), cell: ({ at }) => t.moment(at, session.user.timeZone) },
    { head: t.say('payments.what'), cell: what },
    {
      head: t.say('calendar.slot.sent.count'),
      cell: ({ sent: gone, emails }) => t.say('calendar.slot.sent.of', { sent: gone, emails }),
    },
  ],
  sent,
)}
${sent.some(({ kind }) => kind === 'closure') ? html`<p><a href="/dashboard/calendar/calls">${t.say('calendar.calls.title')}</a></p>` : ''}
</section>`
}
