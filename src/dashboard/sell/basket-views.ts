/**
 * The page of a sale: in progress, with its held places and its customer; completed; or over without payment.
 * Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { answersOfLines, storedAnswers } from '../../sales/basket/line-answers.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import type { TillReduction } from '../../sales/basket/till-schemas.ts'
import type { LedgerView } from '../../sales/ledger/schemas.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { faultSummary, idOf, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { answerFields } from '../parts/answers.ts'
import { customerName, whenOf } from '../parts/booking-words.ts'
import { customerFields } from '../parts/customer-fields.ts'
import { money } from '../parts/party-words.ts'
import { balanceText, isOwed } from '../parts/payment-words.ts'
import { bookingLink, bookingPath } from '../parts/subject.ts'
import type { AskedField } from './customer-step.ts'
import { heldPart, toPay, toPayText } from './held-part.ts'
import { heldVersionField, lineView } from './line-views.ts'
import { promotionPart, reductionText } from './reduction-views.ts'
import { possiblePriceOf } from './sale-price.ts'
import { versionOf } from './shown-version.ts'
import { steps } from './steps.ts'

export function basketView(
  session: Session,
  t: Texts,
  described: DescribedBasket,
  again: ShownForm & {
    code: string | undefined
    asked: readonly AskedField[]
    /** The reduction that was agreed on for an open sale. */
    agreed: TillReduction | null
    now: number
  },
): Markup {
  const { basket, lines } = described
  if (basket.Status === 'completed') return soldView(t, described)
  if (basket.Status !== 'open') return overView(t, described, again.asked.length > 0)
  const known = { Customer: basket.Customer, Answers: storedAnswers(lines) }
  const values = { ...known, ...(again.values as Partial<typeof known> | undefined) }
  const { faults, code, asked: open, agreed, now } = again
  const price = possiblePriceOf(basket, agreed)
  const isUnfit = agreed !== null && price.due !== null && price.reduction === null
  const fields = answersOfLines(lines, values.Answers).map(({ line, questions, own, nth }) => {
    const { ProductName, Participants: participants } = line
    const asked = answerFields(t, questions, own, { participants, faults, nth })
    if (questions.length === 0 || lines.length === 1) return asked
    return html`<h2>${ProductName}, ${whenOf(t, line)}</h2>${asked}`
  })
  const promotion = promotionPart(t, basket, { form, code, faults })
  // The Enter key presses the first button of a form. This hidden one comes first, so that Enter leads to the
  // payment.
  return html`${steps(t, 2)}
${faultSummary(faults)}${askedPart(t, open)}
<button class="unseen" tabindex="-1" aria-hidden="true" form="${form}">${t.say('offer.to-payment')}</button>
${heldPart(session, t, described, { due: price.due, now, isOpen: faults?.fields.has('Code') ?? false, price: html`${promotion}${reductionText(t, basket.Total, price)}${isUnfit ? html`<p class="hint">${t.say('sell.reduction.unfit')}</p>` : ''}${toPay(t, price.due)}`, form })}
${postForm(
  session,
  `/dashboard/sell/${basket.BasketID}/customer`,
  html`<input type="hidden" name="Described" value="true"><input type="hidden" name="Shown" value="${versionOf(described)}">${heldVersionField(basket.Lines)}
${customerFields(session, t, { values, faults })}${fields}<div class="go-on"><span class="to-pay">${toPayText(t, price.due)}</span><button>${t.say('offer.to-payment')}</button></div>
<button class="secondary" name="Next" value="add" formnovalidate>${t.say('sell.add')}</button>`,
  { id: form, isValidatedByService: true },
)}`
}

/** The fields that must be filled in before the payment, with a link to each. */
function askedPart(t: Texts, open: readonly AskedField[]): Markup {
  if (open.length === 0) return html``
  const items = open.map(({ field, label, hint }) => {
    return html`<li><a href="#${idOf(field)}">${label}</a>${hint ? html` <span class="hint">(${hint})</span>` : ''}</li>`
  })
  return html`<div role="status" class="to-ask"><p>${t.say('sell.asked')}</p><ul>${items}</ul></div>`
}

/**
 * The id of the form of this step. Buttons outside the form belong to it by this id, so that they send the
 * typed values.
 */
const form = 'customer'

