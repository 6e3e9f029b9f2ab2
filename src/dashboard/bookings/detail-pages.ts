/** The page of a booking, with its actions. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames } from '../../catalogue/products/service.ts'
import { getProduct } from '../../catalogue/reading.ts'
import { listOpeningHours } from '../../catalogue/timeslots/service.ts'
import type { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { listPriceLists, listUnitNames } from '../../inventory/price-list-queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { previewRefund } from '../../sales/booking/changes/refund-preview.ts'
import { cancelRequestSchema } from '../../sales/booking/changes/schemas.ts'
import * as changes from '../../sales/booking/changes/service.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { type BookingDetail, referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { listUnusedPayments } from '../../sales/ledger/paying-back.ts'
import { listRefundsOf } from '../../sales/ledger/queries.ts'
import type { RefundChoiceRequest } from '../../sales/ledger/refund-schemas.ts'
import { findNote } from '../../sales/note/service.ts'
import { findPromotionOfSale } from '../../sales/promotion/applying.ts'
import { listTickets } from '../../sales/ticket/service.ts'
import { listOpenCurrencies } from '../../sales/till/service.ts'
import { findEntryOf } from '../../sales/waitlist/service.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { attendanceDone, attendanceFormFields } from '../parts/attendance.ts'
import { bookingTitle } from '../parts/booking-words.ts'
import { type HistoryNames, productsIn, timeslotsIn, unitsIn } from '../parts/history-words.ts'
import type { WritingOptions } from '../parts/options.ts'
import { namedRefund, takeRefund } from '../parts/refund-fields.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'
import { amendFaults } from './amend-form.ts'
import { previewCancelled, refundMinorOf } from './cancel-notice.ts'
import { type Detail, detailView } from './detail-views.ts'

/** `Show` only previews the e-mail, and cancels nothing. */
const cancelForm = Type.Object({
  ...cancelRequestSchema.properties,
  Show: Type.Optional(Type.Enum(['email'])),
})
const attendanceForm = Type.Object(attendanceFormFields)

export type BookingDetailRequest = FastifyRequest<{ Params: { BookingReference: string } }>

export const bookingDetailPages: Routes<WritingOptions> = (app, options) => {
  const { sql } = options
  const params = referencePathSchema

  app.get('/bookings/:BookingReference', { schema: { hide: true, params } }, (request, reply) =>
    sendBooking(options, request, reply, { again: null, status: 200 }),
  )

  app.post(
    '/bookings/:BookingReference/cancel',
    {
      schema: { hide: true, params, body: cancelForm },
      attachValidation: true,
      preValidation: takeRefund,
    },
    (request, reply) =>
      changeAndShow(options, request, reply, 'cancel', async () => {
        const { Override: override = false, Reason, Refund: refund, TellCustomer: tell = true } = request.body
        if (request.body.Show) {
          const { accountId } = request.session.user
          refundMinorOf(await previewRefund(sql, accountId, request.params.BookingReference), refund)
          return null
        }
        const reason = Reason?.trim() ?? null
        const cancellation = { by: 'operator', override, reason, refund, tell } as const
        const once = onceOf(request, 'booking.cancel')
        const { answer } = await changes.cancelBooking(sql, once, subjectOf(request), cancellation)
        const isDue = answer.Channel !== 'partner' && Number(answer.Refund?.Amount ?? 0) > 0
        return isDue ? 'cancelled-refund' : 'cancelled'
      }),
  )

  app.post(
    '/bookings/:BookingReference/attendance',
    { schema: { hide: true, params, body: attendanceForm }, attachValidation: true },
    (request, reply) =>
      changeAndShow(options, request, reply, 'attendance', async () => {
        const { Attendance: attendance, PeopleHere: people, More: more } = request.body
        const once = onceOf(request, 'booking.attendance')
        await changes.recordAttendance(sql, once, subjectOf(request), { attendance, people, more })
        return attendanceDone(request.body)
      }),
  )

  app.post('/bookings/:BookingReference/resend', { schema: { hide: true, params } }, (request, reply) =>
    changeAndShow(options, request, reply, 'resend', async () => {
      await changes.resendConfirmation(sql, onceOf(request, 'booking.resend'), subjectOf(request))
      return 'resent'
    }),
  )
}

