/** What a weather closure will do, before it is done, and what it has done. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { peopleText } from '../../sales/booking/bought-view.ts'
import { type RefundSum, type Result, totalsOf } from '../../sales/closure/model.ts'
import type { AffectedBooking } from '../../sales/closure/service.ts'
import { attributes, postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'
import type { ClosureFields } from './closure-fields.ts'
import { nameOf } from './waitlist-views.ts'

export type ClosureOutcome =
  | { step: 'preview'; results: Result[]; bookings: AffectedBooking[]; isCut: boolean }
  /** `left` timeslots are not begun; the same form goes on with them under its key, `once`. */
  | { step: 'close'; results: Result[]; left: number; once: string }

type ShownClosure = {
  outcome: ClosureOutcome
  given: Partial<ClosureFields>
  /** The form that was sent, to change it. */
  form: Markup
  products: readonly { id: number; name: string }[]
  t: Texts
}

export function outcomeView(session: Session, shown: ShownClosure): Markup {
  const { outcome } = shown
  return outcome.step === 'preview' ? preview(session, shown, outcome) : report(session, shown, outcome)
}

function preview(
  session: Session,
  shown: ShownClosure,
  { results, bookings, isCut }: Extract<ClosureOutcome, { step: 'preview' }>,
): Markup {
  const { given, form, t } = shown
  const { closed, cancelled, moved } = totalsOf(results)
  const parts = [
    `Close ${count(closed, 'timeslot', t)}`,
    cancelled > 0 && `cancel ${count(cancelled, 'booking', t)}`,
    moved > 0 && `move ${count(moved, 'booking', t)}`,
  ].filter((part) => part !== false)
  const act = html`${hiddenFields({ Step: 'close', ...given })}
<button class="danger">${parts.join(' and ')}</button>`
  return html`<section aria-labelledby="will">
<h2 id="will">What will happen</h2>
${totals(results, t)}
${refundHint(results, 'will be')}
${closed > 0 ? postForm(session, '/dashboard/calendar/closures', act) : html`<p><strong>There is nothing to close.</strong></p>`}
${folded(`Timeslots: ${t.number(results.length)}`, timeslotTable('Timeslots', shown, results))}
${folded(
  `Bookings: ${isCut ? 'more than ' : ''}${t.number(bookings.length)}`,
  html`${bookings.length > 0 ? bookingTable(shown, results, bookings) : emptyState('Nobody is on these timeslots.')}
${isCut ? html`<p class="hint">Only the first ${t.number(bookings.length)} bookings are shown.</p>` : ''}`,
)}
</section>
<section class="no-print">${folded('Change what is closed', form)}</section>`
}

/** What is looked at before the decision only if somebody wants to: the button stays within reach. */
function folded(summary: string, content: Markup): Markup {
  return html`<details class="folded"><summary>${summary}</summary>${content}</details>`
}

function report(
  session: Session,
  shown: ShownClosure,
  { results, left, once }: Extract<ClosureOutcome, { step: 'close' }>,
): Markup {
  const { given, t } = shown
  const goOn = html`${hiddenFields({ Step: 'close', ...given })}
<button>Go on with the other ${t.number(left)}</button>`
  const progress = html`<p><strong>${t.number(results.length)} of ${t.number(results.length + left)} timeslots are done.</strong>
<progress max="${results.length + left}" value="${results.length}" aria-label="Timeslots done"></progress></p>
${postForm(session, '/dashboard/calendar/closures', goOn, { once, class: 'go-on' })}`
  return html`<section aria-labelledby="was">
<h2 id="was">What was done</h2>
<div role="status">${left > 0 ? progress : html`<p class="done">The closure is done.</p>`}</div>
${totals(results, t)}
${refundHint(results, 'is')}
${untoldList(results)}
${timeslotTable('What became of each timeslot', shown, results)}
</section>
<p class="actions no-print"><a class="button" href="/dashboard/calendar/calls">Whom to call</a>
<a href="/dashboard/calendar">Calendar</a></p>`
}

/** Where the money is that the operator pays back. */
function refundHint(results: readonly Result[], verb: string): Markup {
  if (totalsOf([...results]).refunds.every(({ minor }) => Number(minor) === 0)) return html``
  return html`<p>What is to be paid back ${verb} listed under <a href="/dashboard/refunds">Refunds</a>.</p>`
}

/** The customers who get no e-mail: to go through by telephone. */
function untoldList(results: readonly Result[]): Markup {
  const references = results.flatMap(({ untold = [] }) => untold)
  if (references.length === 0) return html``
  return html`<h3>Call these customers</h3>
<p class="hint">They held places or waited, or have no e-mail address: nothing is sent to them. “Whom to call” has their names and phone numbers.</p>
<ul>${references.map((reference) => html`<li>${bookingLink(reference)}</li>`)}</ul>`
}

