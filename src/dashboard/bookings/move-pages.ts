/**
 * The page that moves a booking. It lists the timeslots with enough free places. If the chosen timeslot has become
 * too full or is no longer on sale, it also lists alternatives.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProducts } from '../../catalogue/products/service.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { type Alternative, Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import type { Price } from '../../platform/text/money.ts'
import { allows } from '../../sales/booking/changes/model.ts'
import { previewTotals } from '../../sales/booking/changes/previewing-move.ts'
import { moveRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { moveBooking } from '../../sales/booking/changes/service.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking, readBought } from '../../sales/booking/desk/service.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { alternativesOf, withHours } from '../parts/alternatives.ts'
import { bookingTitle } from '../parts/booking-words.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { money } from '../parts/party-words.ts'
import { namedRefund, takeRefund } from '../parts/refund-fields.ts'
import { doneWithRefund } from '../parts/refund-notice.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'
import { sendBooking } from './detail-pages.ts'
import { listFitting } from './fitting-slots.ts'
import { type AboutMove, sendConfirmation } from './move-confirm-pages.ts'
import { priceLabels } from './move-price-fields.ts'
import { moveView } from './move-views.ts'

/** `Show` only previews the e-mail, and moves nothing. */
const moveForm = Type.Object({
  ...moveRequestSchema.properties,
  Show: Type.Optional(Type.Enum(['email'])),
})

export const bookingMovePages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options
  const schema = { hide: true, params: referencePathSchema, querystring: choiceSchema }

  app.get('/bookings/:BookingReference/move', { schema }, (request, reply) =>
    sendMove(sql, request, reply, null),
  )

  app.post(
    '/bookings/:BookingReference/move',
    { schema: { ...schema, body: moveForm }, attachValidation: true, preValidation: takeMoveRefund },
    async (request, reply) => {
      const { body } = request
      const {
        ActivityID,
        Date: date,
        Time: time,
        Price: price = 'kept',
        TellCustomer: notifyCustomer = true,
      } = body
      const confirm = (faults: FormFaults, status: number) =>
        sendConfirmation(options, request, reply, { date, time, again: { values: body, faults }, status })
      try {
        checkForm(request)
        // An impossible refund throws here, and is shown as a fault.
        if (body.Show) return await confirm(null, 200)
        const target = {
          ...{ activityId: ActivityID ?? null, date, time, party: null },
          ...{ price, expectedTotal: body.ExpectedTotal, notifyCustomer, refund: body.Refund },
        }
        const once = onceOf(request, 'booking.move')
        const { answer } = await moveBooking(sql, once, subjectOf(request), target)
        const isRefundUnused = price === 'kept' && body.Refund !== undefined
        const { accountId } = request.session.user
        const moved = price === 'kept' ? 'moved' : await doneWithRefund(sql, accountId, answer, 'moved')
        const path = bookingPath(request.params.BookingReference)
        return reply.redirect(doneAt(path, isRefundUnused ? 'moved-kept' : moved), 303)
      } catch (error) {
        const { faults, status } = faultsOf(asPriceFault(error, textsFor(request)))
        const { accountId, reference } = subjectOf(request)
        const { Status } = await readBooking(sql, accountId, reference)
        if (!allows(Status, 'move')) {
          const again = { form: 'move', slug: (error as Problem).slug, values: body, faults }
          return sendBooking(options, request, reply, { again, status })
        }
        if (isAboutMoney(faults)) return confirm(namedMove(textsFor(request), faults), status)
        return sendMove(sql, request, reply, { faults, status, alternatives: alternativesOf(error) })
      }
    },
  )
}

/**
 * Reads the refund of the form, and drops the expected total unless today's price is chosen. The refund is
 * also read if the booking keeps its price: moveBooking() then refuses an amount above 0 and ignores any
 * other choice.
 */
async function takeMoveRefund(request: FastifyRequest): Promise<void> {
  await takeRefund(request)
  const body = request.body as { Price?: string; ExpectedTotal?: string }
  if (body.Price !== 'current') delete body.ExpectedTotal
}

/**
 * If the price has changed since the page was shown, returns a fault of the price field, so that the user
 * chooses again. Other errors are returned unchanged.
 */
function asPriceFault(error: unknown, t: Texts): unknown {
  if (!(error instanceof Problem && error.slug === 'total-differs')) return error
  const total = money(t, error.extensions.Total as Price)
  const message = `has changed: today the booking costs ${total} there. Choose again.`
  return problems.validation([{ field: 'Price', message }])
}

/** Whether all faults are about the price or the refund, so that the confirmation page shows them. */
function isAboutMoney({ fields }: NonNullable<FormFaults>): boolean {
  return (
    fields.size > 0 && [...fields.keys()].every((field) => /^(Price|Units|Refund|ExpectedTotal)/.test(field))
  )
}

function namedMove(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  return namedRefund(t, { ...faults, labels: priceLabels(t) })
}

type RefusedMove = ReturnType<typeof faultsOf> & { alternatives: Alternative[] }

/** Sends the page with the timeslots. Redirects to the page of the booking if it cannot be moved. */
async function sendMove(
  sql: Sql,
  request: AboutMove,
  reply: FastifyReply,
  refused: RefusedMove | null,
): Promise<FastifyReply> {
  const { session, params, query } = request
  const { accountId, timeZone } = session.user
  const booking = await readBooking(sql, accountId, params.BookingReference)
  if (!allows(booking.Status, 'move')) return reply.redirect(bookingPath(booking.BookingReference), 303)
  const { productId: chosen, from: requestedFrom } = choiceOf(query, timeZone)
  const productId = chosen ?? booking.ProductID
  const today = dateIn(timeZone, new Date())
  // Most bookings are moved to a day near their present one.
  const from = query.From === undefined && booking.Date > today ? booking.Date : requestedFrom
  const [products, bought] = await Promise.all([
    listProducts(sql, accountId, {}),
    readBought(sql, accountId, booking.BookingReference),
  ])
  const isWhole = products.find(({ id }) => id === productId)?.takesTimeslot ?? bought.takesTimeslot
  const hasRoom = (slot: Timeslot) =>
    isWhole ? freeOf(slot) === slot.capacity : freeOf(slot) >= bought.places
  const fits = (slot: Timeslot) => slot.id !== booking.TimeslotID && hasRoom(slot)
  const { slots, later } = await listFitting(sql, accountId, { productId, from, fits })
  const reference = booking.BookingReference
  const t = textsFor(request)
  const body = moveView(t, {
    booking,
    productId,
    from,
    products,
    slots,
    totals: await previewTotals(sql, accountId, { reference, slots }),
    today,
    later,
    refused: refused && {
      ...refused,
      alternatives: await withHours(sql, accountId, productId, refused.alternatives),
    },
  })
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking, 'booking.title.move'),
    status: refused?.status ?? 200,
    body,
    assets: ['bookings.css', 'live.js'],
  })
}
