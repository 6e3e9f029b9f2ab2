/**
 * The form of a weather closure: which timeslots to close, whether to cancel or move their bookings, the refund,
 * and a message. Pure.
 */

import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inputField, selectField, textField } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import type { ClosureFields } from './closure-fields.ts'
import { closureRefundFields } from './closure-refund.ts'

export function closureLabels(t: Texts): ReadonlyMap<string, string> {
  return new Map([
    ['TimeslotID', t.say('word.timeslot')],
    ['From', t.say('calendar.closure.from')],
    ['To', t.say('calendar.closure.to')],
    ['Action', t.say('calendar.closure.action')],
    ['MoveTo', t.say('calendar.closure.target')],
    ['MoveTo.Date', t.say('calendar.closure.move-date')],
    ['MoveTo.Time', t.say('calendar.closure.move-time')],
    ['Target', t.say('calendar.closure.target')],
    ['Message', t.say('calendar.closure.message')],
    ['Refund.Choice', t.say('refund.pay-back')],
    ['Refund.Percent', t.say('calendar.closure.refund.percent')],
  ])
}

/** A timeslot to which bookings may be moved. `free`: its free places. */
export type ClosureTargetChoice = Pick<Timeslot, 'date' | 'time' | 'openingHours'> & { free: number }

type Form = {
  given: Partial<ClosureFields>
  faults: FormFaults
  products: readonly { id: number; name: string }[]
  /** The one timeslot to close; null for the closure of a range of days. */
  slot: Timeslot | null
  /**
   * Timeslots to which the bookings of `slot` may be moved, including the target that the user has chosen.
   * Empty for the closure of a range of days.
   */
  targets: readonly ClosureTargetChoice[]
  today: string
  t: Texts
}

export function closureForm(session: Session, form: Form): Markup {
  const { given, faults, slot, t } = form
  const fields = html`${faultSummary(faults)}
<input type="hidden" name="Step" value="preview">
${slot ? oneTimeslot(slot, form) : rangeFields(form)}
<fieldset><legend>${t.say('calendar.closure.action')}</legend>
${choice('Action', 'cancel', t.say('calendar.closure.cancel'), given.Action !== 'move')}
${choice('Action', 'move', t.say('calendar.closure.move'), given.Action === 'move')}
<div class="fields of-move">${slot ? targetField(form) : moveFields(form)}</div>
</fieldset>
${closureRefundFields(t, given.Refund, faults)}
${textField({ label: t.say('calendar.closure.message'), name: 'Message', value: given.Message, faults, hint: t.say('calendar.closure.message.hint') }, { maxlength: 2000 })}
<button>${t.say('calendar.closure.preview')}</button>
<p class="hint">${t.say('calendar.closure.preview.hint')}</p>`
  return html`<p class="no-print"><a href="/dashboard/calendar">${t.say('calendar.title')}</a></p>
${postForm(session, '/dashboard/calendar/closures', fields)}`
}

function oneTimeslot(slot: Timeslot, { t }: Form): Markup {
  return html`<p><strong>${slot.productName}, ${dayAndTime(t, slot)}</strong>
<input type="hidden" name="TimeslotID" value="${slot.id}"><br>
<a href="/dashboard/calendar/closures?From=${slot.date}&amp;To=${slot.date}">${t.say('calendar.closure.whole-day')}</a></p>`
}

function rangeFields({ given, faults, products, today, t }: Form): Markup {
  const chosen = new Set(given.ProductIDs)
  // A refused form keeps a field that the user emptied. A new form proposes today.
  const from = given.From ?? (faults ? '' : today)
  const to = given.To ?? (faults ? '' : from)
  return html`${inputField({ label: t.say('calendar.closure.from'), name: 'From', value: from, faults }, { type: 'date', required: true })}
${inputField({ label: t.say('calendar.closure.to'), name: 'To', value: to, faults }, { type: 'date', required: true })}
<fieldset><legend>${t.say('calendar.products')}</legend>
<p class="hint">${t.say('calendar.closure.products.hint')}</p>
${products.map(({ id, name }) => html`<label class="choice"><input${attributes({ type: 'checkbox', name: 'ProductIDs', value: id, checked: chosen.has(id) })}> ${name}</label>\n`)}
</fieldset>`
}

function moveFields({ given: { MoveTo }, faults, t }: Form): Markup {
  return html`${inputField({ label: t.say('calendar.closure.move-date'), name: 'MoveTo.Date', value: MoveTo?.Date, faults }, { type: 'date' })}
${inputField({ label: t.say('calendar.closure.move-time'), name: 'MoveTo.Time', value: MoveTo?.Time, faults, hint: t.say('calendar.closure.move-time.hint') }, { type: 'time' })}`
}

function targetField({ given, faults, targets, t }: Form): Markup {
  const choices = targets.map((target) => ({
    value: `${target.date} ${target.time}`,
    label: t.say('calendar.closure.target.free', {
      when: dayAndTime(t, target),
      count: Math.max(target.free, 0),
    }),
  }))
  return selectField(
    { label: t.say('calendar.closure.target'), name: 'Target', value: given.Target, faults },
    [
      {
        value: '',
        label: t.say(targets.length > 0 ? 'calendar.closure.target.choose' : 'calendar.closure.target.none'),
      },
      ...choices,
    ],
  )
}

function choice(name: string, value: string, label: string, checked: boolean): Markup {
  return html`<label class="choice"><input${attributes({ type: 'radio', name, value, checked })}> ${label}</label>\n`
}
