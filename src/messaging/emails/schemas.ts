/** Schemas of the outbox. */

import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { emailKinds, emailStatuses } from './model.ts'

const idText = (what: string, example: string) =>
  Type.String({
    pattern: '^[1-9]\\d{0,14}$',
    errorMessage: 'must be a positive whole number',
    description: `Identifier of the ${what}.`,
    examples: [example],
  })

const nullable = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])

const instant = { format: 'date-time', examples: ['2027-06-11T10:00:00.000Z'] }

export const referenceSchema = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Reference of a booking.',
  examples: ['7KQ4MXW2PD'],
})

export const emailPathSchema = Type.Object({ EmailID: idText('e-mail', '3120') })

export const emailsQuerySchema = Type.Object({
  Status: Type.Optional(
    Type.Enum(emailStatuses, { description: 'Only e-mails with this status.', examples: ['failed'] }),
  ),
  Kind: Type.Optional(
    Type.Enum(emailKinds, { description: 'Only e-mails of this kind.', examples: ['workflow'] }),
  ),
  BookingReference: Type.Optional(referenceSchema),
  ...pageFields,
})
export type EmailsQuery = Static<typeof emailsQuerySchema>

export const emailSchema = Type.Object(
  {
    EmailID: Type.Integer({ examples: [3120] }),
    Kind: Type.Enum(emailKinds, { examples: ['workflow'] }),
    Status: Type.Enum(emailStatuses, {
      description:
        '`queued`: waits for its next try. `failed`: after ten tries in about a day, a permanent refusal, or an error in its template or data. `dropped`: it was no longer needed.',
      examples: ['sent'],
    }),
    To: nullable(
      Type.String({
        description:
          'The recipient: the current address of the booking, the address that was given for a test, or the contact for a paused webhook endpoint.',
        examples: ['ada@example.com'],
      }),
    ),
    Subject: nullable(
      Type.String({
        description:
          'As it was sent; null until then, once the customer is erased, and for e-mails of earlier versions.',
        examples: ['Sunset kayak tour: your booking 7KQ4MXW2PD'],
      }),
    ),
    BookingReference: nullable(Type.String({ examples: ['7KQ4MXW2PD'] })),
    WorkflowID: nullable(Type.Integer({ examples: [4] })),
    WorkflowName: nullable(
      Type.String({
        description: 'Also null if the workflow was deleted.',
        examples: ['Reminder, a day before'],
      }),
    ),
    WaitlistID: nullable(Type.Integer({ examples: [17] })),
    Attempts: Type.Integer({ description: 'How many times it was tried.', examples: [1] }),
    NextTryAt: nullable(Type.String({ ...instant, description: 'Null unless it is queued.' })),
    Reason: nullable(
      Type.String({
        description: 'Why the last try failed, or why it was not sent.',
        examples: ['The booking is cancelled.'],
      }),
    ),
    CreatedAt: Type.String(instant),
    SentAt: nullable(
      Type.String({ ...instant, description: 'When a mail server accepted it, or when it became a file.' }),
    ),
  },
  { title: 'Email' },
)
export type EmailView = Static<typeof emailSchema>
