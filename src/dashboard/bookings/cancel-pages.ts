/** Cancels a booking. A page first shows the booking, the possible refunds and the customer's e-mail. */
import type { FastifyReply } from 'fastify'
import type { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { cutoffOf } from '../../sales/booking/changes/cancelling.ts'
import { allows } from '../../sales/booking/changes/model.ts'
import { previewRefund } from '../../sales/booking/changes/refund-preview.ts'
import { cancelRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { cancelBooking } from '../../sales/booking/changes/service.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import type { RefundChoiceRequest } from '../../sales/ledger/refund-schemas.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { bookingTitle } from '../parts/booking-words.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { namedRefund, takeRefund } from '../parts/refund-fields.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'
import { previewCancelled, refundMinorOf } from './cancel-notice.ts'
import { type CancelPage, cancelView } from './cancel-views.ts'
import { type BookingDetailRequest, sendBooking } from './detail-pages.ts'

/** `Show` only previews the e-mail, and cancels nothing. */
const cancelForm = Type.Object({
  ...cancelRequestSchema.properties,
  Show: Type.Optional(Type.Enum(['email'])),
})

export const cancelPages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options
  const params = referencePathSchema

  app.get('/bookings/:BookingReference/cancel', { schema: { hide: true, params } }, (request, reply) =>
    sendCancellation(options, request, reply, { again: null, status: 200 }),
  )

  app.post(
    '/bookings/:BookingReference/cancel',
    {
      schema: { hide: true, params, body: cancelForm },
      attachValidation: true,
      preValidation: takeRefund,
    },
    async (request, reply) => {
      const { body, params, session } = request
      const { accountId } = session.user
      const { Override: override = false, Reason, Refund: refund, TellCustomer: notifyCustomer = true } = body
      try {
        checkForm(request)
        if (body.Show) {
          refundMinorOf(await previewRefund(sql, accountId, params.BookingReference), refund)
          const again = { values: body, faults: null }
          return await sendCancellation(options, request, reply, { again, status: 200 })
        }
        const cancellation = {
          by: 'operator',
          override,
          reason: Reason?.trim() ?? null,
          refund,
          notifyCustomer,
        } as const
        const once = onceOf(request, 'booking.cancel')
        const { answer, wasCancelled } = await cancelBooking(sql, once, subjectOf(request), cancellation)
        if (wasCancelled)
          return reply.redirect(doneAt(bookingPath(params.BookingReference), 'was-cancelled'), 303)
        const isDue = answer.Channel !== 'partner' && Number(answer.Refund?.Amount ?? 0) > 0
        const done = isDue ? 'cancelled-refund' : 'cancelled'
        return reply.redirect(doneAt(bookingPath(params.BookingReference), done), 303)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        const again = { values: body, faults: namedRefund(textsFor(request), faults) }
        const { Status } = await readBooking(sql, accountId, params.BookingReference)
        return allows(Status, 'cancel')
          ? sendCancellation(options, request, reply, { again, status })
          : sendBooking(options, request, reply, {
              again: { form: 'cancel', slug: (error as Problem).slug, ...again },
              status,
            })
      }
    },
  )
}

/**
 * Sends the page that cancels a booking. Redirects to the page of the booking if it cannot be cancelled.
 * @param shown `again`: the sent form, refused with faults or sent for a preview; null for a new page.
 */
async function sendCancellation(
  { sql, renders }: EmailPreviewOptions,
  request: BookingDetailRequest,
  reply: FastifyReply,
  { again, status }: { again: CancelPage['again']; status: number },
): Promise<FastifyReply> {
  const { session, params } = request
  const { accountId } = session.user
  const booking = await readBooking(sql, accountId, params.BookingReference)
  if (!allows(booking.Status, 'cancel')) return reply.redirect(bookingPath(booking.BookingReference), 303)
  const refund = await previewRefund(sql, accountId, booking.BookingReference)
  const chosen = (again?.values as { Refund?: RefundChoiceRequest } | null | undefined)?.Refund
  const [cutoff, notice] = await Promise.all([
    cutoffOf(sql, accountId, { status: booking.Status, timeslotId: booking.TimeslotID }),
    previewCancelled(sql, accountId, { booking, refund, chosen, renders }),
  ])
  const t = textsFor(request)
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking, 'booking.title.cancel'),
    status,
    body: cancelView(session, t, { booking, isLate: cutoff?.hasPassed ?? false, refund, notice, again }),
    assets: ['bookings.css', 'emails.css'],
  })
}
