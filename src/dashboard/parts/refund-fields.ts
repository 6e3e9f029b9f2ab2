/** The choice of a refund in forms: by the terms, all, nothing, or another amount. */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { toAmount } from '../../platform/text/money.ts'
import type { OwnRefundPreview } from '../../sales/booking/changes/refund-preview.ts'
import { chooseRefund } from '../../sales/ledger/refund-model.ts'
import { eitherOfTwo } from '../../sales/ledger/refund-plan.ts'
import { textsOf } from '../frame/form-body.ts'
import { type ShownForm, valueAt } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../frame/forms.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount, showAmount } from './amounts.ts'

const amountName = 'Refund.Amount'
const choiceName = 'Refund.Choice'

export type RefundValue = 'terms' | 'full' | 'none' | 'amount'

/** A choice in words, with its amount if known: `All: €90.00`. */
export function refundChoice(t: Texts, value: RefundValue, amount = ''): string {
  const choice = t.say(`refund.${value}`)
  return amount === '' ? choice : t.say('refund.choice', { choice, amount })
}

/** The labels of the fields in the summary of faults. */
export function refundLabels(t: Texts): ReadonlyMap<string, string> {
  const payBack = t.say('refund.pay-back')
  return new Map([
    [amountName, t.say('refund.amount')],
    [choiceName, payBack],
    ['Refund', payBack],
  ])
}

// Replaces the message that the API gives for an amount and a choice together: in the form a choice is always
// selected.
const conflictMessage = 'is filled in, but another refund is selected: select “Part”, or clear the amount'

/**
 * Adds the labels of the refund's fields to the faults. Replaces the API's message about an amount beside
 * another choice with the message of this form.
 */
export function namedRefund(t: Texts, faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  const fields = new Map(
    [...faults.fields].map(([field, message]) =>
      message === eitherOfTwo ? [amountName, conflictMessage] : [field, message],
    ),
  )
  return { ...faults, fields, labels: new Map([...refundLabels(t), ...(faults.labels ?? [])]) }
}

/**
 * Puts the refund of the form into the body, before the body is checked. toChoice() refuses an amount beside
 * another choice.
 */
export async function takeRefund(request: FastifyRequest): Promise<void> {
  const body = request.body as { Refund?: object }
  const [choice] = textsOf(request.formFields, choiceName)
  if (choice === undefined) return
  const [amount = ''] = textsOf(request.formFields, amountName)
  const Amount = readAmount(amount, textsFor(request).locale)
  if (choice === 'amount') body.Refund = { Amount }
  else body.Refund = { Choice: choice, ...(amount.trim() !== '' && { Amount }) }
}

type RefundOption = { value: Exclude<RefundValue, 'amount'>; label: string }

type RefundFields = {
  legend: string
  /** The first choice is selected by default. */
  choices: readonly RefundOption[]
  currency: string
  /** The refused or previewed form that is shown again; null for a new one. */
  again: ShownForm | null
}

/** The choices as radio buttons. The last one has a field for an amount. */
export function refundFields(t: Texts, fields: RefundFields): Markup {
  const { legend, choices } = fields
  const { chosen, amount, fault } = shownChoice(t, fields)
  const radio = (value: RefundValue, label: string) =>
    html`<label class="choice"><input${attributes({ type: 'radio', name: choiceName, value, checked: value === chosen })}> ${label}</label>\n`
  return html`<fieldset class="question"><legend>${legend}</legend>
${choices.map(({ value, label }) => radio(value, label))}
<p class="field">${radio('amount', t.say('refund.choice.open', { choice: refundChoice(t, 'amount') }))}${amount}${fault}</p>
</fieldset>`
}