/**
 * Makes a change and shows the changed booking; or the unchanged one with the faults.
 * @param act returns the notice; null shows the form again as it was sent.
 */
export async function changeAndShow(
  options: WritingOptions,
  request: BookingDetailRequest,
  reply: FastifyReply,
  form: string,
  act: () => Promise<string | null>,
): Promise<FastifyReply> {
  try {
    checkForm(request)
    const done = await act()
    if (done !== null) return reply.redirect(doneAt(bookingPath(request.params.BookingReference), done), 303)
  } catch (error) {
    const { faults, status } = faultsOf(error)
    const { slug } = error as Problem
    return sendBooking(options, request, reply, {
      again: { form, slug, values: request.body, faults: namedRefund(textsFor(request), faults) },
      status,
    })
  }
  const again = { form, slug: '', values: request.body, faults: null }
  return sendBooking(options, request, reply, { again, status: 200 })
}

/** @param shown `again` is the form to show again. */
export async function sendBooking(
  { sql, renders }: WritingOptions,
  request: BookingDetailRequest,
  reply: FastifyReply,
  { again, status }: { again: Detail['again']; status: number },
): Promise<FastifyReply> {
  const { session, params } = request
  const { accountId } = session.user
  const booking = await readBooking(sql, accountId, params.BookingReference)
  const refund = await previewRefund(sql, accountId, booking.BookingReference)
  const [product, questions, lists, names, notice, refunds, unused, tickets, note, entry, promotion, tills] =
    await Promise.all([
      getProduct(sql, accountId, booking.ProductID),
      listQuestionsOfBookings(sql, accountId, [booking]),
      listPriceLists(sql, accountId, [booking.TimeslotID]),
      readNames(sql, accountId, booking),
      previewCancelled(sql, accountId, { booking, refund, chosen: chosenIn(again), renders }),
      listRefundsOf(sql, accountId, [booking.BasketID]),
      listUnusedPayments(sql, accountId, booking.BasketID),
      listTickets(sql, { accountId, reference: booking.BookingReference }),
      findNote(sql, accountId, booking.BookingReference),
      booking.Status === 'confirmed' ? null : findEntryOf(sql, accountId, booking.BookingReference),
      booking.Discount ? findPromotionOfSale(sql, accountId, booking.BasketID) : null,
      listOpenCurrencies(sql, session.user),
    ])
  const t = textsFor(request)
  const list = lists.get(booking.TimeslotID) ?? null
  const shown = again?.form === 'amend' ? { ...again, faults: amendFaults(t, again, list, booking) } : again
  const about = {
    booking,
    product,
    questions,
    list,
    names,
    refund,
    refunds,
    unused,
    notice,
    tickets,
    note,
    entry,
    code: promotion?.code ?? null,
    tills,
  }
  const detail = { ...about, again: shown, now: Date.now() }
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking),
    status,
    body: detailView(session, t, detail),
    assets: ['bookings.css', 'emails.css', 'live.js'],
  })
}

/** The names that the history of a booking needs. */
async function readNames(sql: Sql, accountId: number, { History }: BookingDetail): Promise<HistoryNames> {
  const [units, products, hours] = await Promise.all([
    listUnitNames(sql, accountId, unitsIn(History)),
    productsIn(History).length > 0 ? listProductNames(sql, accountId) : [],
    listOpeningHours(sql, accountId, timeslotsIn(History)),
  ])
  return { units, products: new Map(products.map(({ id, name }) => [id, name])), hours }
}

/** The sent values of the form that cancels. */
function chosenIn(again: Detail['again']): RefundChoiceRequest | undefined {
  if (again?.form !== 'cancel') return undefined
  return (again.values as { Refund?: RefundChoiceRequest } | null)?.Refund
}
