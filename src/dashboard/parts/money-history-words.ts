/**
 * The events about the money of a booking's sale, in sentences: declined payments, payments that bought nothing,
 * their refunds, and refunds that were undone. Pure.
 */

import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { BookingDetail } from '../../sales/booking/desk/schemas.ts'
import type { PaymentMethod } from '../../sales/ledger/queries.ts'
import { optional } from './optional-words.ts'
import { money } from './party-words.ts'
import { reasonText } from './refund-words.ts'

type MoneyDetails = {
  Amount: string
  Currency: string
  Method?: PaymentMethod
  Reference?: string
  Reason?: string
  /** The part of the payment that was paid back earlier. `Amount` is then the rest. */
  PaidBackBefore?: Price
}

const actions = ['payment-declined', 'payment-unused', 'payment-refunded', 'refund-undone'] as const

/** The sentence of an event about money; null for every other event. */
export function moneyHistoryText(
  t: Texts,
  actor: string,
  { Action, Details }: BookingDetail['History'][number],
): string | null {
  const action = actions.find((one) => one === Action)
  if (!action) return null
  const { Reason = '', PaidBackBefore, ...details } = Details as MoneyDetails
  const reason = action === 'refund-undone' ? Reason : reasonText(t, Reason)
  const paid = paidText(t, details)
  const before = PaidBackBefore ? money(t, PaidBackBefore) : ''
  return t.say(`history.${action}`, {
    actor,
    paid,
    ...optional('reason', reason),
    ...optional('before', before),
  })
}

/** A payment as text, such as `€90.00 by bank transfer (T1-9)`. */
function paidText(t: Texts, { Method, Reference = '', ...amount }: MoneyDetails): string {
  const how = Method ? t.say(`method.${Method}`) : ''
  return t.say('history.paid', {
    ...{ amount: money(t, amount), method: Method ?? 'none', how },
    ...optional('reference', Reference),
  })
}
