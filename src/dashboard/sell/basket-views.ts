/** A sale in progress, with its held places and its customer; or a completed sale. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { answersOfLines, knownAnswers } from '../../sales/basket/line-answers.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { methodText } from '../../sales/ledger/method-names.ts'
import type { LedgerView } from '../../sales/ledger/schemas.ts'
import { faultSummary, idOf, postForm, type ShownForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { answerFields, type LineAnswer } from '../parts/answers.ts'
import { customerName, whenOf } from '../parts/booking-words.ts'
import { customerFields } from '../parts/customer-fields.ts'
import { money } from '../parts/party-words.ts'
import { balanceText, isOwed } from '../parts/payment-words.ts'
import { bookingLink, bookingPath } from '../parts/subject.ts'
import type { AskedField } from './customer-step.ts'
import { lineView } from './line-views.ts'
import { formButton, promotionPart } from './reduction-views.ts'
import { steps } from './steps.ts'

export function basketView(
  session: Session,
  t: Texts,
  described: DescribedBasket,
  again: ShownForm & { code: string | undefined; asked: readonly AskedField[] },
): Markup {
  const { basket, lines } = described
  if (basket.Status === 'completed') return soldView(t, described)
  if (basket.Status !== 'open') return overView(described, again.asked.length > 0)
  const known = { Customer: basket.Customer, Answers: knownAnswers(lines) }
  const values = (again.values ?? known) as { Answers: LineAnswer[] }
  const { faults, code, asked: open } = again
  const fields = answersOfLines(lines, values.Answers).map(({ line, questions, own, nth }) => {
    const { ProductName, Participants: participants } = line
    const asked = answerFields(questions, own, { participants, faults, nth })
    if (questions.length === 0 || lines.length === 1) return asked
    return html`<h2>${ProductName}, ${whenOf(t, line)}</h2>${asked}`
  })
  const promotion = promotionPart(t, basket, { form, code, faults })
  // The enter key presses the first button of a form.
  return html`${steps(2)}
${faultSummary(faults)}${askedPart(open)}
<button class="unseen" tabindex="-1" aria-hidden="true" form="${form}">On to the payment</button>
${held(session, t, described, { price: html`${promotion}${toPay(t, basket.Total)}`, form })}
${postForm(
  session,
  `/dashboard/sell/${basket.BasketID}/customer`,
  html`<input type="hidden" name="Described" value="true">
${customerFields(session, { values, faults })}${fields}<div class="go-on"><span class="to-pay">${toPayText(t, basket.Total)}</span><button>On to the payment</button></div>
<button class="secondary" name="Next" value="add" formnovalidate>Add another product</button>`,
  { id: form, isCheckedAtOnce: true },
)}`
}

/** What the form asks before the payment, with a link to each field. */
function askedPart(open: readonly AskedField[]): Markup {
  if (open.length === 0) return html``
  const items = open.map(({ field, label, hint }) => {
    return html`<li><a href="#${idOf(field)}">${label}</a>${hint ? html` <span class="hint">(${hint})</span>` : ''}</li>`
  })
  return html`<div role="status" class="to-ask"><p>This is asked before the payment:</p><ul>${items}</ul></div>`
}

/** The form of this step. The buttons before it belong to it, so that they keep the typed text. */
const form = 'customer'

/** The amount to pay. */
export function toPay(t: Texts, price: Price | null): Markup {
  return price ? html`<p>${toPayText(t, price)}</p>` : html``
}

function toPayText(t: Texts, price: Price | null): Markup {
  return price ? html`To pay: <strong>${money(t, price)}</strong>` : html``
}

/** @param form the form to which the buttons belong; without one, each button has its own form. */
type HeldPart = { price: Markup; form?: string }

/** The held places, when the hold expires, and the buttons that extend or release it. */
export function held(
  session: Session,
  t: Texts,
  { basket, lines }: DescribedBasket,
  { price, form }: HeldPart,
): Markup {
  const { BasketID, ExpiresAt } = basket
  const path = `/dashboard/sell/${BasketID}`
  const until =
    ExpiresAt && html`<time datetime="${ExpiresAt}">${t.moment(ExpiresAt, session.user.timeZone)}</time>`
  return html`<section class="panel held" aria-label="What is held">
<ul>${lines.map(({ line }) => html`<li>${lineView(t, line)}${lines.length > 1 && form !== undefined ? removal(t, path, line, form) : ''}</li>`)}</ul>
${price}
${
  basket.Status === 'open'
    ? html`<p>${badge('Held', 'good')} until ${until ?? ''}: nobody else gets these places.</p>
<div class="actions">${
        form === undefined
          ? postForm(
              session,
              `${path}/extend`,
              html`<input type="hidden" name="Back" value="pay"><button class="secondary">Hold for longer</button>`,
              { class: 'inline' },
            )
          : formButton(form, `${path}/extend`, 'Hold for longer')
      }
${postForm(session, `${path}/release`, html`<button class="secondary">Let the places go</button>`, { class: 'inline' })}</div>`
    : html`<p>${badge('Time has run out', 'warn')} The sale goes through if the places can still be had.</p>`
}
</section>`
}

