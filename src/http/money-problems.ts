/** How each Problem about the money of a sale is made. */
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
}
