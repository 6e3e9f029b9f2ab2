/** The form of a weather closure: what is closed, and what becomes of the bookings. Pure. */

import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  attributes,
  type FormFaults,
  faultSummary,
  inputField,
  postForm,
  selectField,
  textField,
} from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { refundChoice } from '../parts/refund-fields.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import type { ClosureFields } from './closure-fields.ts'

/** What the form calls its fields. */
export const closureLabels: ReadonlyMap<string, string> = new Map([
  ['TimeslotID', 'Timeslot'],
  ['From', 'First day'],
  ['To', 'Last day'],
  ['Action', 'What becomes of the bookings'],
  ['MoveTo', 'Move to'],
  ['MoveTo.Date', 'Move to the day'],
  ['MoveTo.Time', 'and time'],
  ['Target', 'Move to'],
  ['Message', 'Message to the customers'],
])

const refundValues = ['full', 'terms', 'none'] as const

type Form = {
  given: Partial<ClosureFields>
  faults: FormFaults
  products: readonly { id: number; name: string }[]
  /** The one timeslot to close, if it is one, and those that could take its bookings. */
  slot: Timeslot | null
  targets: readonly Timeslot[]
  today: string
  t: Texts
}

export function closureForm(session: Session, form: Form): Markup {
  const { given, faults, slot } = form
  const refund = given.Refund?.Choice
  const fields = html`${faultSummary(faults)}
<input type="hidden" name="Step" value="preview">
${slot ? oneTimeslot(slot, form) : rangeFields(form)}
<fieldset><legend>What becomes of the bookings</legend>
${choice('Action', 'cancel', 'Cancel them', given.Action !== 'move')}
${choice('Action', 'move', 'Move them', given.Action === 'move')}
${slot ? targetField(form) : moveFields(form)}
</fieldset>
<fieldset><legend>What is paid back of bookings that are cancelled</legend>
${refundValues.map((value) => choice('Refund.Choice', value, refundChoice(value), value === (refund ?? 'full')))}
<p class="hint">Of what was paid for your own sales. Partners pay their customers back themselves.</p>
</fieldset>
${textField({ label: 'Message to the customers', name: 'Message', value: given.Message, faults, hint: 'Why, in their e-mail. May be left out.' }, { maxlength: 2000 })}
<button>Show what will happen</button>
<p class="hint">Nothing changes before you have seen it.</p>`
  return html`<p class="no-print"><a href="/dashboard/calendar">Calendar</a></p>
${postForm(session, '/dashboard/calendar/closures', fields)}`
}

function oneTimeslot(slot: Timeslot, { t }: Form): Markup {
  return html`<p><strong>${slot.productName}, ${dayAndTime(t, slot)}</strong>
<input type="hidden" name="TimeslotID" value="${slot.id}"><br>
<a href="/dashboard/calendar/closures?From=${slot.date}&amp;To=${slot.date}">Close the whole day instead</a></p>`
}

function rangeFields({ given, faults, products, today }: Form): Markup {
  const chosen = new Set(given.ProductIDs)
  const from = given.From ?? today
  return html`${inputField({ label: 'First day', name: 'From', value: from, faults }, { type: 'date', required: true })}
${inputField({ label: 'Last day', name: 'To', value: given.To ?? from, faults }, { type: 'date', required: true })}
<fieldset><legend>Products</legend>
<p class="hint">None chosen means all.</p>
${products.map(({ id, name }) => html`<label class="choice"><input${attributes({ type: 'checkbox', name: 'ProductIDs', value: id, checked: chosen.has(id) })}> ${name}</label>\n`)}
</fieldset>`
}

function moveFields({ given: { MoveTo }, faults }: Form): Markup {
  return html`${inputField({ label: 'Move to the day', name: 'MoveTo.Date', value: MoveTo?.Date, faults }, { type: 'date' })}
${inputField({ label: 'and time', name: 'MoveTo.Time', value: MoveTo?.Time, faults, hint: 'Left out: the time of each timeslot.' }, { type: 'time' })}`
}

function targetField({ given, faults, targets, t }: Form): Markup {
  const choices = targets.map((target) => ({
    value: `${target.date} ${target.time}`,
    label: `${dayAndTime(t, target)}: ${t.number(freeOf(target))} free`,
  }))
  return selectField({ label: 'Move to', name: 'Target', value: given.Target, faults }, [
    { value: '', label: targets.length > 0 ? 'Choose a timeslot' : 'No other timeslot has places' },
    ...choices,
  ])
}

function choice(name: string, value: string, label: string, checked: boolean): Markup {
  return html`<label class="choice"><input${attributes({ type: 'radio', name, value, checked })}> ${label}</label>\n`
}
