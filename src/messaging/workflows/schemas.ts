/** Schemas of workflows. */

import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { referenceSchema } from '../emails/schemas.ts'
import { triggers } from '../emails/triggers.ts'

const templateBytes = 64 * 1024

export const workflowInputSchema = Type.Object(
  {
    Name: Type.String({
      trimmedLength: 255,
      description: 'Unique within the account.',
      examples: ['Reminder'],
    }),
    Trigger: Type.Enum(triggers, {
      description:
        'The change or time that the e-mail follows. `booking-moved`, `booking-amended` (another party) and `booking-cancelled` ignore changes with `TellCustomer` false, and changes by closures, which have e-mails of their own. `booking-moved` and `booking-amended` send an e-mail for each change, except while an earlier one for the booking still waits; the other triggers send one for each booking. `after-end` ignores parties that did not come. `before-start` ignores bookings that were confirmed after the e-mail was due.',
      examples: ['before-start'],
    }),
    OffsetMinutes: Type.Integer({
      minimum: 0,
      maximum: 525_600,
      description:
        'Minutes between the trigger and the e-mail; with `before-start`, minutes before the start.',
      examples: [1440],
    }),
    ProductID: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only bookings of this product.',
        examples: [12],
      }),
    ),
    Subject: Type.String({
      trimmedLength: 500,
      description: 'Liquid. The result is sent as one line of at most 255 characters.',
      examples: ['See you on {{ date }}'],
    }),
    Body: Type.String({
      minLength: 1,
      maxBytes: templateBytes,
      description: 'Liquid for plain text. The HTML part is made from it.',
      examples: ['Dear {{ customer.first_name }},\n\n{{ product.name }} begins at {{ time }}.'],
    }),
    Active: Type.Boolean({
      description:
        'Whether it sends e-mails. When switched on, it sends none for bookings that were due before.',
      examples: [true],
    }),
  },
  { title: 'WorkflowInput' },
)
export type WorkflowRequest = Static<typeof workflowInputSchema>

export const workflowSchema = Type.Object(
  {
    WorkflowID: Type.Integer({ examples: [4] }),
    ...workflowInputSchema.properties,
    ProductID: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for all.', examples: [12] }),
    CreatedAt: Type.String({ format: 'date-time', examples: ['2027-05-04T09:30:00.000Z'] }),
    UpdatedAt: Type.String({ format: 'date-time', examples: ['2027-05-04T09:30:00.000Z'] }),
  },
  { title: 'Workflow' },
)
export type WorkflowView = Static<typeof workflowSchema>

export const workflowPathSchema = Type.Object({
  WorkflowID: Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    errorMessage: 'must be a positive whole number',
    description: 'Identifier of the workflow.',
    examples: ['4'],
  }),
})

export const workflowsQuerySchema = Type.Object({
  ...pageFields,
})
export type WorkflowsQuery = Static<typeof workflowsQuerySchema>

export const previewRequestSchema = Type.Object(
  { BookingReference: Type.Optional(referenceSchema) },
  { title: 'WorkflowPreviewRequest' },
)

export const previewSchema = Type.Object(
  {
    Subject: Type.String({ examples: ['See you on Saturday 15 June 2030'] }),
    Text: Type.String({ examples: ['Dear Ada,\n\nSunset kayak tour begins at 18:00.'] }),
    HTML: Type.String({ description: 'The same text as an HTML document.' }),
  },
  { title: 'WorkflowPreview' },
)

export const testRequestSchema = Type.Object(
  {
    To: Type.String({
      format: 'email',
      maxLength: 254,
      description: 'Recipient of the test.',
      examples: ['office@example.com'],
    }),
    BookingReference: Type.Optional(referenceSchema),
  },
  { title: 'WorkflowTestRequest' },
)
