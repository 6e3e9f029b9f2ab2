/**
 * The version of a sale's customer and answers, to find out whether they have changed since a page showed them.
 * Pure.
 */
import { createHash } from 'node:crypto'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { storedAnswers } from '../../sales/basket/line-answers.ts'

/** A hash of the customer and the answers. The held lines have another version: see heldState(). */
export function versionOf({ basket, lines }: DescribedBasket): string {
  const known = JSON.stringify([basket.Customer, storedAnswers(lines)])
  return createHash('sha256').update(known).digest('base64url').slice(0, 22)
}
