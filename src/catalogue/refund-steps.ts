/** Refund terms in the API and in the catalogue file: their schemas, checks, and their conversion. Pure. */

import type { RefundStep } from '../inventory/refund-terms.ts'
import { type Static, Type } from '../platform/schema/typebox.ts'
import { percentText, toBasisPoints, toPercent } from '../platform/text/percent.ts'

const refundTermSchema = Type.Object({
  Percent: Type.String({
    ...percentText,
    description: 'The percentage of the total that is paid back.',
    examples: ['50'],
  }),
  HoursBefore: Type.Integer({
    minimum: 0,
    maximum: 8760,
    description: 'The percentage applies to cancellations until this many hours before the start.',
    examples: [24],
  }),
})
export type RefundTerm = Static<typeof refundTermSchema>

const listDescription =
  'How much of a booking’s total is paid back when it is cancelled. After the last of these times, nothing is paid back.'
const listLength = { maxItems: 20 }

export const refundTermsSchema = Type.Array(refundTermSchema, {
  ...listLength,
  description: listDescription,
  examples: [
    [
      { Percent: '100', HoursBefore: 48 },
      { Percent: '50', HoursBefore: 24 },
    ],
  ],
})

/** The schema of refund terms in a catalogue file. Its objects accept no unknown fields. */
export const fileRefundTermsSchema = Type.Array(
  Type.Object(refundTermSchema.properties, { additionalProperties: false }),
  {
    ...listLength,
    description: `${listDescription} If left out, the refund terms stay as they are; a new product has none.`,
  },
)

/** Converts terms for the database: the longest time before the start comes first. */
export function toSteps(terms: readonly RefundTerm[]): RefundStep[] {
  return terms
    .map(({ Percent, HoursBefore }) => ({ basisPoints: toBasisPoints(Percent), hoursBefore: HoursBefore }))
    .sort((one, other) => other.hoursBefore - one.hoursBefore)
}

export function fromSteps(steps: readonly RefundStep[]): RefundTerm[] {
  return steps.map(({ basisPoints, hoursBefore }) => {
    return { Percent: toPercent(basisPoints), HoursBefore: hoursBefore }
  })
}

export type RefundTermFault = { index: number; field: keyof RefundTerm; message: string }

/**
 * Checks that each `HoursBefore` occurs once, and that no percentage is higher than that of an earlier
 * cancellation. The caller has checked the terms with the schema. Returns the errors in the order of the
 * terms.
 */
export function checkRefundTerms(terms: readonly RefundTerm[]): RefundTermFault[] {
  return terms.flatMap(({ Percent, HoursBefore }, index): RefundTermFault[] => {
    const isRepeated = terms.findIndex((term) => term.HoursBefore === HoursBefore) < index
    if (isRepeated)
      return [{ index, field: 'HoursBefore', message: 'must differ from that of earlier terms' }]
    const rises = terms.some(
      (earlier) =>
        earlier.HoursBefore > HoursBefore && toBasisPoints(earlier.Percent) < toBasisPoints(Percent),
    )
    const message = 'must not be higher than the percentage for a longer time before the start'
    return rises ? [{ index, field: 'Percent', message }] : []
  })
}
