/**
 * The fields that `octo/content` adds to products, options and units. Fields for which the catalogue has no
 * data are empty or null. Pure.
 */
import type { Product } from '../../catalogue/queries.ts'
import type { RefundStep } from '../../inventory/refund-terms.ts'
import { toPercent } from '../../platform/text/percent.ts'
import type { Cutoff } from './cutoff.ts'

const maxCharacters = 200

/**
 * The trimmed text; null if it is empty. A text of more than 200 characters is cut at the last space in its
 * first 200 characters, or after 200 characters if these contain no space, and ends with `…`.
 */
export function shorten(text: string): string | null {
  const plain = text.trim()
  if (plain.length <= maxCharacters) return plain || null
  const start = plain.slice(0, maxCharacters)
  const lastSpace = start.lastIndexOf(' ')
  return `${(lastSpace > 0 ? start.slice(0, lastSpace) : start).toWellFormed()}…`
}

const nothing = { faqs: [], media: [], locations: [], categoryLabels: [], commentary: [] }

export function contentOf({
  name,
  description,
  durationMinutes,
}: Pick<Product, 'name' | 'description' | 'durationMinutes'>) {
  return {
    title: name,
    shortDescription: shorten(description),
    description: description.trim() || null,
    ...nothing,
    durationMinutesFrom: durationMinutes,
    durationMinutesTo: null,
  }
}

type Feature = { shortDescription: string; type: 'CANCELLATION_TERM' }

/** The terms of cancellation in words: the cut-off, and the refund at each step of the refund terms. */
export function cancellationTerms({ amount, text }: Cutoff, refundTerms: readonly RefundStep[]): Feature[] {
  const until = amount === 0 ? 'until the start' : `until ${text} before the start`
  const refunds = refundTerms.map(({ basisPoints, hoursBefore }) => {
    const hours = `at least ${hoursBefore} ${hoursBefore === 1 ? 'hour' : 'hours'} `
    return `If the booking is cancelled ${hoursBefore === 0 ? '' : hours}before the start, ${toPercent(basisPoints)} % is refunded.`
  })
  return [`Can be cancelled ${until}.`, ...refunds].map((shortDescription) => {
    return { shortDescription, type: 'CANCELLATION_TERM' }
  })
}

/** The ages of a unit in words; empty if it is for all ages. */
export function agesText({ minAge, maxAge }: { minAge: number | null; maxAge: number | null }): string {
  if (minAge !== null && maxAge !== null) return `Ages ${minAge} to ${maxAge}`
  if (minAge !== null) return `Ages ${minAge} and over`
  return maxAge === null ? '' : `Ages up to ${maxAge}`
}
