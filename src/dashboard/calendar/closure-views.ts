/** The preview and the report of a weather closure. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Words } from '../../messaging/emails/words.ts'
import { fullName } from '../../platform/text/full-name.ts'
import { type TimeslotClosure, totalsOf } from '../../sales/closure/model.ts'
import type { AffectedBooking, CustomerWithoutEmail } from '../../sales/closure/service.ts'
import { attributes, postForm } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { bookingLink } from '../parts/subject.ts'
import { emailWords } from '../parts/tell-fields.ts'
import { affectedTable, hereNotice } from './closure-booking-views.ts'
import type { ClosureFields } from './closure-fields.ts'
import { percentChoice } from './closure-refund.ts'
import { needsAttention, timeslotTable, totals } from './closure-tables.ts'

export type ClosureOutcome =
  | {
      step: 'preview'
      results: TimeslotClosure[]
      bookings: AffectedBooking[]
      isCut: boolean
      /** How many people on the timeslots that will be closed are checked in. */
      peopleHere: number
      /** Examples: the e-mail for the first of the operator's own bookings, and for the first booking of a partner. */
      emails: readonly ShownNotice[]
    }
  /**
   * `unprocessed`: how many timeslots are still to be closed. To continue with them, the form is sent again
   * with the idempotency key `once`.
   */
  | {
      step: 'close'
      results: TimeslotClosure[]
      unprocessed: number
      withoutEmail: readonly CustomerWithoutEmail[]
      once: string
    }

export type ShownNotice = { reference: string; words: Words }

type ShownClosure = {
  outcome: ClosureOutcome
  given: Partial<ClosureFields>
  /** The form with the values that were sent, so that the user can change them. */
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
  { results, bookings, isCut, peopleHere, emails }: Extract<ClosureOutcome, { step: 'preview' }>,
): Markup {
  const { given, form, t } = shown
  const { closed, cancelled, moved } = totalsOf(results)
  const act = html`${closing(given)}
<button class="danger">${t.say('calendar.closure.act', { closed, cancelled, moved })}</button>`
  return html`<section aria-labelledby="will">
<h2 id="will">${t.say('calendar.closure.will')}</h2>
${totals(results, t)}
${refundHint(t, results, 'calendar.closure.refunds-will')}
${hereNotice(t, peopleHere)}
${
  emails.length > 0
    ? folded(
        t.say('calendar.closure.email'),
        html`${emails.map(
          ({
            reference,
            words,
          }) => html`<p class="hint">${t.say('calendar.message.preview.about', { reference })}</p>
${emailWords(t, { words, fault: null })}`,
        )}`,
      )
    : ''
}
${folded(
  t.say('calendar.closure.timeslots', { count: results.length }),
  timeslotTable(t.say('calendar.timeslots'), shown, results),
)}
${folded(
  t.say(isCut ? 'calendar.closure.bookings-more' : 'calendar.closure.bookings', { count: bookings.length }),
  html`${bookings.length > 0 ? affectedTable(t, results, bookings) : emptyState(t.say('calendar.closure.nobody'))}
${isCut ? html`<p class="hint">${t.say('calendar.closure.bookings-cut', { count: bookings.length })}</p>` : ''}`,
)}
${closed > 0 ? postForm(session, '/dashboard/calendar/closures', act) : html`<p><strong>${t.say('calendar.closure.nothing')}</strong></p>`}
</section>
<section class="no-print">${folded(t.say('calendar.closure.change'), form)}</section>`
}

/** Content that is collapsed at first, so that the button below it is in sight. */
function folded(summary: string, content: Markup): Markup {
  return html`<details class="folded"><summary>${summary}</summary>${content}</details>`
}

function report(
  session: Session,
  shown: ShownClosure,
  { results, unprocessed, withoutEmail, once }: Extract<ClosureOutcome, { step: 'close' }>,
): Markup {
  const { given, t } = shown
  const goOn = html`${closing(given)}
<button>${t.say('calendar.closure.go-on', { count: unprocessed })}</button>`
  const progress = html`<p><strong>${t.say('calendar.closure.progress', { done: results.length, all: results.length + unprocessed })}</strong>
<progress max="${results.length + unprocessed}" value="${results.length}" aria-label="${t.say('calendar.closure.progress.label')}"></progress></p>
${postForm(session, '/dashboard/calendar/closures', goOn, { once, class: 'go-on' })}`
  return html`<section aria-labelledby="was">
<h2 id="was">${t.say('calendar.closure.was')}</h2>
<div role="status">${unprocessed > 0 ? progress : html`<p class="done">${t.say('calendar.closure.done')}</p>`}</div>
<p class="actions no-print"><a class="button" href="/dashboard/calendar/calls">${t.say('calendar.calls.title')}</a>
<a href="/dashboard/calendar">${t.say('calendar.title')}</a></p>
${totals(results, t)}
${refundHint(t, results, 'calendar.closure.refunds-are')}
${untoldList(session, t, withoutEmail)}
${reportTables(shown, results)}
</section>`
}

/** A sentence with a link to the page of refunds; empty if the operator pays nothing back. */
function refundHint(
  t: Texts,
  results: readonly TimeslotClosure[],
  key: 'calendar.closure.refunds-will' | 'calendar.closure.refunds-are',
): Markup {
  if (totalsOf([...results]).refunds.every(({ minor }) => Number(minor) === 0)) return html``
  const link = (words: Markup) => html`<a href="/dashboard/refunds">${words}</a>`
  return html`<p>${markupOf(t, key, { link })}</p>`
}

/** The customers who get no e-mail, with their phone numbers. */
function untoldList(session: Session, t: Texts, withoutEmail: readonly CustomerWithoutEmail[]): Markup {
  if (withoutEmail.length === 0) return html``
  return html`<h3>${t.say('calendar.call-these')}</h3>
<p class="hint">${t.say('calendar.closure.untold')}</p>
<ul>${withoutEmail.map((booking) => html`<li>${untoldCell(session, booking)}</li>`)}</ul>`
}

function untoldCell(
  session: Session,
  { reference, firstName, lastName, phone }: CustomerWithoutEmail,
): Markup {
  const name = fullName(firstName, lastName)
  return html`${name && html`${name} · `}${phone ? html`${phoneLink(session, phone)} · ` : ''}${bookingLink(reference)}`
}

/**
 * The hidden fields that repeat the request of the preview, with the step `close`. With a percentage, they
 * also have the choice `percent`. A process of an older version does not know percentages: because of this
 * choice it refuses the form instead of ignoring the percentage.
 */
function closing(given: Partial<ClosureFields>): Markup[] {
  const choice = given.Refund?.Percent === undefined ? {} : { 'Refund.Choice': percentChoice }
  return hiddenFields({ Step: 'close', ...given, ...choice })
}

/** The values of a form as hidden fields, each named by its path. */
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

/** The table of timeslots that need attention, and a folded table of the others. */
function reportTables(shown: ShownClosure, results: readonly TimeslotClosure[]): Markup {
  const { t } = shown
  const caption = t.say('calendar.closure.became')
  const others = results.filter((result) => !needsAttention(result))
  if (others.length === 0) return timeslotTable(caption, shown, results)
  const count = t.say('calendar.closure.without-bookings', { count: others.length })
  return html`${others.length < results.length ? timeslotTable(caption, shown, results.filter(needsAttention)) : ''}
${folded(count, timeslotTable(count, shown, others))}`
}
