/** What was paid and what stays to be paid, in words. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Price } from '../../platform/text/money.ts'
import type { LedgerView } from '../../sales/ledger/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { badge } from '../frame/layout.ts'
import { money } from './party-words.ts'

/** `€40.00 to pay`, `€5.00 paid too much` or `Paid`. @param balance below 0 for what was paid too much. */
export function balanceText(formats: Formats, { Amount, Currency }: Price): string {
  if (Amount.startsWith('-')) return `${money(formats, { Amount: Amount.slice(1), Currency })} paid too much`
  return Number(Amount) > 0 ? `${money(formats, { Amount, Currency })} to pay` : 'Paid'
}

/** Of a party on a list: a badge with what its sale still owes; nothing where it owes nothing. */
export function owedBadge(formats: Formats, owed: Price | undefined): Markup {
  return owed ? badge(balanceText(formats, owed), 'warn') : html``
}

/** Whether something of a sale is still to be paid. */
export function isOwed(ledger: LedgerView): boolean {
  return ledger !== null && Number(ledger.Balance.Amount) > 0
}
