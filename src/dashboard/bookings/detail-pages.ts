/** The page of a booking, with its actions. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames } from '../../catalogue/products/service.ts'
import { listOpeningHours } from '../../catalogue/timeslots/service.ts'
import type { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { listPriceLists, listUnitNames } from '../../inventory/price-list-queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { readBasket } from '../../sales/basket/views.ts'
import * as changes from '../../sales/booking/changes/service.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { type BookingDetail, referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { listUnusedPayments } from '../../sales/ledger/paying-back.ts'
import { listRefundsOf } from '../../sales/ledger/queries.ts'
import { findNote } from '../../sales/note/service.ts'
import { findPromotionOfSale } from '../../sales/promotion/applying.ts'
import { listTickets } from '../../sales/ticket/service.ts'
import { listOpenCurrencies } from '../../sales/till/service.ts'
import { findEntryOf } from '../../sales/waitlist/service.ts'
import { checkForm, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { attendanceDone, attendanceForm, attendanceOf } from '../parts/attendance.ts'
import { bookingTitle } from '../parts/booking-words.ts'
import { canExtend, isHeldHere } from '../parts/held-actions.ts'
import { type HistoryNames, productsIn, timeslotsIn, unitsIn } from '../parts/history-words.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { namedRefund } from '../parts/refund-fields.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'
import { amendFaults } from './amend-form.ts'
import { type Detail, detailView } from './detail-views.ts'

export type BookingDetailRequest = FastifyRequest<{ Params: { BookingReference: string } }>

export const bookingDetailPages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options
  const params = referencePathSchema

  app.get('/bookings/:BookingReference', { schema: { hide: true, params } }, (request, reply) =>
    sendBooking(options, request, reply, { again: null, status: 200 }),
  )

  app.post(
    '/bookings/:BookingReference/attendance',
    { schema: { hide: true, params, body: attendanceForm }, attachValidation: true },
    (request, reply) =>
      changeAndShow(options, request, reply, 'attendance', async () => {
        const once = onceOf(request, 'booking.attendance')
        const given = attendanceOf(request.body)
        const recorded = await changes.recordAttendance(sql, once, subjectOf(request), given)
        return attendanceDone(request.body, recorded)
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
 * Makes a change and redirects to the page of the booking. If the change is refused, shows the page with the
 * form's faults.
 * @param form the part of the form's path after the reference of the booking, without an id that follows it:
 *   `payments`, `tickets`.
 * @param act makes the change, and returns the key of the notice that the page then shows.
 */
export async function changeAndShow(
  options: EmailPreviewOptions,
  request: BookingDetailRequest,
  reply: FastifyReply,
  form: string,
  act: () => Promise<string>,
): Promise<FastifyReply> {
  try {
    checkForm(request)
    return reply.redirect(doneAt(bookingPath(request.params.BookingReference), await act()), 303)
  } catch (error) {
    const { faults, status } = faultsOf(error)
    const { slug } = error as Problem
    return sendBooking(options, request, reply, {
      again: { form, slug, values: request.body, faults: namedRefund(textsFor(request), faults) },
      status,
    })
  }
}

/**
 * Sends the page of a booking.
 * @param shown `again`: the refused form, which the page shows again with its faults; null if there is none.
 */
export async function sendBooking(
  { sql }: EmailPreviewOptions,
  request: BookingDetailRequest,
  reply: FastifyReply,
  { again, status }: { again: Detail['again']; status: number },
): Promise<FastifyReply> {
  const { session, params } = request
  const { accountId } = session.user
  const booking = await readBooking(sql, accountId, params.BookingReference)
  const [questions, lists, names, refunds, unused, tickets, note, entry, basket, promotion, tills] =
    await Promise.all([
      listQuestionsOfBookings(sql, accountId, [booking]),
      listPriceLists(sql, accountId, [booking.TimeslotID]),
      readNames(sql, accountId, booking),
      listRefundsOf(sql, accountId, [booking.BasketID]),
      listUnusedPayments(sql, accountId, booking.BasketID),
      listTickets(sql, { accountId, reference: booking.BookingReference }),
      findNote(sql, accountId, booking.BookingReference),
      booking.Status === 'confirmed' ? null : findEntryOf(sql, accountId, booking.BookingReference),
      isHeldHere(booking) ? readBasket(sql, accountId, booking.BasketID) : null,
      booking.Discount ? findPromotionOfSale(sql, accountId, booking.BasketID) : null,
      listOpenCurrencies(sql, session.user),
    ])
  const t = textsFor(request)
  const list = lists.get(booking.TimeslotID) ?? null
  const shown = again?.form === 'amend' ? { ...again, faults: amendFaults(t, again, list, booking) } : again
  const about = {
    booking,
    questions,
    list,
    names,
    refunds,
    unused,
    tickets,
    note,
    entry,
    code: promotion?.code ?? null,
    isExtendable: basket !== null && canExtend(basket),
    isErased: isErased(booking),
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

/** Whether the personal data of the booking's customer has been erased. */
export function isErased({ History }: BookingDetail): boolean {
  return History.some(({ Action }) => Action === 'customer-erased')
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
