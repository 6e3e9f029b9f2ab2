/** The addresses of the pages of refunds. */
import type { RefundView } from '../../sales/ledger/refund-schemas.ts'

export const refundsPath = '/dashboard/refunds'
export const severalPath = `${refundsPath}/several`

/** The address of the page on which a refund is marked as paid back. */
export function refundPath({ RefundID, BasketID, PaymentID }: RefundView): string {
  if (RefundID !== null) return `${refundsPath}/${RefundID}`
  return `${refundsPath}/payments/${BasketID}/${encodeURIComponent(PaymentID ?? '')}`
}
