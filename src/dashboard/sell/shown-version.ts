/** The version of a sale's customer, answers and lines, to find out whether they have changed since a page showed them. Pure. */
import { createHash } from 'node:crypto'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { heldState } from '../../sales/basket/held-version.ts'
import { knownAnswers } from '../../sales/basket/line-answers.ts'

/** A hash of the customer, the answers and the lines, in whose order the answers are. */
export function versionOf({ basket, lines }: DescribedBasket): string {
  const known = JSON.stringify([basket.Customer, knownAnswers(lines), heldState(basket.Lines)])
  return createHash('sha256').update(known).digest('base64url').slice(0, 22)
}
