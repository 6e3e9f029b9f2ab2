/** Schemas of requests and responses about thresholds. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { toDecimal } from '../../platform/text/decimal.ts'
import { meterSchema, secondsSchema } from '../schemas.ts'
import { thresholdPeriods } from './model.ts'
import type { ThresholdInput, ThresholdRow } from './queries.ts'

/** An amount as people write it, on the command line and in a form. */
export const amountSchema = Type.String({
  pattern: '^(?=.*[1-9])\\d{1,18}(\\.\\d{1,20})?$',
  errorMessage: 'must be a number above 0 and below 10^18, such as 2500 or 0.5',
})

const newFields = {
  Meter: meterSchema,
  Period: Type.Enum([...thresholdPeriods], {
    description:
      'The period whose total is compared: each `day` or each `month` in the account’s time zone, or all time (`total`).',
    examples: ['month'],
  }),
  Threshold: Type.Number({
    exclusiveMinimum: 0,
    exclusiveMaximum: 1e18,
    maxDecimals: 20,
    description:
      'The total at which the threshold is crossed: more than 0, less than 10^18, with at most 20 decimals.',
    examples: [100000],
  }),
}

export const newThresholdSchema = Type.Object(newFields, { title: 'NewUsageThreshold' })

export const thresholdSchema = Type.Object(
  {
    ThresholdID: Type.Integer({ minimum: 1, description: 'Identifier of the threshold.', examples: [12] }),
    ...newFields,
    CreatedAt: secondsSchema('When it was set', 1812800400),
    LastCrossedAt: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When a total last reached the threshold, Unix seconds; null if no total has reached it.',
      examples: [null],
    }),
  },
  { title: 'UsageThreshold' },
)
export type ThresholdView = Static<typeof thresholdSchema>

export const thresholdPathSchema = Type.Object({
  ThresholdID: Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    errorMessage: 'must be a positive whole number',
    description: 'Identifier of the threshold.',
    examples: ['12'],
  }),
})

export const thresholdFormSchema = Type.Object({ ...newFields, Threshold: amountSchema })

export type ThresholdRequest = Static<typeof newThresholdSchema> | Static<typeof thresholdFormSchema>

export function toThreshold({ Meter, Period, Threshold }: ThresholdRequest): ThresholdInput {
  const amount = typeof Threshold === 'number' ? toDecimal(Threshold) : Threshold
  return { meter: Meter.trim(), period: Period, amount }
}

export function thresholdView(threshold: ThresholdRow): ThresholdView {
  return {
    ThresholdID: threshold.id,
    Meter: threshold.meter,
    Period: threshold.period,
    Threshold: Number(threshold.amount),
    CreatedAt: threshold.createdAt,
    LastCrossedAt: threshold.lastCrossedAt,
  }
}
