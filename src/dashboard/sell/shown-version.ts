/** Tells whether a sale is still as a page has shown it. Pure. */
import { createHash } from 'node:crypto'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { knownAnswers } from '../../sales/basket/line-answers.ts'

/** Changes with the customer and the answers of a sale. */
export function versionOf({ basket, lines }: DescribedBasket): string {
  const known = JSON.stringify([basket.Customer, knownAnswers(lines)])
  return createHash('sha256').update(known).digest('base64url').slice(0, 22)
}
