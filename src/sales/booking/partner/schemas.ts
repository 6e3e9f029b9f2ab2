/** Wire shapes of bookings as partners read them after the booking request. */

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
    description: 'Only the bookings that were made with this payment reference.',
  }),
  UpdatedSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'The time at which the list of changes begins. Without it and without `Cursor`, the list begins with the first change.',
      examples: ['2027-06-01T00:00:00Z'],
    }),
  ),
  ...pageFields,
})
export type OwnListQuery = Static<typeof ownListQuerySchema>

export const linkHeader = {
  Link: Type.String({
    description:
      'The next page (`rel="next"`). The list of changes always has one; the list of a payment’s bookings only if there are more.',
    examples: [
      '<https://booking.example/api/v2/ota/marketplace/booking?Cursor=WyJsb2ciLDgxMjM0NTY3LDQyXQ>; rel="next"',
    ],
  }),
}