/** The selected choice, the field for an amount, and its fault. */
function shownChoice(t: Texts, { choices, currency, again }: RefundFields) {
  const { locale } = t
  const given = valueAt(again?.values, amountName)
  const faults = again?.faults?.fields
  const field = faults?.has(amountName) ? amountName : 'Refund'
  const message = faults?.get(field)
  const chosen = valueAt(again?.values, choiceName) || (given || message ? 'amount' : choices[0]!.value)
  // A page may have several such forms. Only the one with the fault has the id that the summary of faults links to.
  const id = message ? idOf(field) : undefined
  const input = attributes({
    ...{ id, name: amountName, value: showAmount(given, locale), inputmode: 'decimal' },
    ...{ maxlength: 25, autocomplete: 'off', 'aria-label': t.say('refund.part-in', { currency }) },
    ...{
      'aria-invalid': message ? 'true' : undefined,
      placeholder: showAmount(toAmount(0, currency), locale),
    },
  })
  const fault = message ? faultBeside(field, refundLabels(t).get(field)!, message) : html``
  return { chosen, amount: html`<input${input}>`, fault }
}

/** The amount paid for a sale, and the choices of the refund for a booking that is cancelled. */
export function cancelRefundFields(t: Texts, refund: OwnRefundPreview, again: ShownForm | null): Markup {
  const { currency, paidMinor, undecidedMinor, hasOthers, options } = refund
  const text = (minor: bigint) => t.amount(Number(minor), currency)
  const amount = text(paidMinor)
  const said = hasOthers
    ? markupOf(t, 'refund.paid.of-sale', { amount, own: text(options.maxMinor) })
    : markupOf(t, 'refund.paid', { amount })
  const paid = html`<p>${said}</p>${undecidedHint(t, undecidedMinor, currency)}`
  if (options.maxMinor === 0n) return html`${paid}<p class="hint">${t.say('refund.nothing')}</p>`
  return html`${paid}${knownRefundFields(t, refund, t.say('refund.pay-back'), again)}`
}

/**
 * The choices for a change whose price difference is known: by the terms (if there are terms) and all, each
 * with its amount; nothing, with the amount that the provider has already paid back, if any; and the field
 * for another amount.
 */
export function knownRefundFields(
  t: Texts,
  { currency, options, termsBp }: OwnRefundPreview,
  legend: string,
  again: ShownForm | null,
): Markup {
  const { byTermsMinor, leastMinor } = options
  const choice = (value: RefundOption['value']): RefundOption => {
    const amount = t.amount(Number(chooseRefund(options, value)!.amountMinor), currency)
    const isShare = value === 'terms' && termsBp !== null && byTermsMinor !== 0n
    const full = isShare ? t.say('refund.by-share', { amount, percent: t.number(termsBp / 100) }) : amount
    // `none` pays back nothing more than the provider has already paid back.
    const said = value !== 'none' ? full : leastMinor > 0n ? t.say('refund.already', { amount }) : ''
    return { value, label: refundChoice(t, value, said) }
  }
  const values = [...(byTermsMinor === null ? [] : (['terms'] as const)), 'full', 'none'] as const
  const fields = { legend, choices: values.map(choice), currency, again }
  return html`${byTermsMinor === 0n ? whyNothing(t, termsBp) : ''}${refundFields(t, fields)}`
}

/**
 * A hint with the amounts that the provider has paid back and that no decision covers yet, so that the user does
 * not pay them back again or count them as kept.
 */
export function undecidedHint(t: Texts, amounts: readonly bigint[], currency: string): Markup {
  if (amounts.length === 0) return html``
  const text = t.all(amounts.map((minor) => t.amount(Number(minor), currency)))
  return html`<p class="hint">${t.say('refund.undecided', { amounts: text })}</p>`
}

/**
 * Says why the refund terms pay nothing back: they pay 0 % at this time, or the customer has paid no more than
 * the share that the terms keep.
 */
function whyNothing(t: Texts, termsBp: number | null): Markup {
  const kept = t.number(100 - (termsBp ?? 0) / 100)
  return termsBp === 0
    ? html`<p class="hint">${t.say('refund.late')}</p>`
    : html`<p class="hint">${t.say('refund.kept-share', { percent: kept })}</p>`
}
