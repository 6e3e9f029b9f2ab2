/** What happened to the money of a booking's sale, in sentences: declined payments, payments that bought nothing. Pure. */
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { MoneyHappeningRow } from '../../sales/ledger/happening-queries.ts'
import { methodText } from '../../sales/ledger/method-names.ts'
import type { PaymentMethod } from '../../sales/ledger/queries.ts'
import type { Formats } from '../frame/formats.ts'
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
const phrases: Record<MoneyHappeningRow['action'], (formats: Formats, details: MoneyDetails) => string> = {
  'payment-declined': (formats, details) =>
    `declined the payment of ${paidText(formats, details)}. No money was taken`,
  'payment-unused': (formats, { Reason = '', ...details }) =>
    `took ${paidText(formats, details)}, which bought nothing. Reason: ${reasonText(Reason)}`,
  'payment-refunded': (formats, details) =>
    `noted that the payment that bought nothing was paid back: ${paidText(formats, details)}`,
  'refund-undone': (formats, { Reason, ...details }) =>
    `noted that ${paidText(formats, details)} was not paid back after all${Reason ? `. Reason: ${Reason}` : ''}`,
}

/** Null for what is not about money. */
export function moneyHistoryText(
  formats: Formats,
  { Action, Details }: BookingDetail['History'][number],
): string | null {
  if (!Object.hasOwn(phrases, Action)) return null
  return phrases[Action as MoneyHappeningRow['action']](formats, Details as MoneyDetails)
}

/** `€90.00 by bank transfer (T1-9)`. */
function paidText(formats: Formats, { Method, Reference, ...amount }: MoneyDetails): string {
  const how = Method ? (Method === 'online' ? ' online' : ` by ${methodText(Method)}`) : ''
  return `${money(formats, amount)}${how}${Reference ? ` (${Reference})` : ''}`
}
