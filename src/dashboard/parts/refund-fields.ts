/** What is paid back, in the forms that make a booking cheaper: by the terms, all, nothing, or another amount. */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import { toAmount } from '../../platform/text/money.ts'
import type { OwnRefundPreview } from '../../sales/booking/changes/refunding.ts'
import { chooseRefund } from '../../sales/ledger/refund-model.ts'
import { textsOf } from '../frame/form-body.ts'
import { type Formats, formatsFor } from '../frame/formats.ts'
import { attributes, type FormFaults, idOf, type ShownForm, valueAt } from '../frame/forms.ts'
import { readAmount, showAmount } from './amounts.ts'

const amountName = 'Refund.Amount'
const choiceName = 'Refund.Choice'

/** What the summary of faults calls the fields. */
export const refundLabels: ReadonlyMap<string, string> = new Map([
  [amountName, 'Another amount'],
  [choiceName, 'Pay back'],
  ['Refund', 'Pay back'],
])

/** With what a form calls the fields of a refund. */
export function namedRefund(faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  return { ...faults, labels: new Map([...refundLabels, ...(faults.labels ?? [])]) }
}

/** Puts what was chosen into the body, before that is checked: an amount counts only beside its own button. */
export async function takeRefund(request: FastifyRequest): Promise<void> {
  const body = request.body as { Refund?: object }
  const [choice] = textsOf(request.formFields, choiceName)
  if (choice === undefined) return
  const [amount = ''] = textsOf(request.formFields, amountName)
  const isAmount = choice === 'amount'
  body.Refund = isAmount ? { Amount: readAmount(amount, formatsFor(request).locale) } : { Choice: choice }
}

/** The buttons of the choice, each with what it comes to where that is known. */
type RefundButton = { value: 'terms' | 'full' | 'none'; label: string }

type RefundFields = {
  legend: string
  buttons: readonly RefundButton[]
  /** The value that is chosen at first. */
  first: string
  currency: string
  /** The form that is shown again. */
  again: ShownForm | null
}

export function refundFields(
  { locale }: Formats,
  { legend, buttons, first, currency, again }: RefundFields,
): Markup {
  const given = valueAt(again?.values, amountName)
  const fault = again?.faults?.fields.get(amountName) ?? again?.faults?.fields.get('Refund')
  const chosen = valueAt(again?.values, choiceName) || (given || fault ? 'amount' : first)
  const radio = (value: string, label: string) =>
    html`<label class="choice"><input${attributes({ type: 'radio', name: choiceName, value, checked: value === chosen })}> ${label}</label>\n`
  // Several forms of a page have it: only that of the form with a fault is led to.
  const id = fault ? idOf(amountName) : undefined
  const input = attributes({
    ...{ id, name: amountName, value: showAmount(given, locale), inputmode: 'decimal' },
    ...{ maxlength: 25, autocomplete: 'off', 'aria-label': `Another amount, in ${currency}` },
    ...{ 'aria-invalid': fault ? 'true' : undefined, placeholder: showAmount(toAmount(0, currency), locale) },
  })
  return html`<fieldset class="question"><legend>${legend}</legend>
${buttons.map(({ value, label }) => radio(value, label))}
<p class="field">${radio('amount', 'Another amount:')}<input${input}>${fault ? html`<span class="fault">${fault}</span>` : ''}</p>
</fieldset>`
}

/** What was paid of a sale, and what is paid back of a booking that is cancelled now. */
export function cancelRefundFields(
  formats: Formats,
  refund: OwnRefundPreview,
  again: ShownForm | null,
): Markup {
  const { currency, paidMinor, undecidedMinor, hasOthers, options } = refund
  const text = (minor: bigint) => formats.money(Number(minor), currency)
  const paid = html`<p>Paid: <strong>${text(paidMinor)}</strong>${hasOthers ? html`, for all bookings of the sale. Of this one: <strong>${text(options.mostMinor)}</strong>` : ''}</p>${undecidedHint(formats, undecidedMinor, currency)}`
  if (options.mostMinor === 0n)
    return html`${paid}<p class="hint">Nothing of it can be paid back: more than this booking costs is still owed.</p>`
  return html`${paid}${knownRefundFields(formats, refund, 'Pay back', again)}`
}

/** The choice where it is known how much cheaper the booking becomes: each button with its amount. */
export function knownRefundFields(
  formats: Formats,
  { currency, options, termsBp }: OwnRefundPreview,
  legend: string,
  again: ShownForm | null,
): Markup {
  const { byTermsMinor } = options
  const text = (choice: RefundButton['value']) =>
    formats.money(Number(chooseRefund(options, choice)!.amountMinor), currency)
  const nothing = options.leastMinor > 0n ? `No more than was paid back already: ${text('none')}` : 'Nothing'
  const buttons: RefundButton[] = [
    ...(byTermsMinor === null ? [] : [{ value: 'terms' as const, label: `By the terms: ${text('terms')}` }]),
    { value: 'full', label: `All: ${text('full')}` },
    { value: 'none', label: nothing },
  ]
  const fields = { legend, buttons, first: buttons[0]!.value, currency, again }
  return html`${byTermsMinor === 0n ? whyNothing(formats, termsBp) : ''}${refundFields(formats, fields)}`
}

/** Of any other amount so much would be paid back once more, or be counted as kept. */
function undecidedHint(formats: Formats, amounts: readonly bigint[], currency: string): Markup {
  if (amounts.length === 0) return html``
  const text = amounts.map((minor) => formats.money(Number(minor), currency)).join(' and ')
  return html`<p class="hint">Your payment provider has already paid back ${text} of this sale. What it has paid back cannot be kept: if it was for this, it is marked as done at once.</p>`
}

/** Why the terms pay nothing back: of a price it is clear, of a deposit it is not. */
function whyNothing(formats: Formats, termsBp: number | null): Markup {
  const kept = formats.number(100 - (termsBp ?? 0) / 100)
  return termsBp === 0
    ? html`<p class="hint">By the refund terms nothing is paid back any more at this time before the start.</p>`
    : html`<p class="hint">By the refund terms ${kept} % of the price is kept now. No more than that was paid, so they pay nothing back.</p>`
}

/** The same where the party is changed: how much cheaper it becomes is known when it is sent. */
export function changeRefundFields(
  formats: Formats,
  { currency, paidMinor, undecidedMinor, termsBp }: OwnRefundPreview,
  again: ShownForm | null,
): Markup {
  const buttons: RefundButton[] = [
    ...(termsBp === null
      ? []
      : [{ value: 'terms' as const, label: `By the terms: ${formats.number(termsBp / 100)} % of it` }]),
    { value: 'full', label: 'All of it' },
    { value: 'none', label: 'Nothing' },
  ]
  const legend = 'If it becomes cheaper, pay back'
  const fields = { legend, buttons, first: buttons[0]!.value, currency, again }
  return html`<p>Paid: <strong>${formats.money(Number(paidMinor), currency)}</strong></p>${undecidedHint(formats, undecidedMinor, currency)}${termsBp === 0 ? whyNothing(formats, termsBp) : ''}${refundFields(formats, fields)}`
}

/** Whether what was sent about the refund is wrong. */
export function namesRefund(again: ShownForm | null): boolean {
  return [...(again?.faults?.fields.keys() ?? [])].some((field) => field.startsWith('Refund'))
}
