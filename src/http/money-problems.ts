/** How each Problem about the money of a sale is made. */
import { Problem } from './problems.ts'

export const moneyProblems = {
  /** @param status of the basket. */
  nothingToPay: (status: string) =>
    new Problem('nothing-to-pay', 'Nothing of this sale is still to be paid.', {
      extensions: { Status: status },
    }),
}
