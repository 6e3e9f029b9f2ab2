/** Schemas of requests and responses about usage. */
import { type Static, Type } from '../platform/schema/typebox.ts'
import { dailyRangeLimit, dailyTotalsLimit } from './model.ts'

export const meterSchema = Type.String({
  trimmedLength: 255,
  description: 'Name of the meter: 1 to 255 characters, without spaces around it.',
  examples: ['api-calls'],
})
const idSchema = Type.Integer({ minimum: 1, description: 'Identifier of the entry.', examples: [4200017] })
const sumSchema = (description: string, example: number) => Type.Number({ description, examples: [example] })
const countSchema = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })
export const secondsSchema = (description: string, example: number) =>
  Type.Integer({ description: `${description}, Unix seconds.`, examples: [example] })
const daySchema = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] })

export const submissionSchema = Type.Object(
  {
    Meter: meterSchema,
    Usage: Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1e15,
      maxDecimals: 20,
      description: 'How much was used: more than 0, less than 10^15, with at most 20 decimals.',
      examples: [2.5],
    }),
    ExtraInfo: Type.Optional(
      Type.String({
        maxBytes: 8192,
        description: 'Any text to store with the entry, often JSON; at most 8 KiB of UTF-8.',
        examples: ['{"Route":"/search"}'],
      }),
    ),
    OccurredAt: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 4102444800,
        description: 'When the usage occurred, in Unix seconds; the time of the request by default.',
        examples: [1812800400],
      }),
    ),
  },
  { title: 'UsageSubmission' },
)

export const submissionsSchema = Type.Object(
  { Entries: Type.Array(submissionSchema, { minItems: 1, maxItems: 1000 }) },
  { title: 'UsageSubmissions' },
)

export const acceptedSchema = Type.Object(
  { ID: idSchema, Meter: meterSchema, Usage: sumSchema('As it was sent.', 2.5) },
  { title: 'AcceptedUsage' },
)
export type Accepted = Static<typeof acceptedSchema>

const rangeFields = {
  from: daySchema('First day, in the account’s time zone.', '2027-06-01'),
  to: daySchema('Last day, included.', '2027-06-30'),
  meter: Type.Optional(
    Type.Array(meterSchema, {
      maxItems: 100,
      description: 'Only these meters; can be given several times.',
      examples: [['api-calls']],
    }),
  ),
}

export const summaryQuerySchema = Type.Object({
  ...rangeFields,
  granularity: Type.Optional(
    Type.Enum(['day'], {
      description: `\`day\` adds the sums of each day to each meter, for at most ${dailyRangeLimit} days and ${dailyTotalsLimit} such sums (one for each meter and day with entries).`,
      examples: ['day'],
    }),
  ),
})
export type SummaryQuery = Static<typeof summaryQuerySchema>

const totalFields = {
  TotalUsage: sumSchema('Exact sum, as the nearest double.', 1240.5),
  EventCount: countSchema('Number of entries.', 311),
}

export const summarySchema = Type.Object(
  {
    Period: Type.Object({
      From: daySchema('As requested.', '2027-06-01'),
      To: daySchema('As requested.', '2027-06-30'),
      FromTimestamp: secondsSchema('First second of `From`', 1811890800),
      ToTimestamp: secondsSchema('Last second of `To`', 1814482799),
    }),
    Totals: Type.Object({
      Usage: sumSchema('Exact sum over all meters, as the nearest double.', 1240.5),
      Events: countSchema('Number of entries over all meters.', 311),
    }),
    Meters: Type.Array(
      Type.Object({
        Meter: meterSchema,
        ...totalFields,
        Days: Type.Optional(
          Type.Array(Type.Object({ Day: daySchema('Local day.', '2027-06-12'), ...totalFields }), {
            description: 'With `granularity=day`: the days that have entries, earliest first.',
          }),
        ),
      }),
      { description: 'Largest TotalUsage first, then by name.' },
    ),
  },
  { title: 'UsageSummary' },
)
export type Summary = Static<typeof summarySchema>

export const summaryHeaders = {
  'Usage-Pending': Type.String({
    description:
      'How many of the account’s accepted entries are not counted: 0 if all are counted, a lower bound if very many entries are queued, `unknown` if the queue cannot be reached. It includes entries that could not be stored, until the operator resolves them.',
    examples: ['0'],
  }),
}

export const entriesQuerySchema = Type.Object({
  ...rangeFields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'The most entries in one response; 100 by default.',
      examples: [100],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'From the `Link: rel="next"` of the response before.',
      examples: ['WyIyMDI3LTA2LTEyIiwiYXBpLWNhbGxzIiw0MjAwMDE3XQ'],
    }),
  ),
})
export type EntriesQuery = Static<typeof entriesQuerySchema>

export const entrySchema = Type.Object(
  {
    ID: idSchema,
    Meter: meterSchema,
    Usage: sumSchema('As it was sent.', 2.5),
    ExtraInfo: Type.Union([Type.String(), Type.Null()], { examples: ['{"Route":"/search"}'] }),
    Day: daySchema('Local day of `OccurredAt`.', '2027-06-12'),
    OccurredAt: secondsSchema('When it was used', 1812800400),
    AcceptedAt: secondsSchema('When the service accepted it', 1812800401),
    VoidedAt: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When it was voided, Unix seconds. From then on, no total counts it.',
      examples: [null],
    }),
    VoidReason: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
  },
  { title: 'UsageEntry' },
)
export type UsageEntryView = Static<typeof entrySchema>

export const entryPathSchema = Type.Object({
  ID: Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    errorMessage: 'must be a positive whole number',
    description: 'Identifier of the entry.',
    examples: ['4200017'],
  }),
})

export const voidRequestSchema = Type.Object(
  {
    Reason: Type.String({
      trimmedLength: 1000,
      description: 'Why the entry must not count: 1 to 1000 characters.',
      examples: ['Recorded twice by the importer.'],
    }),
  },
  { title: 'VoidRequest' },
)
