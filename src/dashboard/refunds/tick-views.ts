/**
 * The checkboxes that select refunds, to mark them as paid back together. several-views.ts has the page that
 * the form opens. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { RefundsQuery, RefundView } from '../../sales/ledger/refund-schemas.ts'
import { attributes } from '../frame/forms.ts'
import { customerName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { reasonText } from '../parts/refund-words.ts'
import { severalPath } from './paths.ts'

const formId = 'together'

/** Whether a list has at least two refunds that can be marked together. */
export function canTick({
  refunds,
  query,
}: {
  refunds: readonly RefundView[]
  query: RefundsQuery
}): boolean {
  return query.Status !== 'done' && refunds.filter(isTickable).length > 1
}

/**
 * Whether a refund can be marked together with others. A payment that bought nothing must be marked by
 * itself.
 */
function isTickable({ Source }: RefundView): boolean {
  return Source === 'decision'
}

/** The checkbox of a refund in the list. Empty for a refund that must be marked by itself. */
export function tickBox(t: Texts, refund: RefundView): Markup {
  if (!isTickable(refund)) return html``
  const { RefundID: id } = refund
  const box = { type: 'checkbox', name: 'RefundID', value: id, form: formId, id: `tick-${id}` }
  const unseen = html`<span class="unseen">: ${money(t, refund.Refund)}, ${customerName(refund.Customer)}</span>`
  return html`<label class="choice tick"><input${attributes(box)}> ${t.say('refunds.together.tick')}${unseen}</label>`
}

/** The form with the button. The checkboxes in the list belong to it by its id. */
export function togetherForm(t: Texts): Markup {
  return html`<form action="${severalPath}" id="${formId}" class="together no-print"><button class="secondary">${t.say('refunds.together.mark')}</button></form>`
}

/**
 * For the page of one refund: the form that marks this refund together with other due refunds of the same
 * sale. Empty if there are no others.
 */
export function alsoDuePart(t: Texts, { RefundID }: RefundView, others: readonly RefundView[]): Markup {
  if (others.length === 0) return html``
  const choice = (other: RefundView) => {
    const box = { type: 'checkbox', name: 'RefundID', value: other.RefundID, checked: true }
    const words = [money(t, other.Refund), reasonText(t, other.Reason), other.BookingReference]
    return html`<label class="choice"><input${attributes(box)}> ${words.filter(Boolean).join(', ')}</label>\n`
  }
  return html`<form action="${severalPath}" class="stacked"><input type="hidden" name="RefundID" value="${RefundID!}">
<fieldset><legend>${t.say('refunds.together.also')}</legend>${others.map(choice)}</fieldset>
<p class="actions"><button class="secondary">${t.say('refunds.together.all')}</button></p></form>`
}
