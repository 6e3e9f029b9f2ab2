/**
 * The sections of the health page: the state of each part of the service, with advice if something is wrong.
 * Pure.
 */
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

// If usage waits longer than this, either no worker is running or the workers are too slow. Events and
// e-mails may wait five times as long.
const longestWaitSeconds = 60

export function queueSection(
  { t }: View,
  store: 'redis' | 'postgres',
  { reachable, reasons, backlog }: QueueState,
  seesBoard: boolean,
): Markup {
  const degraded = !reachable || reasons.length > 0
  const facts = backlog
    ? [
        { name: t.say('health.jobs'), value: t.number(backlog.jobs), bad: false },
        {
          name: t.say('health.oldest'),
          value: duration(backlog.oldestSeconds, t),
          bad: backlog.oldestSeconds > longestWaitSeconds,
        },
        {
          name: t.say('health.failed-jobs'),
          value: t.number(backlog.failed),
          bad: backlog.failed > 0,
        },
      ]
    : []
  return html`<h2>${t.say('health.service')}</h2>
<p>${degraded ? badge(t.say('health.degraded'), 'bad') : badge(t.say('health.ready'), 'good')} ${t.say('health.stores', { store: store === 'redis' ? 'Redis' : 'PostgreSQL' })}</p>
${reasons.length > 0 ? html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul><p>${t.say('health.straight')}</p>` : ''}
<dl class="facts">${facts.map(({ name, value, bad }) => html`<div><dt>${name}</dt><dd>${value} ${bad ? badge(t.say('health.look'), 'bad') : ''}</dd></div>`)}</dl>
${seesBoard ? html`<p><a href="/dashboard/queues">${t.say('health.queues')}</a></p>` : ''}`
}

export function waitingSection({ t, now }: View, backlog: LogBacklog, overdue: Overdue): Markup {
  const rows = [
    {
      what: t.say('health.unnumbered'),
      count: backlog.events,
      oldest: backlog.oldest,
    },
    { what: t.say('health.due'), count: overdue.emails, oldest: overdue.oldest },
  ]
  const age = (oldest: Date) => Math.max(0, (now.getTime() - oldest.getTime()) / 1000)
  const isLate = (oldest: Date | null) => oldest !== null && age(oldest) > 5 * longestWaitSeconds
  return html`<h2>${t.say('health.waiting')}</h2>
${table<(typeof rows)[number]>(
  t.say('health.waiting'),
  [
    { head: t.say('health.what'), cell: ({ what }) => what },
    { head: t.say('health.waiting-count'), numeric: true, cell: ({ count }) => t.number(count) },
    {
      head: t.say('health.oldest.head'),
      cell: ({ oldest }) =>
        oldest
          ? html`${duration(age(oldest), t)} ${isLate(oldest) ? badge(t.say('health.no-worker'), 'bad') : ''}`
          : '–',
    },
  ],
  rows,
)}`
}

const audited: readonly AuditKind[] = ['booked-places', 'sales-totals', 'usage-totals']
const staleDays = 2

export function auditSection({ session, t, now }: View, audits: readonly Audit[]): Markup {
  const rows = audited.map((kind) => ({
    claim: t.say(`health.audit.${kind}`),
    audit: audits.find((audit) => audit.kind === kind),
  }))
  const isStale = ({ finishedAt }: Audit) => now.getTime() - finishedAt.getTime() > staleDays * 86_400_000
  return html`<h2>${t.say('health.audits')}</h2>
${table<(typeof rows)[number]>(
  t.say('health.audits'),
  [
    { head: t.say('health.checked'), cell: ({ claim }) => claim },
    {
      head: t.say('health.last'),
      cell: ({ audit }) =>
        audit
          ? html`${t.moment(audit.finishedAt, session.user.timeZone)} ${isStale(audit) ? badge(t.say('health.long-ago'), 'warn') : ''}`
          : t.say('word.not-yet'),
    },
    { head: t.say('health.found'), cell: ({ audit }) => (audit ? verdict(audit, t) : '–') },
  ],
  rows,
)}`
}

function verdict({ differences }: Audit, t: Texts): Markup {
  return differences === 0
    ? badge(t.say('health.right'), 'good')
    : badge(t.say('health.differ', { count: t.number(differences) }), 'bad')
}

export function rejectSection({ session, t }: View, rejects: readonly RejectRow[], most: number): Markup {
  if (rejects.length === 0)
    return html`<h2>${t.say('health.rejects')}</h2>${emptyState(t.say('health.rejects.none'))}`
  const more =
    rejects.length > most
      ? html`<p class="hint">${t.say('health.rejects.more', { count: t.number(most) })}</p>`
      : ''
  return html`<h2>${t.say('health.rejects')}</h2>
<p>${t.say('health.rejects.about')}</p>
${table<RejectRow>(
  t.say('health.rejects.list'),
  [
    { head: 'ID', cell: ({ id }) => id },
    { head: t.say('health.rejects.entry'), cell: ({ entry }) => described(entry, t) },
    { head: t.say('word.reason'), cell: ({ reason }) => reason },
    {
      head: t.say('health.rejects.at'),
      cell: ({ rejectedAt }) => t.moment(rejectedAt, session.user.timeZone),
    },
  ],
  rejects.slice(0, most),
)}${more}
${postForm(session, '/dashboard/health/rejects/retry', html`<button>${t.say('health.rejects.retry')}</button>`, { class: 'actions' })}`
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
  if (emails.length === 0)
    return html`<h2>${t.say('health.emails')}</h2>${emptyState(t.say('health.emails.none'))}`
  return html`<h2>${t.say('health.emails')}</h2>
${table<EmailRow>(
  t.say('health.emails.list'),
  [
    { head: 'ID', cell: ({ id }) => id },
    { head: t.say('health.emails.kind'), cell: ({ kind }) => emailKindName(t, kind) },
    {
      head: t.say('word.booking'),
      cell: ({ bookingReference }) => (bookingReference ? bookingLink(bookingReference) : '–'),
    },
    { head: t.say('health.emails.tries'), numeric: true, cell: ({ attempts }) => attempts },
    { head: t.say('word.reason'), cell: ({ reason }) => reason ?? '' },
    {
      head: t.say('health.emails.made'),
      cell: ({ createdAt }) => t.moment(createdAt, session.user.timeZone),
    },
  ],
  emails,
)}
<p><a href="/dashboard/emails?Status=failed">${t.say('health.emails.all')}</a></p>`
}

function duration(seconds: number, t: Texts): string {
  if (seconds < 120) return t.say('health.seconds', { count: t.number(Math.round(seconds)) })
  if (seconds < 7200) return t.say('health.minutes', { count: t.number(Math.round(seconds / 60)) })
  return t.say('health.hours', { count: t.number(Math.round(seconds / 3600)) })
}
