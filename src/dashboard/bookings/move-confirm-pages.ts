/** The last step before a booking is moved: from where to where, and what its customer is told. */
import { toActivityId } from '../../catalogue/model.ts'
import { openingView } from '../../catalogue/opening-hours.ts'
import { getProduct } from '../../catalogue/reading.ts'
import { findTimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { type ChangeNotice, previewChange } from '../../messaging/emails/previewing.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { moveRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { type BookingRecord, referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import type { Formats } from '../frame/formats.ts'
import { formatsFor } from '../frame/formats.ts'
import { postForm } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import type { ShownAlternative } from '../parts/alternatives.ts'
import { partyName, whenOf } from '../parts/booking-words.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import type { WritingOptions } from '../parts/options.ts'
import { partyText } from '../parts/party-words.ts'
import { bookingPath } from '../parts/subject.ts'
import { tellFields } from '../parts/tell-fields.ts'

const { Date: day, Time } = moveRequestSchema.properties
const querySchema = Type.Object({
  ...choiceSchema.properties,
  Date: Type.Optional(day),
  Time: Type.Optional(Time),
})

export const moveConfirmPages: Routes<WritingOptions> = (app, { sql, renders }) => {
  app.get(
    '/bookings/:BookingReference/move/confirm',
    { schema: { hide: true, params: referencePathSchema, querystring: querySchema } },
    async (request, reply) => {
      const { session, params, query } = request
      const { accountId, timeZone } = session.user
      const { Date: date, Time: time } = query
      // Nothing is chosen yet.
      if (date === undefined || time === undefined)
        return reply.redirect(`${bookingPath(params.BookingReference)}/move`, 303)
      const booking = await readBooking(sql, accountId, params.BookingReference)
      const { productId: chosen, from } = choiceOf(query, timeZone)
      const productId = chosen ?? booking.ProductID
      const place = { productId, date, time }
      const [product, slot] = await Promise.all([
        getProduct(sql, accountId, productId),
        findTimeslotAt(sql, accountId, place),
      ])
      if (!slot) throw problems.timeslotNotFound()
      const becoming = { trigger: 'booking-moved', timeslotId: slot.id } as const
      const reference = booking.BookingReference
      return sendDashboard(reply, session, {
        title: `Move ${reference}`,
        body: confirmView(session, formatsFor(request), {
          booking,
          product: { id: productId, name: product.name, activityId: toActivityId(product.activityId) },
          from,
          to: { Date: slot.date, Time: slot.time, ...openingView(slot.openingHours) },
          notice: await previewChange(sql, accountId, { reference, becoming, renders }),
        }),
        assets: ['bookings.css', 'emails.css'],
      })
    },
  )
}

type MoveConfirmation = {
  booking: BookingRecord
  product: { id: number; name: string; activityId: string }
  /** The day from which on timeslots were looked for. */
  from: string
  to: Omit<ShownAlternative, 'Available'>
  notice: ChangeNotice | null
}

function confirmView(session: Session, formats: Formats, move: MoveConfirmation): Markup {
  const { booking, product, from, to, notice } = move
  const path = `${bookingPath(booking.BookingReference)}/move?ProductID=${product.id}&From=${from}`
  return html`<p>${partyName(booking.Customer)}, ${partyText(formats, booking)}.</p>
<dl class="facts"><div><dt>Now</dt><dd>${booking.ProductName}, ${whenOf(formats, booking)}</dd></div>
<div><dt>Moved to</dt><dd><strong>${product.name}, ${whenOf(formats, to)}</strong></dd></div></dl>
${postForm(
  session,
  path,
  html`<input type="hidden" name="ActivityID" value="${product.activityId}"><input type="hidden" name="Date" value="${to.Date}"><input type="hidden" name="Time" value="${to.Time}">
${tellFields(session, { notice, trigger: 'booking-moved', given: '', faults: null })}
<p class="actions"><button>Move the booking</button> <a href="${path}">Choose another timeslot</a></p>`,
)}`
}
