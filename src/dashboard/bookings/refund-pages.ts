/** The form on a booking's page that decides how much overpaid money of its sale is paid back. */
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { refundOverpaid } from '../../sales/ledger/paying-back.ts'
import { overpaidSchema } from '../../sales/ledger/refund-schemas.ts'
import { onceOf } from '../frame/forms.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { takeRefund } from '../parts/refund-fields.ts'
import { changeAndShow } from './detail-pages.ts'

export const bookingRefundPages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options
  app.post(
    '/bookings/:BookingReference/overpaid',
    {
      schema: { hide: true, params: referencePathSchema, body: overpaidSchema },
      attachValidation: true,
      preValidation: takeRefund,
    },
    (request, reply) =>
      changeAndShow(options, request, reply, 'overpaid', async () => {
        const { session, params, body } = request
        const { BasketID: basketId } = await readBooking(sql, session.user.accountId, params.BookingReference)
        const once = onceOf(request, 'refund.overpaid')
        const decision = { basketId, refund: body.Refund }
        const { answer } = await refundOverpaid(sql, once, byUser(session.user), decision)
        return answer.Status === 'none' ? 'overpaid-kept' : 'overpaid-decided'
      }),
  )
}
