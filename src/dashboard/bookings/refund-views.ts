/** The refunds of a booking's sale, and the form that decides how much overpaid money is paid back. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { LedgerRefund } from '../../sales/ledger/queries.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import { badge, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { money } from '../parts/party-words.ts'
import { refundChoice, refundFields } from '../parts/refund-fields.ts'
import { reasonText } from '../parts/refund-words.ts'
import { bookingPath } from '../parts/subject.ts'

/** @param again the sent form with its faults. */
export function refundsPart(
  session: Session,
  t: Texts,
  { booking, refunds }: { booking: BookingDetail; refunds: readonly LedgerRefund[] },
  again: ShownForm | null,
): Markup {
  const { Ledger } = booking
  const isOverpaid = Ledger?.Balance.Amount.startsWith('-') ?? false
  if (refunds.length === 0 && !isOverpaid) return html``
  const amount = (minor: bigint, currency: string) => t.amount(Number(minor), currency)
  const setOff = {
    head: t.say('sale-refunds.set-off'),
    numeric: true,
    cell: ({ setOffMinor, currency }: LedgerRefund) => amount(setOffMinor, currency),
  }
  const columns = [
    {
      head: t.say('word.when'),
      cell: (one: LedgerRefund) => t.moment(one.decidedAt, session.user.timeZone),
    },
    { head: t.say('word.why'), cell: ({ cause }: LedgerRefund) => reasonText(t, cause) },
    {
      head: t.say('refund.pay-back'),
      numeric: true,
      cell: ({ amountMinor, currency }: LedgerRefund) => amount(amountMinor, currency),
    },
    {
      head: t.say('refunds.kept'),
      numeric: true,
      cell: ({ keptMinor, currency }: LedgerRefund) => amount(keptMinor, currency),
    },
    ...(refunds.some(({ setOffMinor }) => setOffMinor > 0n) ? [setOff] : []),
    { head: t.say('word.status'), cell: (one: LedgerRefund) => statusCell(t, one) },
  ]
  return html`<section data-live id="refunds" aria-labelledby="refunds-title">
<h2 id="refunds-title">${t.say('refunds.title')}</h2>
${refunds.length > 0 ? table(t.say('sale-refunds.list'), columns, refunds) : ''}
${isOverpaid ? overpaidPart(session, t, booking, again) : ''}
</section>`
}

function statusCell(t: Texts, { status, setOffMinor }: LedgerRefund): Markup {
  if (status === 'done') return badge(t.say('sale-refunds.done'), 'good')
  if (status === 'none')
    return badge(t.say(setOffMinor > 0n ? 'sale-refunds.badge.set-off' : 'sale-refunds.nothing'), 'quiet')
  return html`${badge(t.say('sale-refunds.due'), 'warn')} <a class="no-print" href="/dashboard/refunds">${t.say('refunds.title')}</a>`
}

function overpaidPart(
  session: Session,
  t: Texts,
  { BookingReference, Ledger }: BookingDetail,
  again: ShownForm | null,
): Markup {
  const { Amount, Currency } = Ledger!.Balance
  const overpaid = money(t, { Amount: Amount.slice(1), Currency })
  const fields = refundFields(t, {
    legend: t.say('refund.pay-back'),
    choices: [
      { value: 'full', label: refundChoice(t, 'full', overpaid) },
      { value: 'none', label: refundChoice(t, 'none') },
    ],
    currency: Currency,
    again,
  })
  const inner = html`<p>${markupOf(t, 'sale-refunds.overpaid', { amount: overpaid })}</p>
${fields}<button>${t.say('sale-refunds.decide')}</button>`
  return postForm(session, `${bookingPath(BookingReference)}/overpaid`, inner)
}
