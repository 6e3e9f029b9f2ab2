/** What happened to the money of a booking's sale, in sentences: declined payments, payments that bought nothing. Pure. */

import type { Texts } from '../../languages/texts.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { MoneyHappeningRow } from '../../sales/ledger/happening-queries.ts'
import { methodText } from '../../sales/ledger/method-names.ts'
import type { PaymentMethod } from '../../sales/ledger/queries.ts'
import { money } from './party-words.ts'
import { reasonText } from './refund-words.ts'

type MoneyDetails = {
  Amount: string
  Currency: string
  Method?: PaymentMethod
  Reference?: string
  Reason?: string
}

/** What was done, to follow the name of the actor. */
const phrases: Record<MoneyHappeningRow['action'], (t: Texts, details: MoneyDetails) => string> = {
  'payment-declined': (t, details) => `declined the payment of ${paidText(t, details)}. No money was taken`,
  'payment-unused': (t, { Reason = '', ...details }) =>
    `took ${paidText(t, details)}, which bought nothing. Reason: ${reasonText(Reason)}`,
  'payment-refunded': (t, details) =>
    `noted that the payment that bought nothing was paid back: ${paidText(t, details)}`,
  'refund-undone': (t, { Reason, ...details }) =>
    `noted that ${paidText(t, details)} was not paid back after all${Reason ? `. Reason: ${Reason}` : ''}`,
}

/** Null for what is not about money. */
export function moneyHistoryText(
  t: Texts,
  { Action, Details }: BookingDetail['History'][number],
): string | null {
  if (!Object.hasOwn(phrases, Action)) return null
  return phrases[Action as MoneyHappeningRow['action']](t, Details as MoneyDetails)
}

/** `€90.00 by bank transfer (T1-9)`. */
function paidText(t: Texts, { Method, Reference, ...amount }: MoneyDetails): string {
  const how = Method ? (Method === 'online' ? ' online' : ` by ${methodText(Method)}`) : ''
  return `${money(t, amount)}${how}${Reference ? ` (${Reference})` : ''}`
}
