/** The sentences for customers about refunds of bookings and of payments that bought nothing. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { type Price, toMoney } from '../../platform/text/money.ts'
import type { Seller } from '../business-details/service.ts'
import { withoutUndone } from './model.ts'
import type { LedgerRefund, PaymentMethod } from './queries.ts'
import type { RefundView } from './refund-schemas.ts'
import type { SaleLedger } from './service.ts'

type RefundReader = { t: Texts; seller: Pick<Seller, 'name' | 'timeZone'> }
type PaidBack = { amount: Price; at: Date; method: PaymentMethod | null }

/** A sentence for each amount of these refund decisions: paid back, due, set off, and kept. */
export function refundSentences(
  { t, seller }: RefundReader,
  ledger: Pick<SaleLedger, 'payments'>,
  refunds: readonly LedgerRefund[],
): string[] {
  const paidBack = withoutUndone(ledger.payments)
  return refunds.flatMap((refund) => {
    const { id, status, amountMinor, keptMinor, setOffMinor, currency, doneAt } = refund
    const amountOf = (minor: bigint) => t.money(toMoney(minor, currency))
    const of = paidBack.find(({ refundId }) => refundId === id)
    const done = { amount: toMoney(amountMinor, currency), at: doneAt!, method: of?.method ?? null }
    return [
      ...(status === 'done' ? [doneSentence({ t, seller }, done)] : []),
      ...(status === 'due'
        ? [t.say('refund.due', { seller: seller.name, amount: amountOf(amountMinor) })]
        : []),
      ...(setOffMinor > 0n ? [t.say('refund.set-off', { amount: amountOf(setOffMinor) })] : []),
      ...(keptMinor > 0n ? [t.say('refund.kept', { amount: amountOf(keptMinor) })] : []),
    ]
  })
}

/**
 * A sentence for each payment that bought nothing: whether it is paid back or due; and one for a part that was paid
 * back before.
 */
export function unusedSentences({ t, seller }: RefundReader, payments: readonly RefundView[]): string[] {
  return payments.flatMap(({ Status, Refund, PaidBack, DoneAt, Method }) => [
    ...(PaidBack ? [t.say('refund.done.before', { amount: t.money(PaidBack) })] : []),
    Status === 'done'
      ? doneSentence({ t, seller }, { amount: Refund, at: new Date(DoneAt!), method: Method })
      : t.say('refund.due', { seller: seller.name, amount: t.money(Refund) }),
  ])
}

/** The sentence about a refund that was paid back. If an earlier version marked it, the method is unknown. */
function doneSentence({ t, seller }: RefundReader, { amount, at, method }: PaidBack): string {
  const done = { amount: t.money(amount), date: t.date(dateIn(seller.timeZone, at)) }
  return method
    ? t.say('refund.done', { ...done, method: t.say(`method.${method}`) })
    : t.say('refund.done.somehow', done)
}