function removal(t: Texts, path: string, line: BasketView['Lines'][number], form: string): Markup {
  const { BookingReference, ProductName, Time } = line
  const text = html`Remove<span class="unseen"> ${ProductName}, ${t.clock(Time)}</span>`
  return formButton(form, `${path}/lines/${BookingReference}/remove`, text)
}

function soldView(t: Texts, { basket, lines }: DescribedBasket): Markup {
  const { Payment, Total, Ledger } = basket
  const [first] = basket.Lines
  const by = [Payment?.Method, Payment?.Reference].filter(Boolean).join(', ')
  const paid = Ledger
    ? paidTexts(t, Ledger)
    : Total
      ? [`Paid: ${money(t, Total)}${by ? ` (${by})` : ''}`]
      : []
  return html`${lines.map(
    ({ line, customer }) => html`<section class="panel" aria-label="Booking ${line.BookingReference}">
<p>The booking’s reference:</p>
<p class="reference">${bookingLink(line.BookingReference)}</p>
${lineView(t, line, customerName(customer))}
</section>`,
  )}
<p>${paid.map((text, index) => html`${index > 0 ? html`<br>` : ''}${text}`)}</p>
${Ledger && Number(Ledger.RefundDue.Amount) > 0 && first ? html`<p>${badge(`${money(t, Ledger.RefundDue)} to be paid back`, 'warn')} <a href="/dashboard/refunds">Refunds</a></p>` : ''}
${Ledger && isOwed(Ledger) && first ? html`<p>${badge(balanceText(t, Ledger.Balance), 'warn')} <a href="${bookingPath(first.BookingReference)}#payments">Take a payment</a></p>` : ''}
<p class="actions no-print"><a class="button" href="/dashboard/sell" autofocus>Next sale</a>
<a class="button secondary" href="/dashboard/sell/${basket.BasketID}/receipt">Receipt</a>
${lines.map(({ line }) => html`<a class="button secondary" href="${bookingPath(line.BookingReference)}/tickets/print">Tickets${lines.length > 1 ? ` ${line.BookingReference}` : ''}</a>`)}
<a class="button secondary" href="/dashboard/today">Today</a></p>`
}

type LedgerEntry = NonNullable<LedgerView>['Entries'][number]

/** Each payment and each refund; that nothing was paid, where there is none. */
function paidTexts(t: Texts, { Entries, Paid }: NonNullable<LedgerView>): string[] {
  const entries = standing(Entries)
  return entries.length > 0 ? entries.map((entry) => entryText(t, entry)) : [`Paid: ${money(t, Paid)}`]
}

/** Without refunds that were undone. */
function standing(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const undone = new Set(entries.map(({ UndoesID }) => UndoesID))
  return entries.filter(({ ID, UndoesID }) => UndoesID === undefined && !(ID !== null && undone.has(ID)))
}

function entryText(t: Texts, { Type, Method, Reference, ...amount }: LedgerEntry): string {
  const by = [methodText(Method), Reference].filter(Boolean).join(', ')
  return `${Type === 'payment' ? 'Paid' : 'Paid back'}: ${money(t, amount)} (${by})`
}

const endings: Record<string, string> = {
  cancelled: 'The places of this sale were let go.',
  expired: 'The time of this sale has run out, and its places are free again.',
  waiting: 'This is the sale of somebody who waits for places.',
}

/** @param isAsked whether questions are open, which must be answered before the payment. */
function overView({ basket }: DescribedBasket, isAsked: boolean): Markup {
  const isPayable = basket.Status === 'expired' && !isAsked
  return html`<p>${endings[basket.Status] ?? 'This sale is over.'}</p>
${isAsked ? html`<p>Required questions have no answer, and it is too late to answer them here. Please begin a new sale.</p>` : ''}
<p class="actions"><a class="button" href="/dashboard/sell" autofocus>New sale</a>
${isPayable ? html`<a class="button secondary" href="/dashboard/sell/${basket.BasketID}/pay">Sell it all the same, if the places can still be had</a>` : ''}</p>`
}
