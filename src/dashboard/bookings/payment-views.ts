/** The money of a booking's sale: what was paid, how, when and by whom, what stays to be paid, and taking it. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import { methodNames } from '../../sales/ledger/method-names.ts'
import { type LedgerView, takenMethods } from '../../sales/ledger/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { fieldOf, inputField, postForm, type ShownForm, selectField } from '../frame/forms.ts'
import { table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { showAmount } from '../parts/amounts.ts'
import { actorName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { balanceText, isOwed } from '../parts/payment-words.ts'
import { bookingPath } from '../parts/subject.ts'

type MovedView = NonNullable<LedgerView>['Entries'][number]

/** @param again the form that is shown again, with what was wrong. */
export function paymentsPart(
  session: Session,
  formats: Formats,
  booking: BookingDetail,
  again: ShownForm | null,
): Markup {
  const { Ledger, Channel } = booking
  if (!Ledger && Channel !== 'partner') return html``
  return html`<section data-live id="payments" aria-labelledby="payments-title">
<h2 id="payments-title">Payments</h2>
${Ledger ? ledgerPart(session, formats, booking, Ledger) : html`<p>Paid to the partner.</p>`}
${Ledger && isOwed(Ledger) ? takingPart(session, formats, booking, Ledger, again) : ''}
</section>`
}

function ledgerPart(
  session: Session,
  formats: Formats,
  { Status, Total }: BookingDetail,
  { Entries, Charged, Balance }: NonNullable<LedgerView>,
): Markup {
  if (Entries.length === 0 && Number(Balance.Amount) === 0)
    return html`<p class="hint">Nothing is to be paid.</p>`
  const own = Status === 'held' || Status === 'confirmed' ? Number(Total?.Amount) : 0
  const ofMore = Number(Charged.Amount) !== own
  const columns = [
    {
      head: 'When',
      cell: ({ MadeAt }: MovedView) => formats.instant(MadeAt, session.user.timeZone),
    },
    { head: 'What', cell: ({ Type }: MovedView) => (Type === 'payment' ? 'Paid' : 'Paid back') },
    { head: 'How', cell: ({ Method }: MovedView) => methodNames[Method] },
    { head: 'Amount', numeric: true, cell: (entry: MovedView) => money(formats, entry) },
    { head: 'Reference', cell: ({ Reference }: MovedView) => Reference ?? '–' },
    { head: 'Who', cell: ({ ID, Actor }: MovedView) => (ID === null ? '–' : actorName(Actor)) },
  ]
  return html`<p>Balance: <strong>${balanceText(formats, Balance)}</strong></p>
${ofMore ? html`<p class="hint">Of the whole sale, whose bookings cost ${money(formats, Charged)}.</p>` : ''}
${Entries.length > 0 ? table('Payments of the sale', columns, Entries) : html`<p class="hint">Nothing is paid yet.</p>`}`
}

/** A sale that is not completed is paid where it is sold. */
function takingPart(
  session: Session,
  formats: Formats,
  { Status, BookingReference, BasketID }: BookingDetail,
  { Balance }: NonNullable<LedgerView>,
  again: ShownForm | null,
): Markup {
  if (Status === 'held')
    return html`<p class="no-print"><a class="button secondary" href="/dashboard/sell/${BasketID}/pay">Take the payment</a></p>`
  const values = again?.values ?? { Method: 'cash', Amount: showAmount(Balance.Amount, formats.locale) }
  const shown = { values, faults: again?.faults ?? null }
  const methods = takenMethods.map((value) => ({ value, label: methodNames[value] }))
  const fields = html`${selectField(fieldOf(shown, 'Paid by', 'Method'), methods)}
${inputField(fieldOf(shown, `Amount in ${Balance.Currency}`, 'Amount'), { inputmode: 'decimal', required: true, maxlength: 25, autocomplete: 'off' })}
${inputField(fieldOf(shown, 'Reference', 'Reference', 'The terminal’s receipt, or what the transfer says'), { maxlength: 255, autocomplete: 'off' })}
<button>Take the payment</button>`
  return html`<details id="take-payment" class="no-print"${again ? html` open` : ''}><summary>Take a payment</summary>
${postForm(session, `${bookingPath(BookingReference)}/payments`, fields)}</details>`
}
