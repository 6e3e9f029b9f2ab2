/**
 * Payments at a provider that bought nothing, for example because the hold had expired, on the pages of the
 * booking and of the sale. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import { badge, table } from '../frame/layout.ts'
import { money } from './party-words.ts'
import { reasonText } from './refund-words.ts'

/** The section with these payments. Empty if there are none. */
export function unusedPaymentsPart(t: Texts, timeZone: string, payments: readonly RefundView[]): Markup {
  if (payments.length === 0) return html``
  return html`<section data-live id="unused" aria-labelledby="unused-title">
<h2 id="unused-title">${t.say('unused.title')}</h2>
${table<RefundView>(
  t.say('unused.list'),
  [
    { head: t.say('word.when'), cell: ({ DecidedAt }) => t.moment(DecidedAt, timeZone) },
    { head: t.say('word.why'), cell: ({ Reason }) => reasonText(t, Reason) },
    {
      head: t.say('unused.how'),
      cell: ({ PaidBy }) => PaidBy.map((method) => t.say(`method-name.${method}`)).join(', '),
    },
    { head: t.say('word.amount'), numeric: true, cell: ({ Refund }) => money(t, Refund) },
    { head: t.say('word.reference'), cell: ({ PaymentReference }) => PaymentReference ?? '–' },
    { head: t.say('unused.paid-back'), cell: (payment) => paidBackCell(t, timeZone, payment) },
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
  const part = PaidBack ? html` ${t.say('unused.part', { amount: money(t, PaidBack) })}` : ''
  if (Status === 'done') {
    const how = [DoneAt && t.moment(DoneAt, timeZone), Method && t.say(`method-name.${Method}`), Reference]
    return html`${badge(t.say('unused.done'), 'good')} ${how.filter(Boolean).join(', ')}${part}`
  }
  return html`${badge(t.say('unused.due'), 'warn')}${part} <a class="no-print" href="/dashboard/refunds">${t.say('menu.refunds')}</a>`
}
