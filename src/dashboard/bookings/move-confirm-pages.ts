/** The last step of a move: the old and the new timeslot, the price, and the customer's e-mail. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { toActivityId } from '../../catalogue/model.ts'
import { openingView } from '../../catalogue/opening-hours.ts'
import { listQuestionsOf } from '../../catalogue/products/questions.ts'
import { getProduct } from '../../catalogue/reading.ts'
import { findTimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { type ChangeNotice, previewChange } from '../../messaging/emails/previewing.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { allows } from '../../sales/booking/changes/model.ts'
import {
  type CurrentPrice,
  type MovePreview,
  previewMove,
} from '../../sales/booking/changes/previewing-move.ts'
import { moveRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { type BookingRecord, referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { chosenMinor, chosenOrProposedMinor } from '../../sales/ledger/refund-plan.ts'
import type { RefundChoiceRequest } from '../../sales/ledger/refund-schemas.ts'
import { type ShownForm, valueAt } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { hint } from '../frame/text-tags.ts'
import { textsFor } from '../frame/texts.ts'
import type { ShownAlternative } from '../parts/alternatives.ts'
import { openQuestionsText } from '../parts/answers.ts'
import { bookingTitle, partyName, whenOf } from '../parts/booking-words.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { partyText } from '../parts/party-words.ts'
import { bookingPath } from '../parts/subject.ts'
import { tellFields } from '../parts/tell-fields.ts'
import { hasPriceChoice, owedAtCurrent, priceFields } from './move-price-fields.ts'

const { Date: day, Time } = moveRequestSchema.properties
const querySchema = Type.Object({
  ...choiceSchema.properties,
  Date: Type.Optional(day),
  Time: Type.Optional(Time),
})

export const moveConfirmPages: Routes<EmailPreviewOptions> = (app, options) => {
  app.get(
    '/bookings/:BookingReference/move/confirm',
    { schema: { hide: true, params: referencePathSchema, querystring: querySchema } },
    async (request, reply) => {
      const { params, query } = request
      const { Date: date, Time: time } = query
      // No timeslot is chosen yet.
      if (date === undefined || time === undefined)
        return reply.redirect(`${bookingPath(params.BookingReference)}/move`, 303)
      return sendConfirmation(options, request, reply, { date, time, again: null, status: 200 })
    },
  )
}

export type AboutMove = FastifyRequest<{
  Params: { BookingReference: string }
  Querystring: Static<typeof choiceSchema>
}>

type ConfirmationOf = { date: string; time: string; again: ShownForm | null; status: number }

/**
 * Sends the page that confirms a move to the timeslot at `date` and `time`. Redirects to the page of the
 * booking if it cannot be moved.
 * @param confirmation `again`: the sent form, refused with faults or sent for a preview; null for a new page.
 * @throws Problem not-found for an unknown booking, product or timeslot; validation for an impossible refund
 *   in a form without faults.
 */
export async function sendConfirmation(
  { sql, renders }: EmailPreviewOptions,
  request: AboutMove,
  reply: FastifyReply,
  confirmation: ConfirmationOf,
): Promise<FastifyReply> {
  const { session, params, query } = request
  const { accountId, timeZone } = session.user
  const { date, time, again, status } = confirmation
  const booking = await readBooking(sql, accountId, params.BookingReference)
  if (!allows(booking.Status, 'move')) return reply.redirect(bookingPath(booking.BookingReference), 303)
  const { productId: chosen, from } = choiceOf(query, timeZone)
  const productId = chosen ?? booking.ProductID
  const [product, questions, slot] = await Promise.all([
    getProduct(sql, accountId, productId),
    listQuestionsOf(sql, accountId, [productId]),
    findTimeslotAt(sql, accountId, { productId, date, time }),
  ])
  if (!slot) throw problems.timeslotNotFound()
  const reference = booking.BookingReference
  const preview = (await previewMove(sql, accountId, { reference, slot }))!
  const { current } = preview
  const isAtCurrent = valueAt(again?.values, 'Price') === 'current'
  const priced =
    isAtCurrent && current?.fault === null
      ? {
          bought: current.bought,
          owedMinor: owedAtCurrent(preview),
          refundMinor: refundAtCurrent(current, again),
          setOffMinor: current.setOffMinor,
        }
      : undefined
  const becoming = { trigger: 'booking-moved', timeslotId: slot.id, priced } as const
  const there = { ...booking, ProductID: productId }
  const t = textsFor(request)
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking, 'booking.title.move'),
    status,
    body: confirmView(session, t, {
      booking,
      product: { id: productId, name: product.name, activityId: toActivityId(product.activityId) },
      from,
      to: { Date: slot.date, Time: slot.time, ...openingView(slot.openingHours) },
      preview,
      stillToAsk: productId === booking.ProductID ? null : openQuestionsText(t, questions, there),
      notice: await previewChange(sql, accountId, { reference, becoming, renders }),
      again,
    }),
    assets: ['bookings.css', 'emails.css', 'move.js'],
  })
}

/**
 * The refund at today's price in minor units: the choice in the form. It is the proposed refund if the form
 * has faults and the choice is impossible.
 * @throws Problem validation for an impossible choice in a form without faults.
 */
function refundAtCurrent({ refund }: CurrentPrice, again: ShownForm | null): bigint {
  if (!refund) return 0n
  const { Refund } = (again?.values ?? {}) as { Refund?: RefundChoiceRequest }
  const read = again?.faults ? chosenOrProposedMinor : chosenMinor
  return read(refund.options, Refund, refund.currency)
}

type MoveConfirmation = {
  booking: BookingRecord
  product: { id: number; name: string; activityId: string }
  /** The first day of the search for timeslots. */
  from: string
  to: Omit<ShownAlternative, 'Available'>
  /**
   * If the booking moves to another product: the required questions of that product that have no answer. Null
   * if there are none.
   */
  stillToAsk: string | null
  /** The effect on the price. */
  preview: MovePreview
  notice: ChangeNotice | null
  again: ShownForm | null
}

function confirmView(session: Session, t: Texts, move: MoveConfirmation): Markup {
  const { booking, product, from, to, stillToAsk, preview, notice, again } = move
  const path = `${bookingPath(booking.BookingReference)}/move?ProductID=${product.id}&From=${from}`
  const faults = again?.faults ?? null
  const chosen = hasPriceChoice(preview) ? { action: path, isShown: again !== null } : undefined
  const given = valueAt(again?.values, 'TellCustomer')
  return html`${faultSummary(faults)}
<p>${partyName(t, booking.Customer)}, ${partyText(t, booking)}.</p>
<dl class="facts"><div><dt>${t.say('move.now')}</dt><dd>${booking.ProductName}, ${whenOf(t, booking)}</dd></div>
<div><dt>${t.say('move.to')}</dt><dd><strong>${product.name}, ${whenOf(t, to)}</strong></dd></div></dl>
${stillToAsk === null ? '' : html`<p class="to-ask">${markupOf(t, 'move.still-to-ask', { questions: stillToAsk, hint })}</p>`}
${postForm(
  session,
  path,
  html`<input type="hidden" name="ActivityID" value="${product.activityId}"><input type="hidden" name="Date" value="${to.Date}"><input type="hidden" name="Time" value="${to.Time}">
${priceFields(t, preview, again)}
${tellFields(session, t, { notice, trigger: 'booking-moved', given, faults, chosen })}
<p class="actions"><button>${t.say('move.button')}</button> <a href="${path}">${t.say('move.another')}</a></p>`,
)}`
}
