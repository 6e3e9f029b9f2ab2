/** Functions that make a Problem about payments and tills. problems.ts has a few more of them. */
import type { Price } from '../platform/text/money.ts'
import { Problem } from './problems.ts'

export const moneyProblems = {
  /** @param status of the basket. */
  nothingToPay: (status: string) =>
    new Problem('nothing-to-pay', 'This sale has no amount left to pay.', {
      extensions: { Status: status },
    }),
  refundNotFound: () => new Problem('not-found', 'No refund of this account has this RefundID.'),
  refundNotDue: (status: string) =>
    new Problem(
      'refund-not-due',
      status === 'done' ? 'It was already paid back.' : 'Nothing of this refund is due.',
      { extensions: { Status: status } },
    ),
  refundNotDone: (status: string) =>
    new Problem('refund-not-done', 'It is not marked as paid back.', { extensions: { Status: status } }),
  refundConfirmed: () =>
    new Problem(
      'refund-confirmed',
      'The payment provider has confirmed this refund, or an earlier version of the service marked it, so the mark stays.',
    ),
  nothingOverpaid: () => new Problem('nothing-overpaid', 'This sale has no overpaid money.'),
  totalDiffers: (total: Price) =>
    new Problem('total-differs', `The booking would cost ${total.Amount} ${total.Currency}.`, {
      extensions: { Total: total },
    }),
  tillNotFound: () => new Problem('not-found', 'There is no till with this TillID.'),
  tillOpen: (currency: string) =>
    new Problem('till-open', `A till is already open in ${currency}: close it before you open another.`),
  tillClosed: (closedAt: Date) =>
    new Problem('till-closed', `The till was closed at ${closedAt.toISOString()}.`, {
      extensions: { ClosedAt: closedAt.toISOString() },
    }),
  tillShort: (inTill: Price, refund: Price) =>
    new Problem(
      'till-short',
      `The till has ${inTill.Amount} ${inTill.Currency} in cash; this refund takes ${refund.Amount} ${refund.Currency}.`,
      { extensions: { InTill: inTill, Refund: refund } },
    ),
  noReceipt: () => new Problem('no-receipt', 'Nothing has been paid for this basket.'),
}
