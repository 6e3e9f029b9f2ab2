/**
 * The page that changes the customer and the answers of a booking. If its checkbox is selected, the change
 * of the customer also applies to the other bookings of the sale that have the same customer.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { answerFieldName } from '../../sales/booking/answer-fields.ts'
import { describeWithSale, listSharing } from '../../sales/booking/changes/describing-sale.ts'
import { allows } from '../../sales/booking/changes/model.ts'
import { descriptionRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { describeBooking } from '../../sales/booking/changes/service.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { type BookingRecord, referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { checkboxField, type ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultSummary, postForm } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain, versionField } from '../frame/meanwhile.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { answerFields, answerLabels, asOfFields, takeAnswers } from '../parts/answers.ts'
import { bookingTitle, whenOf } from '../parts/booking-words.ts'
import { customerFaults, customerFields } from '../parts/customer-fields.ts'
import { takePhone } from '../parts/phone-fields.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'
import { isErased } from './detail-pages.ts'

// A form from the previous release has neither `OfSale` nor `Version`. It changes one booking, without a
// check whether another user has changed the booking in the meantime.
const customerForm = Type.Object({
  ...descriptionRequestSchema.properties,
  OfSale: Type.Optional(Type.Boolean()),
  Version: Type.Optional(Type.String()),
})

const fields = ['FirstName', 'LastName', 'Email', 'Phone'].map((name) => `Customer.${name}`)

type BookingCustomerRequest = FastifyRequest<{ Params: { BookingReference: string } }>

export const bookingCustomerPages: Routes<DashboardOptions> = (app, { sql }) => {
  const params = referencePathSchema

  app.get('/bookings/:BookingReference/customer', { schema: { hide: true, params } }, (request, reply) =>
    sendForm(sql, request, reply, null),
  )

  app.post(
    '/bookings/:BookingReference/customer',
    {
      schema: { hide: true, params, body: customerForm },
      attachValidation: true,
      preValidation: [takeAnswers, takePhone],
    },
    async (request, reply) => {
      const { Customer = {}, Answers = [], OfSale = false, Version } = request.body
      const values = { Customer, Answers, OfSale, Version }
      const describe = OfSale ? describeWithSale : describeBooking
      try {
        checkForm(request)
        await describe(sql, subjectOf(request), { Customer, Answers }, Version)
      } catch (error) {
        const again = await showFormAgain(asOfFields(error, Answers), async () => {
          const subject = subjectOf(request)
          const { state } = await listSharing(sql, subject)
          const existing = await readBooking(sql, subject.accountId, subject.reference)
          const ids = [...new Set([...Answers, ...existing.Answers].map(({ QuestionID }) => QuestionID))]
          return {
            given: { ...values, ...answersByField(Answers, ids) },
            existing: { ...existing, ...answersByField(existing.Answers, ids) },
            state,
            fields: [...fields, ...ids.map((id) => answerFieldName(id))],
          }
        })
        return sendForm(sql, request, reply, { ...again, values })
      }
      return reply.redirect(doneAt(bookingPath(request.params.BookingReference), 'saved'), 303)
    },
  )
}

/** The answers to these questions as texts, by the names of their fields. */
function answersByField(answers: BookingRecord['Answers'], ids: readonly number[]): Record<string, string> {
  const textOf = (id: number) =>
    answers.flatMap(({ QuestionID, Value }) => (QuestionID === id ? Value : [])).join(' · ')
  return Object.fromEntries(ids.map((id) => [answerFieldName(id), textOf(id)]))
}

type CustomerValues = { Customer: object; Answers: BookingRecord['Answers']; OfSale: boolean }

/**
 * Sends the form. If the customer can no longer be changed, the response to a refused form has its faults but
 * no form, and any other request is redirected to the page of the booking.
 */
async function sendForm(
  sql: Sql,
  request: BookingCustomerRequest,
  reply: FastifyReply,
  again: (ShownForm & { values: CustomerValues; status: number; version: string }) | null,
): Promise<FastifyReply> {
  const { session, params } = request
  const t = textsFor(request)
  const { accountId } = session.user
  const { others, state } = await listSharing(sql, subjectOf(request))
  const booking = await readBooking(sql, accountId, params.BookingReference)
  const path = bookingPath(booking.BookingReference)
  const canChange = allows(booking.Status, 'describe') && !isErased(booking)
  if (!again && !canChange) return reply.redirect(path, 303)
  const known = await listQuestionsOfBookings(sql, accountId, [booking])
  const questions = known.filter(({ productId }) => productId === booking.ProductID)
  const values: CustomerValues = again?.values ?? { ...booking, OfSale: true }
  const { Participants: participants } = booking
  const labels = answerLabels(t, known, { participants })
  const faults = again?.faults ? customerFaults(session, t, again.faults, labels) : null
  const back = html`<a href="${path}">${t.say('customer.back')}</a>`
  const form = html`${versionField(again ? again.version : versionOf(state))}${customerFields(session, t, { values, faults })}
<p class="hint">${t.say('customer.keeps')}</p>
${othersField(t, others, values.OfSale)}
${questions.length > 0 ? html`<h2>${t.say('answers.title')}</h2>` : ''}
${answerFields(t, questions, values.Answers, { participants, faults })}
<p class="actions"><button>${t.say('save')}</button> ${back}</p>`
  const body = html`${faultSummary(faults)}
${canChange ? postForm(session, `${path}/customer`, form) : html`<p>${back}</p>`}`
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking, 'booking.title.customer'),
    status: again?.status ?? 200,
    body,
    assets: ['bookings.css'],
  })
}

/**
 * The checkbox that also changes the customer of the other bookings, and a list of these bookings. Empty if
 * there are none.
 */
function othersField(t: Texts, others: readonly BookingRecord[], isTicked: boolean): Markup {
  if (others.length === 0) return html``
  const label = t.say('customer.of-sale', { count: others.length })
  const line = (other: BookingRecord) =>
    html`<li>${t.say('customer.other', { product: other.ProductName, when: whenOf(t, other) })}</li>`
  return html`${checkboxField({ label, name: 'OfSale', value: String(isTicked) })}
<ul class="hint">${others.map(line)}</ul>`
}
