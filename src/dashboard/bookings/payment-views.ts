/** The money of a booking's sale: payments with method, time and user, the balance, and the form of a payment. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { type LedgerView, takenMethods } from '../../sales/ledger/schemas.ts'
import { fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import { table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { actorName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { balanceText, isOwed } from '../parts/payment-words.ts'
import { bookingPath } from '../parts/subject.ts'
import { noTillNotice } from '../parts/till-notice.ts'

type LedgerEntryView = NonNullable<LedgerView>['Entries'][number]

/**
 * @param tills the currencies of the user's open tills.
 * @param again the sent form with its faults.
 */
export function paymentsPart(
  session: Session,
  t: Texts,
  { booking, tills }: { booking: BookingDetail; tills: readonly string[] },
  again: ShownForm | null,
): Markup {
  const { Ledger, Channel } = booking
  if (!Ledger && Channel !== 'partner') return html``
  return html`<section data-live id="payments" aria-labelledby="payments-title">
<h2 id="payments-title">${t.say('payments.title')}</h2>
${Ledger ? ledgerPart(session, t, booking, Ledger) : html`<p>${t.say('payments.partner')}</p>`}
${Ledger && isOwed(Ledger) ? paymentFormPart(session, t, { booking, tills }, again) : ''}
</section>`
}

function ledgerPart(
  session: Session,
  t: Texts,
  { Status, Total }: BookingDetail,
  ledger: NonNullable<LedgerView>,
): Markup {
  const { Entries, Charged, Kept, Balance } = ledger
  if (Entries.length === 0 && Number(Balance.Amount) === 0)
    return html`<p class="hint">${t.say('payments.nothing')}</p>`
  const own = Status === 'held' || Status === 'confirmed' ? Number(Total?.Amount) : 0
  const hasOtherBookings = Number(Charged.Amount) !== own
  const columns = [
    {
      head: t.say('word.when'),
      cell: ({ MadeAt }: LedgerEntryView) => t.moment(MadeAt, session.user.timeZone),
    },
    { head: t.say('payments.what'), cell: (entry: LedgerEntryView) => entryText(t, entry) },
    { head: t.say('payments.how'), cell: ({ Method }: LedgerEntryView) => t.say(`method-name.${Method}`) },
    { head: t.say('word.amount'), numeric: true, cell: (entry: LedgerEntryView) => money(t, entry) },
    { head: t.say('word.reference'), cell: ({ Reference }: LedgerEntryView) => Reference ?? '–' },
    {
      head: t.say('payments.who'),
      cell: ({ ID, Actor }: LedgerEntryView) => (ID === null ? '–' : actorName(t, Actor)),
    },
  ]
  const hasMovements = Entries.length > 0 || Number(Kept.Amount) > 0
  return html`<p>${markupOf(t, 'payments.balance', { balance: balanceWords(t, ledger) })}</p>
${hasOtherBookings ? html`<p class="hint">${t.say('payments.of-sale', { amount: money(t, Charged) })}</p>` : ''}
${hasMovements ? sumsPart(t, ledger) : ''}
${Entries.length > 0 ? table(t.say('payments.list'), columns, Entries) : html`<p class="hint">${t.say('payments.none')}</p>`}`
}

/** The kind of an entry in words: a payment, a refund, or the undoing of a refund. */
function entryText(t: Texts, { Type, UndoesID }: LedgerEntryView): string {
  if (UndoesID !== undefined) return t.say('payments.undone')
  return t.say(Type === 'payment' ? 'payments.paid' : 'payments.paid-back')
}

/**
 * The balance in words. If the balance is 0, the words name the refund that is due, or else say that the sale
 * is paid or that there is nothing to pay.
 */
function balanceWords(t: Texts, { Charged, Kept, RefundDue, Balance }: NonNullable<LedgerView>): string {
  const isNone = ({ Amount }: Price) => Number(Amount) === 0
  if (!isNone(Balance)) return balanceText(t, Balance)
  if (!isNone(RefundDue)) return t.say('payments.to-pay-back', { amount: money(t, RefundDue) })
  return isNone(Charged) && isNone(Kept) ? t.say('payments.nothing-to-pay') : balanceText(t, Balance)
}

/**
 * The sums that make up the balance: price of the bookings + money kept of cancelled, moved or changed
 * bookings + refunds paid back + refunds still due − payments.
 */
function sumsPart(t: Texts, ledger: NonNullable<LedgerView>): Markup {
  const { Charged, Kept, Paid, PaidBack, RefundDue, Balance } = ledger
  const isSome = ({ Amount }: Price) => Number(Amount) !== 0
  const { Amount, Currency } = Balance
  const isTooMuch = Amount.startsWith('-')
  const rows: [string, Price][] = [
    [t.say('payments.price'), Charged],
    ...(isSome(Kept) ? [[t.say('payments.kept'), Kept] as [string, Price]] : []),
    [t.say('payments.paid'), Paid],
    ...(isSome(PaidBack) ? [[t.say('payments.paid-back'), PaidBack] as [string, Price]] : []),
    ...(isSome(RefundDue) ? [[t.say('payments.still-back'), RefundDue] as [string, Price]] : []),
    isTooMuch
      ? [t.say('payments.too-much'), { Amount: Amount.slice(1), Currency }]
      : [t.say('payments.still'), Balance],
  ]
  return html`<dl class="facts">${rows.map(([name, price]) => html`<div><dt>${name}</dt><dd>${money(t, price)}</dd></div>`)}</dl>`
}

/** The form of a payment. For a held booking, it is a link to the payment page in Sell. */
function paymentFormPart(
  session: Session,
  t: Texts,
  { booking, tills }: { booking: BookingDetail; tills: readonly string[] },
  again: ShownForm | null,
): Markup {
  const { Status, BookingReference, BasketID, Ledger } = booking
  const { Balance } = Ledger!
  if (Status === 'held')
    return html`<p class="no-print"><a class="button secondary" href="/dashboard/sell/${BasketID}/pay">${t.say('payments.take')}</a></p>`
  const values = again?.values ?? { Method: 'cash', Amount: Balance.Amount }
  const shown = { values, faults: again?.faults ?? null }
  const methods = takenMethods.map((value) => ({ value, label: t.say(`method-name.${value}`) }))
  const fields = html`${selectField(fieldOf(shown, t.say('payments.by'), 'Method'), methods)}
${noTillNotice(t, tills, Balance.Currency)}
${amountField(t, fieldOf(shown, t.say('payments.amount-in', { currency: Balance.Currency }), 'Amount'), { required: true, maxlength: 25 })}
${inputField(fieldOf(shown, t.say('word.reference'), 'Reference', t.say('payments.reference.hint')), { maxlength: 255, autocomplete: 'off' })}
<button>${t.say('payments.take')}</button>`
  return html`<details class="no-print" id="payment-form"${again ? html` open` : ''}><summary>${t.say('payments.take-one')}</summary>
<div id="take-payment">${postForm(session, `${bookingPath(BookingReference)}/payments`, fields)}</div></details>`
}
