/** The fields of the closure form that choose the refund of cancelled bookings. */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { percentPattern } from '../../platform/text/percent.ts'
import { eitherChoiceOrPercent } from '../../sales/closure/service.ts'
import { textsOf } from '../frame/form-body.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../frame/forms.ts'
import { textsFor } from '../frame/texts.ts'
import { readPercent, showAmount } from '../parts/amounts.ts'
import { refundChoice } from '../parts/refund-fields.ts'
import type { ClosureFields } from './closure-fields.ts'

const choiceName = 'Refund.Choice'
const percentName = 'Refund.Percent'
const values = ['full', 'terms', 'none'] as const
/** The choice of the form for which the request has `Percent` instead of `Choice`. */
export const percentChoice = 'percent'

const bothInWords = 'is filled in, but another refund is selected: select “Part”, or clear the percentage'

/**
 * Puts the refund that the form chooses into the body, before the body is checked. If bookings are moved, there is
 * no refund and its fields are hidden, so the body gets no refund.
 */
export function takeClosureRefund(request: FastifyRequest): void {
  const body = request.body as { Action?: string; Refund?: TypedRefund }
  const typed = readRefund(request)
  if (typed) body.Refund = typed
  if (body.Action === 'move') delete body.Refund
}

/**
 * The sent fields for the form that is shown again. If bookings are moved, also the hidden choice of the refund,
 * if it is valid.
 */
export function withHiddenRefund(request: FastifyRequest, given: ClosureFields): ClosureFields {
  const typed = given.Action === 'move' ? readRefund(request) : null
  return typed && isSound(typed) ? { ...given, Refund: typed as ClosureFields['Refund'] } : given
}

type TypedRefund = { Choice?: string; Percent?: string }

function readRefund(request: FastifyRequest): TypedRefund | null {
  const [choice] = textsOf(request.formFields, choiceName)
  if (choice === undefined) return null
  const [text = ''] = textsOf(request.formFields, percentName)
  const Percent = readPercent(text, textsFor(request).locale)
  if (choice === percentChoice) return { Percent }
  return { Choice: choice, ...(Percent !== '' && { Percent }) }
}

function isSound({ Choice, Percent }: TypedRefund): boolean {
  if (Choice === undefined) return new RegExp(percentPattern).test(Percent ?? '')
  return Percent === undefined && values.some((value) => value === Choice)
}

/**
 * If the form has a percentage, but a choice other than `percent` is selected: moves the fault about this to
 * the field of the percentage, and replaces its message. Other faults stay unchanged.
 */
export function ofClosureRefund(faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  const fields = [...faults.fields].map(([field, message]) =>
    message === eitherChoiceOrPercent ? ([percentName, bothInWords] as const) : ([field, message] as const),
  )
  return { ...faults, fields: new Map(fields) }
}

export function closureRefundFields(t: Texts, given: ClosureFields['Refund'], faults: FormFaults): Markup {
  const message = faults?.fields.get(percentName)
  const chosen = given?.Choice ?? (given?.Percent === undefined ? 'full' : percentChoice)
  const radio = (value: string, label: string) =>
    html`<label class="choice"><input${attributes({ type: 'radio', name: choiceName, value, checked: value === chosen })}> ${label}</label>\n`
  const label = t.say('calendar.closure.refund.percent')
  const input = attributes({
    ...{
      id: idOf(percentName),
      name: percentName,
      value: showAmount(given?.Percent ?? '', t.locale),
      inputmode: 'decimal',
    },
    ...{ maxlength: 7, size: 6, autocomplete: 'off', placeholder: '50', 'aria-label': label },
    'aria-invalid': message ? 'true' : undefined,
  })
  return html`<fieldset class="question of-cancel"><legend>${t.say('calendar.closure.refund')}</legend>
${values.map((value) => radio(value, refundChoice(t, value)))}
<p class="field">${radio(percentChoice, t.say('refund.choice.open', { choice: refundChoice(t, 'amount') }))}<input${input}> %${message ? faultBeside(percentName, label, message) : ''}</p>
<p class="hint">${t.say('calendar.closure.refund.hint')}</p>
</fieldset>`
}
