/** Refund terms on the wire, the same in the catalogue file and on every interface, and the rules for them. Pure. */

import type { RefundStep } from '../inventory/refund-terms.ts'
import { type Static, Type } from '../platform/schema/typebox.ts'
import { percentText, toBasisPoints, toPercent } from '../platform/text/percent.ts'

const refundTermSchema = Type.Object({
  Percent: Type.String({
    ...percentText,
    description: 'How much of the total is paid back.',
    examples: ['50'],
  }),
  HoursBefore: Type.Integer({
    minimum: 0,
    maximum: 8760,
    description: 'Until so many hours before the start.',
    examples: [24],
  }),
})
export type RefundTerm = Static<typeof refundTermSchema>

const listDescription =
  'How much of a booking’s total is paid back when it is cancelled. What none of them allows any more is not paid back.'
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

/** As they are in a catalogue file, whose objects take no field that they do not know. */
export const fileRefundTermsSchema = Type.Array(
  Type.Object(refundTermSchema.properties, { additionalProperties: false }),
  { ...listLength, description: `${listDescription} Not given: what they are, none for a new product.` },
)

/** The longest before the start first. */
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

/** What is wrong with terms whose shape is right, in their order. */
export function checkRefundTerms(terms: readonly RefundTerm[]): RefundTermFault[] {
  return terms.flatMap(({ Percent, HoursBefore }, index): RefundTermFault[] => {
    const isRepeated = terms.findIndex((term) => term.HoursBefore === HoursBefore) < index
    if (isRepeated)
      return [{ index, field: 'HoursBefore', message: 'must be other than that of a term before it' }]
    const rises = terms.some(
      (earlier) =>
        earlier.HoursBefore > HoursBefore && toBasisPoints(earlier.Percent) < toBasisPoints(Percent),
    )
    const message = 'must not be higher than what is paid back longer before the start'
    return rises ? [{ index, field: 'Percent', message }] : []
  })
}
