/** The customers to call after closures. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ClosureCall } from '../../sales/closure/calls/model.ts'
import { attributes, postForm } from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { unseen } from '../frame/text-tags.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { entryName } from './waitlist-views.ts'

/** `isCut`: there are too many customers for one page, so customers who need no call are left out. */
type ShownCalls = { calls: readonly ClosureCall[]; isCut: boolean }

export function callsPage(session: Session, t: Texts, { calls, isCut }: ShownCalls): Markup {
  // Timeslots with open calls come first.
  const inOrder = [...calls].sort((one, other) => Number(other.isToCall) - Number(one.isToCall))
  const slots = [...new Set(inOrder.map(({ timeslotId }) => timeslotId))]
  return html`<p class="no-print"><a href="/dashboard/calendar">${t.say('calendar.title')}</a></p>
<div data-live id="calls">
${
  calls.length === 0 && !isCut
    ? emptyState(t.say('calendar.calls.none'))
    : html`<p><strong>${toCallText(t, calls)}</strong>${othersText(t, calls)}</p>
<p class="hint">${t.say('calendar.calls.about')}</p>`
}
${isCut ? html`<p class="hint">${t.say('calendar.calls.cut')}</p>` : ''}
${slots.map((id) =>
  slotCalls(
    session,
    t,
    calls.filter(({ timeslotId }) => timeslotId === id),
  ),
)}
</div>`
}

/** How many customers a user must still inform: those with a phone number, and those without one. */
function toCallText(t: Texts, calls: readonly ClosureCall[]): string {
  const open = calls.filter(({ isToCall }) => isToCall)
  const callable = open.filter(({ phone }) => phone)
  if (open.length === 0) return t.say('calendar.calls.nobody')
  const counts = { callable: callable.length, unreachable: open.length - callable.length }
  if (counts.unreachable === 0) return t.say('calendar.calls.to-call', counts)
  return t.say(callable.length === 0 ? 'calendar.calls.to-tell' : 'calendar.calls.to-call-and-tell', counts)
}

/**
 * How many customers need no call: ticked off, informed by e-mail, or with an e-mail that is not sent yet.
 * Empty if there is no such customer.
 */
function othersText(t: Texts, calls: readonly ClosureCall[]): string {
  const said = (how: 'people' | 'email' | 'on-its-way', is: (call: ClosureCall) => boolean) => {
    const count = calls.filter(is).length
    return count === 0 ? [] : [t.say(`calendar.calls.informed.${how}`, { count })]
  }
  const isTicked = ({ doneAt }: ClosureCall) => doneAt !== null
  const parts = [
    ...said('people', isTicked),
    ...said('email', (call) => !isTicked(call) && call.byEmail === 'sent'),
    ...said('on-its-way', (call) => !isTicked(call) && call.byEmail === 'on-its-way'),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`
}

function slotCalls(session: Session, t: Texts, calls: readonly ClosureCall[]): Markup {
  const [slot] = calls
  const open = calls.filter(({ isToCall }) => isToCall)
  const others = calls.filter(({ isToCall }) => !isToCall)
  const list = (some: readonly ClosureCall[]) =>
    html`<ul class="calls">${some.map((call) => oneCall(session, t, call))}</ul>`
  return html`<section aria-labelledby="slot-${slot!.timeslotId}">
<h2 id="slot-${slot!.timeslotId}"><a href="/dashboard/calendar/timeslots/${slot!.timeslotId}">${slot!.productName}, ${dayAndTime(t, slot!)}</a></h2>
${open.length > 0 ? list(open) : ''}
${open.length > 0 && others.length > 0 ? html`<details class="folded"><summary>${t.say('calendar.calls.others', { count: others.length })}</summary>${list(others)}</details>` : list(others)}
</section>
`
}

function oneCall(session: Session, t: Texts, call: ClosureCall): Markup {
  const { timeslotId, reference, phone, partnerName } = call
  const about = { booking: bookingLink(reference), fate: fate(t, call) }
  return html`<li${attributes({ id: `call-${timeslotId}-${reference}`, class: call.isToCall ? 'call open' : 'call' })}>
<p><strong>${entryName(t, call)}</strong>${phone ? html`, ${phoneLink(session, phone)}` : `, ${t.say('calendar.no-phone')}`}</p>
<p>${partnerName ? markupOf(t, 'calendar.calls.booking-of', { ...about, partner: partnerName }) : markupOf(t, 'calendar.calls.booking', about)} ${byEmail(t, call)}</p>
${tick(session, t, call)}</li>`
}

function fate(t: Texts, { became, nowDate, nowTime, nowOpeningHours, status }: ClosureCall): string {
  if (became === 'released') return t.say('calendar.calls.fate.released')
  if (became === 'cancelled') return t.say('calendar.calls.fate.cancelled')
  if (status !== 'confirmed') return t.say('calendar.calls.fate.moved-since', { status })
  const when = dayAndTime(t, { date: nowDate, time: nowTime, openingHours: nowOpeningHours })
  return t.say('calendar.calls.fate.moved', { when })
}

function byEmail(t: Texts, call: ClosureCall): Markup {
  switch (call.byEmail) {
    case 'sent':
      return badge(t.say('calendar.calls.email.sent'), 'good')
    case 'on-its-way':
      return badge(t.say('calendar.calls.email.on-its-way'), 'accent')
    case 'failed':
      return html`${badge(t.say('calendar.calls.email.failed'), 'bad')} ${call.emailReason ?? ''}`
    case 'none':
      return badge(t.say('calendar.calls.email.none'), 'warn')
  }
}

type TickKey = 'calendar.calls.tick' | 'calendar.calls.tick-too' | 'calendar.calls.untick'

function tick(session: Session, t: Texts, call: ClosureCall): Markup {
  const { timeslotId, reference, doneAt, doneBy, isToCall } = call
  const button = (done: boolean, key: TickKey) =>
    postForm(
      session,
      `/dashboard/calendar/calls/${timeslotId}/${encodeURIComponent(reference)}`,
      html`<input type="hidden" name="Done" value="${String(done)}">
<button class="secondary">${markupOf(t, key, { name: entryName(t, call), unseen })}</button>`,
      { class: 'inline' },
    )
  if (!doneAt) return button(true, isToCall ? 'calendar.calls.tick' : 'calendar.calls.tick-too')
  const done = {
    badge: badge(t.say('calendar.calls.informed'), 'good'),
    at: t.moment(doneAt, session.user.timeZone),
  }
  return html`<p>${doneBy ? markupOf(t, 'calendar.calls.informed-by', { ...done, user: doneBy }) : markupOf(t, 'calendar.calls.informed-by-program', done)}</p>${button(false, 'calendar.calls.untick')}`
}
