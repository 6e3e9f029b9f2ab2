/** The page that changes the customer of a booking and its answers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { descriptionRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { describeBooking } from '../../sales/booking/changes/service.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { type BookingRecord, referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { checkForm, faultSummary, faultsOf, postForm, type ShownForm } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { answerFields, answerLabels, asOfFields, takeAnswers } from '../parts/answers.ts'
import { bookingTitle } from '../parts/booking-words.ts'
import { customerFaults, customerFields } from '../parts/customer-fields.ts'
import { takePhone } from '../parts/phone-fields.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'

type BookingCustomerRequest = FastifyRequest<{ Params: { BookingReference: string } }>

export const bookingCustomerPages: Routes<DashboardOptions> = (app, { sql }) => {
  const params = referencePathSchema

  app.get('/bookings/:BookingReference/customer', { schema: { hide: true, params } }, (request, reply) =>
    sendForm(sql, request, reply, null),
  )

  app.post(
    '/bookings/:BookingReference/customer',
    {
      schema: { hide: true, params, body: descriptionRequestSchema },
      attachValidation: true,
      preValidation: [takeAnswers, takePhone],
    },
    async (request, reply) => {
      const { Customer = {}, Answers = [] } = request.body
      const values = { Customer, Answers }
      try {
        checkForm(request)
        await describeBooking(sql, subjectOf(request), values)
      } catch (error) {
        const { faults, status } = faultsOf(asOfFields(error, Answers))
        return sendForm(sql, request, reply, { values, faults, status })
      }
      return reply.redirect(doneAt(bookingPath(request.params.BookingReference), 'saved'), 303)
    },
  )
}

type CustomerValues =
  | Pick<BookingRecord, 'Customer' | 'Answers'>
  | { Customer: object; Answers: BookingRecord['Answers'] }

async function sendForm(
  sql: Sql,
  request: BookingCustomerRequest,
  reply: FastifyReply,
  again: (ShownForm & { values: CustomerValues; status: number }) | null,
): Promise<FastifyReply> {
  const { session, params } = request
  const t = textsFor(request)
  const { accountId } = session.user
  const booking = await readBooking(sql, accountId, params.BookingReference)
  const known = await listQuestionsOfBookings(sql, accountId, [booking])
  const questions = known.filter(({ productId }) => productId === booking.ProductID)
  const { values } = again ?? { values: booking }
  const { Participants: participants } = booking
  const labels = answerLabels(t, known, { participants })
  const faults = again?.faults ? customerFaults(session, t, again.faults, labels) : null
  const path = bookingPath(booking.BookingReference)
  const body = html`${faultSummary(faults)}
${postForm(
  session,
  `${path}/customer`,
  html`${customerFields(session, t, { values, faults })}
<p class="hint">${t.say('customer.keeps')}</p>
${questions.length > 0 ? html`<h2>${t.say('answers.title')}</h2>` : ''}
${answerFields(t, questions, values.Answers, { participants, faults })}
<p class="actions"><button>${t.say('save')}</button> <a href="${path}">${t.say('customer.back')}</a></p>`,
)}`
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking, 'booking.title.customer'),
    status: again?.status ?? 200,
    body,
    assets: ['bookings.css'],
  })
}
