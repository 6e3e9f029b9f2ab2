/** The content of the pages of the outbox. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  type EmailStatus,
  emailKinds,
  emailStatuses,
  type TestMessage,
} from '../../messaging/emails/model.ts'
import type { EmailsQuery, EmailView } from '../../messaging/emails/schemas.ts'
import { inputField, postForm, selectField } from '../frame/forms.ts'
import { emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { emailKindNames, emailStatusBadge } from '../parts/email-words.ts'
import { bookingLink } from '../parts/subject.ts'

type OutboxPage = { emails: EmailView[]; query: EmailsQuery; url: string; next: string | null }

export function outboxPage(session: Session, t: Texts, { emails, query, url, next }: OutboxPage): Markup {
  const search = searchOf(url)
  const instant = (at: string | null) => (at === null ? '' : t.moment(at, session.user.timeZone))
  return html`${filterForm(query)}
${
  emails.length === 0
    ? emptyState('No e-mails here.')
    : table(
        'E-mails, the newest first',
        [
          {
            head: 'E-mail',
            onCard: 'title',
            cell: (email: EmailView) =>
              html`<a href="/dashboard/emails/${email.EmailID}">${nameOf(email)}</a>`,
          },
          { head: 'Subject', onCard: 'line', cell: ({ Subject }: EmailView) => Subject ?? '–' },
          { head: 'To', onCard: 'line', cell: ({ To }: EmailView) => To ?? '–' },
          {
            head: 'Booking',
            onCard: 'hidden',
            cell: ({ BookingReference }: EmailView) =>
              BookingReference ? bookingLink(BookingReference) : '–',
          },
          {
            head: 'Made',
            onCard: 'hidden',
            cell: ({ CreatedAt }: EmailView) => instant(CreatedAt),
          },
          {
            head: 'What became of it',
            onCard: 'line',
            cell: (email: EmailView) => fateCell(session, email, search, instant),
          },
        ],
        emails,
      )
}
${nextLink(t, url, next)}`
}

/** An e-mail; in test mode, with its content. */
export function emailPage(session: Session, t: Texts, email: EmailView, message: TestMessage | null): Markup {
  const instant = (at: string | null) => (at === null ? '' : t.moment(at, session.user.timeZone))
  return html`<p><a href="/dashboard/emails">All e-mails</a></p>
<p>${aboutCell(email)}<br>${instant(email.CreatedAt)}</p>
<p>${fateCell(session, email, '', instant)}</p>
${message ? messagePart(message) : html`<p class="hint">${session.mode === 'test' ? 'What it says is shown here once it is sent.' : 'Of a live e-mail only the subject is kept.'}</p>`}`
}

function messagePart({ Subject, Text }: TestMessage): Markup {
  return html`<section class="panel" aria-labelledby="message-title">
<h2 id="message-title">${Subject}</h2>
<pre class="email">${Text}</pre>
</section>`
}

function filterForm({ Status, Kind, BookingReference }: EmailsQuery): Markup {
  const all = { value: '', label: 'All' }
  const statuses = emailStatuses.map((value: EmailStatus) => ({ value, label: value }))
  const kinds = emailKinds.map((value) => ({ value, label: emailKindNames[value] }))
  return html`<form method="get" action="/dashboard/emails" class="filters">
${selectField({ label: 'Status', name: 'Status', value: Status }, [all, ...statuses])}
${selectField({ label: 'Kind', name: 'Kind', value: Kind }, [all, ...kinds])}
${inputField({ label: 'Booking reference', name: 'BookingReference', value: BookingReference }, { maxlength: 64 })}
<button class="secondary">Show</button>
</form>`
}

/** The kind of an e-mail, or the name of its workflow. */
function nameOf({ Kind, WorkflowName }: EmailView): string {
  return WorkflowName ?? emailKindNames[Kind]
}

function aboutCell(email: EmailView): Markup {
  const { Kind, To, Subject, BookingReference, WorkflowID, WorkflowName } = email
  const words = WorkflowName ? `${emailKindNames[Kind]}: ${WorkflowName}` : emailKindNames[Kind]
  const kind = WorkflowID
    ? html`<a href="/dashboard/emails/workflows/${WorkflowID}">${words}</a>`
    : html`${words}`
  const to = To ? html`<br>to ${To}` : ''
  const booking = BookingReference ? html`<br>${bookingLink(BookingReference)}` : ''
  const subject = Subject ? html`<br><strong>${Subject}</strong>` : ''
  return html`${kind}${subject}${to}${booking}`
}

/** When it was sent or will be tried, the reason of a failure, and the retry button. */
function fateCell(
  session: Session,
  { EmailID, Status, SentAt, NextTryAt, Attempts, Reason }: EmailView,
  search: string,
  instant: (at: string | null) => string,
): Markup {
  const words = {
    sent:
      session.mode === 'test'
        ? `Written ${instant(SentAt)}. Test mode sends no e-mail.`
        : `Sent ${instant(SentAt)}.`,
    queued: Attempts === 0 ? 'Waits to be sent.' : `Tried ${Attempts} times; next ${instant(NextTryAt)}.`,
    failed: `Tried ${Attempts} times.`,
    dropped: 'Not sent.',
  }
  const retry =
    Status === 'failed'
      ? postForm(
          session,
          `/dashboard/emails/${EmailID}/retry${search}`,
          html`<button class="secondary" aria-label="Try again: e-mail ${EmailID}">Try again</button>`,
          { class: 'inline' },
        )
      : ''
  return html`${emailStatusBadge(Status)} ${words[Status]} ${Reason ?? ''} ${retry}`
}
