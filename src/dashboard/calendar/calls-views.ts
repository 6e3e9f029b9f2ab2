/** The customers to call after closures. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ClosureCall } from '../../sales/closure/calls/model.ts'
import { attributes, postForm } from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { nameOf } from './waitlist-views.ts'

/** `isCut`: customers who are informed are left out. */
type ShownCalls = { calls: readonly ClosureCall[]; isCut: boolean }

export function callsPage(session: Session, t: Texts, { calls, isCut }: ShownCalls): Markup {
  const slots = [...new Set(calls.map(({ timeslotId }) => timeslotId))]
  return html`<p class="no-print"><a href="/dashboard/calendar">Calendar</a></p>
<div data-live id="calls">
${
  calls.length === 0 && !isCut
    ? emptyState('No booking was changed by a closure in the last 14 days.')
    : html`<p><strong>${toCallText(t, calls)}</strong>${othersText(t, calls)}</p>
<p class="hint">Customers of the timeslots that were closed in the last 14 days. Everybody at your desk sees the same list.</p>`
}
${isCut ? html`<p class="hint">They are too many for one page: only those who have to be called still are shown.</p>` : ''}
${slots.map((id) =>
  slotCalls(
    session,
    t,
    calls.filter(({ timeslotId }) => timeslotId === id),
  ),
)}
</div>`
}

/** Customers who are not informed yet: to call, where there is a number. */
function toCallText(t: Texts, calls: readonly ClosureCall[]): string {
  const open = calls.filter(({ isToCall }) => isToCall)
  const callable = open.filter(({ phone }) => phone)
  if (open.length === 0) return 'Nobody has to be called.'
  const unreachable = open.length - callable.length
  const parts = [
    callable.length > 0 ? `${t.number(callable.length)} to call` : '',
    unreachable > 0 ? `${t.number(unreachable)} to tell who left no phone number` : '',
  ]
  return `${parts.filter((part) => part !== '').join(', ')}.`
}

/** How many customers are informed, and how; nothing when there are none. */
function othersText(t: Texts, calls: readonly ClosureCall[]): string {
  const count = (words: string, is: (call: ClosureCall) => boolean) => {
    const found = calls.filter(is).length
    return found === 0 ? [] : [`${t.number(found)} ${words}`]
  }
  const isTicked = ({ doneAt }: ClosureCall) => doneAt !== null
  const parts = [
    ...count('informed by your people', isTicked),
    ...count('informed by e-mail', (call) => !isTicked(call) && call.byEmail === 'sent'),
    ...count('with an e-mail on its way', (call) => !isTicked(call) && call.byEmail === 'on-its-way'),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`
}

function slotCalls(session: Session, t: Texts, calls: readonly ClosureCall[]): Markup {
  const [slot] = calls
  // Those who have to be called still come first.
  const inOrder = [...calls].sort((a, b) => Number(b.isToCall) - Number(a.isToCall))
  return html`<section aria-labelledby="slot-${slot!.timeslotId}">
<h2 id="slot-${slot!.timeslotId}"><a href="/dashboard/calendar/timeslots/${slot!.timeslotId}">${slot!.productName}, ${dayAndTime(t, slot!)}</a></h2>
<ul class="calls">${inOrder.map((call) => oneCall(session, t, call))}</ul>
</section>
`
}

function oneCall(session: Session, t: Texts, call: ClosureCall): Markup {
  const { timeslotId, reference, phone, partnerName } = call
  return html`<li${attributes({ id: `call-${timeslotId}-${reference}`, class: call.isToCall ? 'call open' : 'call' })}>
<p><strong>${nameOf(call)}</strong>${phone ? html`, ${phoneLink(session, phone)}` : ', no phone number'}</p>
<p>${bookingLink(reference)}${partnerName ? `, sold by ${partnerName}` : ''}: ${fate(t, call)}. ${byEmail(call)}</p>
${tick(session, t, call)}</li>`
}

function fate(t: Texts, { became, nowDate, nowTime, status }: ClosureCall): string {
  if (became === 'released') return 'held places or waited, and does no more'
  if (became === 'cancelled') return 'cancelled'
  if (status !== 'confirmed') return `moved, and ${status} since`
  return `moved to ${dayAndTime(t, { date: nowDate, time: nowTime })}`
}

function byEmail(call: ClosureCall): Markup {
  switch (call.byEmail) {
    case 'sent':
      return badge('Informed by e-mail', 'good')
    case 'on-its-way':
      return badge('E-mail is on its way', 'accent')
    case 'failed':
      return html`${badge('The e-mail was not sent', 'bad')} ${call.emailReason ?? ''}`
    case 'none':
      return badge('No e-mail', 'warn')
  }
}

function tick(session: Session, t: Texts, call: ClosureCall): Markup {
  const { timeslotId, reference, doneAt, doneBy, isToCall } = call
  const button = (done: boolean, words: string) =>
    postForm(
      session,
      `/dashboard/calendar/calls/${timeslotId}/${encodeURIComponent(reference)}`,
      html`<input type="hidden" name="Done" value="${String(done)}">
<button class="secondary">${words}<span class="unseen">: ${nameOf(call)}</span></button>`,
      { class: 'inline' },
    )
  if (!doneAt) return button(true, isToCall ? 'Mark as informed' : 'Informed by phone as well')
  return html`<p>${badge('Informed', 'good')} ${doneBy ? `by ${doneBy}` : 'by a program'}, ${t.moment(doneAt, session.user.timeZone)}</p>${button(false, 'Not informed yet')}`
}
