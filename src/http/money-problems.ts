/** How each Problem about the money of sales and about tills is made. */
import { Problem } from './problems.ts'

export const moneyProblems = {
  /** @param status of the basket. */
  nothingToPay: (status: string) =>
    new Problem('nothing-to-pay', 'Nothing of this sale is still to be paid.', {
      extensions: { Status: status },
    }),
  refundNotFound: () => new Problem('not-found', 'No refund of this account has this RefundID.'),
  refundNotDue: (status: string) =>
    new Problem(
      'refund-not-due',
      status === 'done' ? 'It was paid back before.' : 'Nothing of it is paid back.',
      {
        extensions: { Status: status },
      },
    ),
  nothingOverpaid: () => new Problem('nothing-overpaid', 'Nothing was paid too much of this sale.'),
  totalDiffers: (total: { Amount: string; Currency: string }) =>
    new Problem('total-differs', `The booking would cost ${total.Amount} ${total.Currency}.`, {
      extensions: { Total: total },
    }),
  tillNotFound: () => new Problem('not-found', 'There is no till of this TillID.'),
  tillOpen: (currency: string) =>
    new Problem('till-open', `There is a till open in ${currency}: close it before another is opened.`),
  tillClosed: (closedAt: Date) =>
    new Problem('till-closed', `The till was closed at ${closedAt.toISOString()}.`, {
      extensions: { ClosedAt: closedAt.toISOString() },
    }),
  noReceipt: () => new Problem('no-receipt', 'Nothing is paid for this basket.'),
}
