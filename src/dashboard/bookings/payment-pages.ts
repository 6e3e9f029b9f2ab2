/** Takes a payment for the sale of a booking, from the form on the booking's page. */
import type { FastifyRequest } from 'fastify'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { payBalance } from '../../sales/basket/paying.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { paymentRequestSchema } from '../../sales/ledger/schemas.ts'
import { onceOf } from '../frame/forms.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount } from '../parts/amounts.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { changeAndShow } from './detail-pages.ts'

export const bookingPaymentPages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options
  app.post(
    '/bookings/:BookingReference/payments',
    {
      schema: { hide: true, params: referencePathSchema, body: paymentRequestSchema },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    (request, reply) =>
      changeAndShow(options, request, reply, 'payments', async () => {
        const { session, params, body: payment } = request
        const { BasketID: basketId } = await readBooking(sql, session.user.accountId, params.BookingReference)
        const once = onceOf(request, 'basket.payment')
        await payBalance(sql, once, byUser(session.user), { basketId, payment })
        return 'payment-taken'
      }),
  )
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Amount?: string }
  if (body.Amount) body.Amount = readAmount(body.Amount, textsFor(request).locale)
}