function soldView(t: Texts, { basket, lines }: DescribedBasket): Markup {
  const { Payment, Total, Ledger } = basket
  const [first] = basket.Lines
  const by = [Payment && t.say(`method.${Payment.Method}`), Payment?.Reference].filter(Boolean).join(', ')
  const paid = Ledger ? paidTexts(t, Ledger) : Total ? [paidText(t, Total, by)] : []
  return html`${lines.map(
    ({
      line,
      customer,
      reduction,
    }) => html`<section class="panel" aria-label="${t.say('receipt.booking', { reference: line.BookingReference })}">
<p>${t.say('sell.sold.reference')}</p>
<p class="reference">${bookingLink(line.BookingReference)}</p>
${lineView(t, line, { customer: customerName(customer), reduction, code: basket.Promotion?.Code ?? null })}
</section>`,
  )}
${lines.length > 1 && Ledger ? html`<p><strong>${t.say('receipt.sum', { label: t.say('receipt.total'), amount: money(t, Ledger.Charged) })}</strong></p>` : ''}
<p>${paid.map((text, index) => html`${index > 0 ? html`<br>` : ''}${text}`)}</p>
${Ledger && Number(Ledger.RefundDue.Amount) > 0 && first ? html`<p>${badge(t.say('payments.to-pay-back', { amount: money(t, Ledger.RefundDue) }), 'warn')} <a href="/dashboard/refunds">${t.say('sell.sold.refunds')}</a></p>` : ''}
${Ledger && isOwed(Ledger) && first ? html`<p>${badge(balanceText(t, Ledger.Balance), 'warn')} <a href="${bookingPath(first.BookingReference)}#take-payment">${t.say('payments.take-one')}</a></p>` : ''}
<p class="actions no-print"><a class="button" href="/dashboard/sell" autofocus>${t.say('sell.sold.next')}</a>
<a class="button secondary" href="/dashboard/sell/${basket.BasketID}/receipt">${t.say('sell.sold.receipt')}</a>
${lines.map(({ line }) => html`<a class="button secondary" href="${bookingPath(line.BookingReference)}/tickets/print">${lines.length > 1 ? t.say('sell.sold.tickets-of', { reference: line.BookingReference }) : t.say('sell.sold.tickets')}</a>`)}
<a class="button secondary" href="/dashboard/today">${t.say('sell.sold.today')}</a></p>`
}

type LedgerEntry = NonNullable<LedgerView>['Entries'][number]

/**
 * The payments, the refunds and the kept amount in words. Without payments, one text says that 0 was paid.
 */
function paidTexts(t: Texts, { Entries, Paid, Kept }: NonNullable<LedgerView>): string[] {
  const entries = entriesInForce(Entries)
  if (entries.length === 0) return [paidText(t, Paid)]
  const kept = Number(Kept.Amount) > 0 ? [`${t.say('receipt.kept')}: ${money(t, Kept)}`] : []
  return [...entries.map((entry) => entryText(t, entry)), ...kept]
}

/** The entries without undone refunds, and without the entries that undo them. */
function entriesInForce(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const undone = new Set(entries.map(({ UndoesID }) => UndoesID))
  return entries.filter(({ ID, UndoesID }) => UndoesID === undefined && !(ID !== null && undone.has(ID)))
}

function entryText(t: Texts, { Type, Method, Reference, ...amount }: LedgerEntry): string {
  const by = [t.say(`method.${Method}`), Reference].filter(Boolean).join(', ')
  if (Type === 'payment') return paidText(t, amount, by)
  return t.say('sell.sold.paid-back', { amount: money(t, amount), by })
}

/** @param by the method and the reference; may be empty. */
function paidText(t: Texts, price: Price, by = ''): string {
  const amount = money(t, price)
  return by === '' ? t.say('email.paid', { amount }) : t.say('sell.sold.paid', { amount, by })
}

/**
 * The page of a sale that is neither open nor completed, for example cancelled or expired.
 * @param isAsked whether fields must be filled in before the payment. An expired sale can then not be paid.
 */
function overView(t: Texts, { basket }: DescribedBasket, isAsked: boolean): Markup {
  const isPayable = basket.Status === 'expired' && !isAsked
  return html`<p>${endingText(t, basket.Status)}</p>
${isAsked ? html`<p>${t.say('sell.over.asked')}</p>` : ''}
<p class="actions"><a class="button" href="/dashboard/sell" autofocus>${t.say('sell.new')}</a>
${isPayable ? html`<a class="button secondary" href="/dashboard/sell/${basket.BasketID}/pay">${t.say('sell.over.all-the-same')}</a>` : ''}</p>`
}

function endingText(t: Texts, status: BasketView['Status']): string {
  if (status === 'cancelled' || status === 'expired' || status === 'waiting')
    return t.say(`sell.over.${status}`)
  return t.say('sell.over')
}
