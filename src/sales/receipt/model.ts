/** The sums of a receipt, the same on its page and in its e-mail. Pure. */

import type { TextKey } from '../../languages/keys.ts'
import { type Price, toExactMinorUnits } from '../../platform/text/money.ts'
import { withoutUndone } from '../ledger/model.ts'
import type { SaleLedger } from '../ledger/service.ts'
import type { Receipt } from './service.ts'

export type ReceiptSum = {
  /** The text that names it. */
  label: TextKey & `receipt.${string}`
  /** Of a promotion. */
  code?: string
  amountMinor: bigint
  /** Whether it is off the prices above it, and no part of what follows. */
  isDiscount?: true
  /** What moved the money, of a payment. */
  payment?: SaleLedger['payments'][number]
}

/** What a sale cost, what was paid and paid back, and what stays to be paid, in that order. */
export function receiptSums({
  basket: { Promotion, Reduction },
  ledger,
}: Pick<Receipt, 'basket' | 'ledger'>) {
  const { charged, kept, balance, due } = ledger
  const sums: ReceiptSum[] = []
  if (Promotion)
    sums.push({ label: 'receipt.promotion', code: Promotion.Code, ...discountOf(Promotion.Discount) })
  if (Reduction) sums.push({ label: 'receipt.reduction', ...discountOf(Reduction) })
  if (kept > 0n) sums.push({ label: 'receipt.kept', amountMinor: kept })
  sums.push({ label: 'receipt.total', amountMinor: charged + kept })
  for (const payment of withoutUndone(ledger.payments)) {
    const label = payment.kind === 'payment' ? 'receipt.paid' : 'receipt.paid-back'
    sums.push({ label, amountMinor: payment.amountMinor, payment })
  }
  if (due > 0n) sums.push({ label: 'receipt.to-pay-back', amountMinor: due })
  if (balance < 0n) sums.push({ label: 'receipt.overpaid', amountMinor: -balance })
  sums.push({ label: 'receipt.to-pay', amountMinor: balance > 0n ? balance : 0n })
  return sums
}

function discountOf({ Amount, Currency }: Price): Pick<ReceiptSum, 'amountMinor' | 'isDiscount'> {
  return { amountMinor: toExactMinorUnits(Amount, Currency) ?? 0n, isDiscount: true }
}
