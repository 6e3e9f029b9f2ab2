/** Wire shapes of bookings as their partner reads them later. */

import { pageFields } from '../../../http/wire.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { attendanceSchema, cancelReasonSchema } from '../desk/schemas.ts'
import { owedSchema, refundSchema } from '../money-schemas.ts'
import { bookingSchema, instantSchema, paymentReferenceSchema } from '../schemas.ts'

export const ownBookingSchema = Type.Object(
  {
    ...bookingSchema.properties,
    UpdatedAt: instantSchema,
    CancelledAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { examples: [null] }),
    CancelReason: cancelReasonSchema,
    Refund: refundSchema,
    Owed: owedSchema,
    Attendance: attendanceSchema,
  },
  { title: 'PartnerBooking' },
)
export type OwnBookingView = Static<typeof ownBookingSchema>

export const ownListQuerySchema = Type.Object({
  PaymentReference: Type.Optional({
    ...paymentReferenceSchema,
    description: 'Only the bookings of this payment, as it was given when they were made.',
  }),
  UpdatedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Where the list of changes begins; without it, and without `Cursor`, at the first there is.',
      examples: ['2027-06-01T00:00:00Z'],
    }),
  ),
  ...pageFields,
})
export type OwnListQuery = Static<typeof ownListQuerySchema>

export const linkHeader = {
  Link: Type.String({
    description:
      'Where the list goes on (`rel="next"`). Of a payment’s bookings only when there are more; of changes always.',
    examples: [
      '<https://booking.example/api/v2/ota/marketplace/booking?Cursor=WyJsb2ciLDgxMjM0NTY3LDQyXQ>; rel="next"',
    ],
  }),
}
