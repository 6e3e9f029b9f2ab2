/** The state of each part of the service in words, and what to do about it. Pure. */
import type { Audit, AuditKind } from '../../accounts/audits/service.ts'
import type { LogBacklog } from '../../events/queries.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { EmailRow, Overdue } from '../../messaging/emails/service.ts'
import type { RejectRow } from '../../metering/audit/service.ts'
import type { Entry } from '../../metering/model.ts'
import type { QueueState } from '../../queue/producer.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { emailKindName } from '../parts/email-words.ts'
import { bookingLink } from '../parts/subject.ts'

type View = { session: Session; t: Texts; now: Date }

// If usage waits longer, no worker runs, or the workers cannot keep up.
const patienceSeconds = 60

export function queueSection(
  { t }: View,
  store: 'redis' | 'postgres',
  { reachable, reasons, backlog }: QueueState,
  seesBoard: boolean,
): Markup {
  const degraded = !reachable || reasons.length > 0
  const facts = backlog
    ? [
        { name: 'Usage jobs that are not done', value: t.number(backlog.jobs), bad: false },
        {
          name: 'Age of the oldest',
          value: duration(backlog.oldestSeconds, t),
          bad: backlog.oldestSeconds > patienceSeconds,
        },
        {
          name: 'Failed jobs, which need a person',
          value: t.number(backlog.failed),
          bad: backlog.failed > 0,
        },
      ]
    : []
  return html`<h2>Service</h2>
<p>${degraded ? badge('Degraded', 'bad') : badge('Ready', 'good')} PostgreSQL answers; the queues are kept in ${store === 'redis' ? 'Redis' : 'PostgreSQL'}.</p>
${reasons.length > 0 ? html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul><p>Meanwhile usage is stored straight in PostgreSQL; nothing that was accepted is lost.</p>` : ''}
<dl class="facts">${facts.map(({ name, value, bad }) => html`<div><dt>${name}</dt><dd>${value} ${bad ? badge('Look into it', 'bad') : ''}</dd></div>`)}</dl>
${seesBoard ? html`<p><a href="/dashboard/queues">Look into the queues</a></p>` : ''}`
}

export function waitingSection({ t, now }: View, backlog: LogBacklog, overdue: Overdue): Markup {
  const rows = [
    {
      what: 'Events that have no number in the log yet',
      count: backlog.events,
      oldest: backlog.oldest,
    },
    { what: 'E-mails that are due', count: overdue.emails, oldest: overdue.oldest },
  ]
  const age = (oldest: Date) => Math.max(0, (now.getTime() - oldest.getTime()) / 1000)
  const isLate = (oldest: Date | null) => oldest !== null && age(oldest) > 5 * patienceSeconds
  return html`<h2>What waits for a worker</h2>
${table<(typeof rows)[number]>(
  'What waits for a worker',
  [
    { head: 'What', cell: ({ what }) => what },
    { head: 'Waiting', numeric: true, cell: ({ count }) => t.number(count) },
    {
      head: 'Oldest',
      cell: ({ oldest }) =>
        oldest
          ? html`${duration(age(oldest), t)} ${isLate(oldest) ? badge('Is a worker running?', 'bad') : ''}`
          : '–',
    },
  ],
  rows,
)}`
}

const audited: Record<AuditKind, string> = {
  'booked-places': 'Every timeslot counts what its bookings say, and no more than it has',
  'sales-totals': 'Every total of the reports is the sum of its bookings',
  'usage-totals': 'Every total of usage is the sum of its entries',
}
const staleDays = 2

export function auditSection({ session, t, now }: View, audits: readonly Audit[]): Markup {
  const rows = Object.entries(audited).map(([kind, claim]) => ({
    claim,
    audit: audits.find((audit) => audit.kind === kind),
  }))
  const isStale = ({ finishedAt }: Audit) => now.getTime() - finishedAt.getTime() > staleDays * 86_400_000
  return html`<h2>Nightly audits</h2>
${table<(typeof rows)[number]>(
  'Nightly audits',
  [
    { head: 'What is checked', cell: ({ claim }) => claim },
    {
      head: 'Last checked',
      cell: ({ audit }) =>
        audit
          ? html`${t.moment(audit.finishedAt, session.user.timeZone)} ${isStale(audit) ? badge('Long ago', 'warn') : ''}`
          : 'Not yet',
    },
    { head: 'Found', cell: ({ audit }) => (audit ? verdict(audit, t) : '–') },
  ],
  rows,
)}`
}

function verdict({ differences }: Audit, t: Texts): Markup {
  return differences === 0
    ? badge('All right', 'good')
    : badge(`${t.number(differences)} differ: see the log`, 'bad')
}

export function rejectSection({ session, t }: View, rejects: readonly RejectRow[], most: number): Markup {
  if (rejects.length === 0)
    return html`<h2>Rejected usage</h2>${emptyState('Every entry that was accepted could be stored.')}`
  const more =
    rejects.length > most ? html`<p class="hint">These are the ${most} oldest; there are more.</p>` : ''
  return html`<h2>Rejected usage</h2>
<p>These entries were accepted, but the database refuses them, so no total counts them.</p>
${table<RejectRow>(
  'Rejected entries, oldest first',
  [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'Entry', cell: ({ entry }) => described(entry, t) },
    { head: 'Reason', cell: ({ reason }) => reason },
    {
      head: 'Rejected',
      cell: ({ rejectedAt }) => t.moment(rejectedAt, session.user.timeZone),
    },
  ],
  rejects.slice(0, most),
)}${more}
${postForm(session, '/dashboard/health/rejects/retry', html`<button>Try them again</button>`, { class: 'actions' })}`
}

function described(entry: string, t: Texts): string {
  try {
    const { meter, usage } = JSON.parse(entry) as Entry
    return `${meter}: ${t.number(Number(usage))}`
  } catch {
    return entry
  }
}

export function emailSection({ session, t }: View, emails: readonly EmailRow[]): Markup {
  if (emails.length === 0) return html`<h2>E-mails that failed</h2>${emptyState('No e-mail has failed.')}`
  return html`<h2>E-mails that failed</h2>
${table<EmailRow>(
  'E-mails that failed, newest first',
  [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'Kind', cell: ({ kind }) => emailKindName(kind) },
    {
      head: 'Booking',
      cell: ({ bookingReference }) => (bookingReference ? bookingLink(bookingReference) : '–'),
    },
    { head: 'Tries', numeric: true, cell: ({ attempts }) => attempts },
    { head: 'Reason', cell: ({ reason }) => reason ?? '' },
    { head: 'Made', cell: ({ createdAt }) => t.moment(createdAt, session.user.timeZone) },
  ],
  emails,
)}
<p><a href="/dashboard/emails?Status=failed">See all of them, and try again</a></p>`
}

function duration(seconds: number, t: Texts): string {
  if (seconds < 120) return `${t.number(Math.round(seconds))} s`
  if (seconds < 7200) return `${t.number(Math.round(seconds / 60))} min`
  return `${t.number(Math.round(seconds / 3600))} h`
}
