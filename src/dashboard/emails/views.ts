/** The content of the pages of the outbox. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  type EmailStatus,
  emailKinds,
  emailStatuses,
  type TestMessage,
} from '../../messaging/emails/model.ts'
import type { EmailsQuery, EmailView } from '../../messaging/emails/schemas.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import { emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { templateWords } from '../frame/template-words.ts'
import { emailKindName, emailStatusBadge } from '../parts/email-words.ts'
import { bookingLink } from '../parts/subject.ts'

type StatusTimes = { sent: string; next: string }
type OutboxPage = { emails: EmailView[]; query: EmailsQuery; url: string; next: string | null }

export function outboxPage(session: Session, t: Texts, { emails, query, url, next }: OutboxPage): Markup {
  const search = searchOf(url)
  const instant = (at: string | null) => (at === null ? '' : t.moment(at, session.user.timeZone))
  return html`${filterForm(t, query)}
${
  emails.length === 0
    ? emptyState(t.say('emails.empty'))
    : table(
        t.say('emails.list'),
        [
          {
            head: t.say('emails.email'),
            onCard: 'title',
            cell: (email: EmailView) =>
              html`<a href="/dashboard/emails/${email.EmailID}">${nameOf(t, email)}</a>`,
          },
          { head: t.say('word.subject'), onCard: 'line', cell: ({ Subject }: EmailView) => Subject ?? '–' },
          { head: t.say('emails.to'), onCard: 'line', cell: ({ To }: EmailView) => To ?? '–' },
          {
            head: t.say('word.booking'),
            onCard: 'hidden',
            cell: ({ BookingReference }: EmailView) =>
              BookingReference ? bookingLink(BookingReference) : '–',
          },
          {
            head: t.say('emails.made'),
            onCard: 'hidden',
            cell: ({ CreatedAt }: EmailView) => instant(CreatedAt),
          },
          {
            head: t.say('emails.fate'),
            onCard: 'line',
            cell: (email: EmailView) => statusCell(session, t, email, search, instant),
          },
        ],
        emails,
      )
}
${nextLink(t, url, next)}`
}

/**
 * An e-mail. `message` is its content, which is stored only in test mode, when the e-mail gets the status `sent`.
 * Null in live mode, before that, and after the data of the customer has been erased.
 */
export function emailPage(session: Session, t: Texts, email: EmailView, message: TestMessage | null): Markup {
  const instant = (at: string | null) => (at === null ? '' : t.moment(at, session.user.timeZone))
  return html`<p><a href="/dashboard/emails">${t.say('emails.all')}</a></p>
<p>${aboutCell(t, email)}<br>${instant(email.CreatedAt)}</p>
<p>${statusCell(session, t, email, '', instant)}</p>
${message ? messagePart(message) : html`<p class="hint">${t.say(session.mode === 'test' ? 'emails.text.test' : 'emails.text.live')}</p>`}`
}

function messagePart({ Subject, Text }: TestMessage): Markup {
  return html`<section class="panel" aria-labelledby="message-title">
<h2 id="message-title">${Subject}</h2>
<pre class="email">${Text}</pre>
</section>`
}

function filterForm(t: Texts, { Status, Kind, BookingReference }: EmailsQuery): Markup {
  const all = { value: '', label: t.say('emails.filter.all') }
  const statuses = emailStatuses.map((value: EmailStatus) => ({
    value,
    label: t.say(`emails.status.${value}`),
  }))
  const kinds = emailKinds.map((value) => ({ value, label: emailKindName(t, value) }))
  return html`<form method="get" action="/dashboard/emails" class="filters">
${selectField({ label: t.say('word.status'), name: 'Status', value: Status }, [all, ...statuses])}
${selectField({ label: t.say('emails.filter.kind'), name: 'Kind', value: Kind }, [all, ...kinds])}
${inputField({ label: t.say('emails.filter.reference'), name: 'BookingReference', value: BookingReference }, { maxlength: 64 })}
<button class="secondary">${t.say('word.show')}</button>
</form>`
}

/** The kind of an e-mail, or the name of its workflow. */
function nameOf(t: Texts, { Kind, WorkflowName }: EmailView): string {
  return WorkflowName ?? emailKindName(t, Kind)
}

function aboutCell(t: Texts, email: EmailView): Markup {
  const { Kind, To, Subject, BookingReference, WorkflowID, WorkflowName } = email
  const name = emailKindName(t, Kind)
  const words = WorkflowName ? t.say('emails.kind-of-workflow', { kind: name, name: WorkflowName }) : name
  const kind = WorkflowID
    ? html`<a href="/dashboard/emails/workflows/${WorkflowID}">${words}</a>`
    : html`${words}`
  const to = To ? html`<br>${t.say('emails.to-address', { address: To })}` : ''
  const booking = BookingReference ? html`<br>${bookingLink(BookingReference)}` : ''
  const subject = Subject ? html`<br><strong>${Subject}</strong>` : ''
  return html`${kind}${subject}${to}${booking}`
}

function statusWords(
  t: Texts,
  { mode }: Session,
  { Status, Attempts: count }: EmailView,
  at: StatusTimes,
): string {
  // The badge beside the time says "sent".
  if (Status === 'sent') return mode === 'test' ? t.say('emails.sent.test', { at: at.sent }) : at.sent
  if (Status === 'dropped' || (Status === 'failed' && count === 0)) return t.say('emails.not-sent')
  if (Status === 'failed') return t.say('emails.tried', { count })
  return count === 0 ? t.say('emails.waits') : t.say('emails.tried-next', { count, at: at.next })
}

/** Why an e-mail failed or was dropped. Errors of its template are in the words of the page that edits the template. */
function reasonWords(t: Texts, reason: string): string {
  return faultIn(t, templateWords(reason.replace(/^Template: (?!the subject)/, 'It cannot be written: ')))
}

/**
 * The status of an e-mail: a badge, the time at which it was sent or will be tried again, the reason for a
 * failure, and the retry button if it failed.
 * @param search the query of the list, with its question mark, to return to the same list after a retry.
 */
function statusCell(
  session: Session,
  t: Texts,
  email: EmailView,
  search: string,
  instant: (at: string | null) => string,
): Markup {
  const { EmailID, Status, SentAt, NextTryAt, Reason } = email
  const words = statusWords(t, session, email, { sent: instant(SentAt), next: instant(NextTryAt) })
  const retry =
    Status === 'failed'
      ? postForm(
          session,
          `/dashboard/emails/${EmailID}/retry${search}`,
          html`<button class="secondary" aria-label="${t.say('emails.retry.label', { id: String(EmailID) })}">${t.say('emails.retry')}</button>`,
          { class: 'inline' },
        )
      : ''
  return html`${emailStatusBadge(t, Status)} ${words} ${Reason === null ? '' : reasonWords(t, Reason)} ${retry}`
}
