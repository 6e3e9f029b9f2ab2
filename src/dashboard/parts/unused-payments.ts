/** The payments of a provider for a sale that bought nothing, on the pages of the booking and of the sale. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { methodNames } from '../../sales/ledger/method-names.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import { badge, table } from '../frame/layout.ts'
import { money } from './party-words.ts'
import { reasonText } from './refund-words.ts'

/** Nothing where there is none. */
export function unusedPaymentsPart(t: Texts, timeZone: string, payments: readonly RefundView[]): Markup {
  if (payments.length === 0) return html``
  return html`<section data-live id="unused" aria-labelledby="unused-title">
<h2 id="unused-title">Payments that bought nothing</h2>
${table<RefundView>(
  'Payments of the sale that bought nothing',
  [
    { head: 'When', cell: ({ DecidedAt }) => t.moment(DecidedAt, timeZone) },
    { head: 'Why', cell: ({ Reason }) => reasonText(Reason) },
    { head: 'How', cell: ({ PaidBy }) => PaidBy.map((method) => methodNames[method]).join(', ') },
    { head: 'Amount', numeric: true, cell: ({ Refund }) => money(t, Refund) },
    { head: 'Reference', cell: ({ PaymentReference }) => PaymentReference ?? '–' },
    { head: 'Paid back', cell: (payment) => paidBackCell(t, timeZone, payment) },
  ],
  payments,
)}
</section>`
}

function paidBackCell(
  t: Texts,
  timeZone: string,
  { Status, DoneAt, Method, Reference, PaidBack }: RefundView,
): Markup {
  if (Status === 'done') {
    const how = [DoneAt && t.moment(DoneAt, timeZone), Method && methodNames[Method], Reference]
    return html`${badge('paid back', 'good')} ${how.filter(Boolean).join(', ')}`
  }
  const part = PaidBack ? html` ${money(t, PaidBack)} of it is paid back.` : ''
  return html`${badge('due', 'warn')}${part} <a class="no-print" href="/dashboard/refunds">Refunds</a>`
}