/** A request as fields of a form, each named by its path. */
function hiddenFields(value: object, path = ''): Markup[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = path ? `${path}.${name}` : name
    if (inner === undefined) return []
    if (typeof inner === 'object' && !Array.isArray(inner)) return hiddenFields(inner, field)
    return [inner]
      .flat()
      .map((one) => html`<input${attributes({ type: 'hidden', name: field, value: one })}>`)
  })
}

function count(number: number, noun: string, t: Texts): string {
  return `${t.number(number)} ${noun}${number === 1 ? '' : 's'}`
}

function totals(results: Result[], t: Texts): Markup {
  const sums = totalsOf(results)
  const always: [string, number][] = [
    ['Timeslots closed', sums.closed],
    ['Customers told by e-mail', sums.emailed],
  ]
  const ifAny: [string, number][] = [
    ['Bookings cancelled', sums.cancelled],
    ['Bookings moved', sums.moved],
    ['Holds given back', sums.released],
    ['Parties off the waitlist', sums.waitlistEnded],
    ['Left as they are', sums.left],
    ['Closed before, with nobody on them', sums.alreadyClosed],
  ]
  const counts = [...always, ...ifAny.filter(([, sum]) => sum > 0)]
  const rows = [
    ...counts.map(([term, sum]) => [term, t.number(sum)]),
    ...sums.refunds.map((sum) => ['To be paid back', refundText(sum, t)]),
    ...sums.partnerRefunds.map((sum) => ['Partners pay back their own customers', refundText(sum, t)]),
  ]
  return html`<dl class="totals">${rows.map(([term, sum]) => html`<div><dt>${term!}</dt><dd>${sum!}</dd></div>`)}</dl>`
}

function refundText({ minor, currency }: RefundSum, t: Texts): string {
  return t.amount(Number(minor), currency)
}

function timeslotTable(caption: string, { products, t }: ShownClosure, results: readonly Result[]): Markup {
  if (results.length === 0) return emptyState('No timeslot is meant that has not begun.')
  const names = new Map(products.map(({ id, name }) => [id, name]))
  return table(
    caption,
    [
      {
        head: 'Timeslot',
        cell: (slot) =>
          html`<a href="/dashboard/calendar/timeslots/${slot.timeslotId}">${dayAndTime(t, slot)}</a>`,
      },
      { head: 'Product', cell: ({ productId }) => names.get(productId) ?? '' },
      { head: 'Outcome', cell: (result) => outcomeOf(result, t) },
      { head: 'Cancelled', cell: ({ cancelled }) => t.number(cancelled), numeric: true },
      { head: 'Moved', cell: ({ moved }) => t.number(moved), numeric: true },
      { head: 'E-mails', cell: ({ emailed }) => t.number(emailed), numeric: true },
    ],
    results,
  )
}

function outcomeOf({ result, reason, available, movedTo }: Result, t: Texts): Markup {
  if (result === 'already-closed') return html`${badge('closed before')}`
  if (result === 'closed')
    return html`${badge('closed', 'good')} ${movedTo ? `to ${dayAndTime(t, movedTo)}` : ''}`
  const reasons = {
    begun: 'it has begun',
    'target-unavailable': 'there is no timeslot on sale to move to',
    'insufficient-capacity': `only ${t.number(available ?? 0)} places are free where its bookings would go`,
  }
  return html`${badge('left as it is', 'warn')} ${reason ? reasons[reason] : ''}`
}

function bookingTable(
  { t }: ShownClosure,
  results: readonly Result[],
  bookings: readonly AffectedBooking[],
): Markup {
  const byId = new Map(results.map((result) => [result.timeslotId, result]))
  return table<AffectedBooking>(
    'Bookings on these timeslots',
    [
      {
        head: 'Timeslot',
        onCard: 'line',
        cell: ({ timeslotId }) => dayAndTime(t, byId.get(timeslotId)!),
      },
      { head: 'Booking', onCard: 'title', cell: ({ reference }) => bookingLink(reference) },
      { head: 'Name', onCard: 'name', cell: nameOf },
      {
        head: 'Party',
        onCard: 'side',
        cell: ({ participants }) => peopleText(participants, t.number),
        numeric: true,
      },
      {
        head: 'What becomes of it',
        onCard: 'line',
        cell: (booking) => fateOf(booking, byId.get(booking.timeslotId)!, t),
      },
    ],
    bookings,
  )
}

function fateOf({ status, hasEmail }: AffectedBooking, { result, movedTo }: Result, t: Texts): Markup {
  if (result !== 'closed') return html`stays`
  if (status === 'held') return html`its hold is given back`
  if (status === 'waitlisted') return html`waits no more`
  const told = hasEmail ? '' : badge('no e-mail address: tell them yourself', 'warn')
  return movedTo ? html`moves to ${dayAndTime(t, movedTo)} ${told}` : html`is cancelled ${told}`
}
