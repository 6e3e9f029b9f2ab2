/** The partial refunds of a decision, and the amount that is still due. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Price, toMoney } from '../../platform/text/money.ts'
import { rowsOfDecision, sumOf, withoutUndone } from '../../sales/ledger/model.ts'
import type { LedgerPayment } from '../../sales/ledger/queries.ts'
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'
import type { SaleLedger } from '../../sales/ledger/service.ts'
import { table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { actorName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'

/**
 * `made`: what was paid back for the decision, without undone refunds. `stillDue`: the amount of the decision that
 * is still due; null if nothing is due.
 */
export type RefundParts = { made: readonly LedgerPayment[]; stillDue: Price | null }

/** The partial refunds of the decision that a refund belongs to. Empty for a payment that bought nothing. */
export function partsOf(ledger: SaleLedger | undefined, refundId: number | null): RefundParts {
  if (!ledger || refundId === null) return { made: [], stillDue: null }
  const rows = rowsOfDecision(ledger.refunds, refundId)
  const ids = new Set(rows.map(({ id }) => id))
  const made = withoutUndone(ledger.payments).filter(
    ({ kind, refundId: of }) => kind === 'refund' && of !== null && ids.has(of),
  )
  const due = rows.filter(({ status }) => status === 'due')
  const stillDueMinor = sumOf(due, ({ amountMinor }) => amountMinor)
  return { made, stillDue: stillDueMinor > 0n ? toMoney(stillDueMinor, ledger.currency) : null }
}

export function partsPart(
  session: Session,
  t: Texts,
  { Source }: RefundView,
  { made, stillDue }: RefundParts,
): Markup {
  if (made.length === 0 || Source !== 'decision') return html``
  const { timeZone } = session.user
  return html`<section aria-labelledby="parts-title"><h2 id="parts-title">${t.say('refunds.parts')}</h2>
${table<LedgerPayment>(
  t.say('refunds.parts'),
  [
    { head: t.say('word.when'), cell: ({ madeAt }) => t.moment(madeAt.toISOString(), timeZone) },
    {
      head: t.say('word.amount'),
      numeric: true,
      cell: ({ amountMinor, currency }) => money(t, toMoney(amountMinor, currency)),
    },
    { head: t.say('refunds.paid-back-by'), cell: ({ method }) => t.say(`method-name.${method}`) },
    { head: t.say('word.reference'), cell: ({ reference }) => reference ?? '–' },
    {
      head: t.say('refunds.marked-by'),
      cell: ({ actor, actorId, actorName: name }) => actorName(t, { Kind: actor, ID: actorId, Name: name }),
    },
  ],
  made,
)}
<p>${stillDue ? t.say('refunds.parts.left', { amount: money(t, stillDue) }) : t.say('refunds.parts.none-left')}</p></section>`
}
