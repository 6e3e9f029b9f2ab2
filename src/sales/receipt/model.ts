/** The sums of a receipt, for paper, the receipt's e-mail and the customer's page. Pure. */

import type { TextKey } from '../../languages/keys.ts'
import { type Price, toExactMinorUnits } from '../../platform/text/money.ts'
import { withoutUndone } from '../ledger/model.ts'
import type { SaleLedger } from '../ledger/service.ts'
import type { Receipt } from './service.ts'

export type ReceiptSum = {
  /** The key of the text that names the sum. */
  label: TextKey & `receipt.${string}`
  /** The code of the promotion. */
  code?: string
  amountMinor: bigint
  /** Whether the sum is a discount. The prices of the lines and the total are already reduced by it. */
  isDiscount?: true
  /** If the sum is the amount of a payment or refund: that payment or refund. */
  payment?: SaleLedger['payments'][number]
}

/**
 * The sums of a receipt in their order: discounts, the amount that the operator keeps for cancellations and
 * changes, the total, payments and refunds, refunds that are due, the overpaid amount, and the amount that is
 * still to be paid.
 */
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
