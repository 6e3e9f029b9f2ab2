/**
 * Changes the party of a booking. A page first shows the effects. If needed, it asks how much is paid back and
 * who leaves.
 */
import type { FastifyReply } from 'fastify'
import { type Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { previewChange } from '../../messaging/emails/previewing.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { boughtView } from '../../sales/booking/bought-view.ts'
import { type PartyPreview, previewParty } from '../../sales/booking/changes/previewing-party.ts'
import { amendRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { amendBooking } from '../../sales/booking/changes/service.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { type PartyRequest, toParty } from '../../sales/booking/pricing.ts'
import { chosenMinor, chosenOrProposedMinor } from '../../sales/ledger/refund-plan.ts'
import type { RefundChoiceRequest } from '../../sales/ledger/refund-schemas.ts'
import { listTickets } from '../../sales/ticket/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { availableOf } from '../parts/alternatives.ts'
import { openQuestionsText } from '../parts/answers.ts'
import { bookingTitle } from '../parts/booking-words.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { takeUnits } from '../parts/party-fields.ts'
import { takeRefund } from '../parts/refund-fields.ts'
import { doneWithRefund } from '../parts/refund-notice.ts'
import { bookingPath, subjectOf } from '../parts/subject.ts'
import { amendView, namedAmend } from './amend-views.ts'
import { type BookingDetailRequest, sendBooking } from './detail-pages.ts'
import { leavingOf } from './leaving-fields.ts'

/**
 * With `Show`, the booking is not changed: `party` shows the page for the new party, and `email` shows the
 * same page with the e-mail for the choices in its form.
 */
const amendForm = Type.Object({
  ...amendRequestSchema.properties,
  Show: Type.Optional(Type.Enum(['party', 'email'])),
})
type SentAmendment = Static<typeof amendForm>

export const amendPages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options

  app.post(
    '/bookings/:BookingReference/amend',
    {
      schema: { hide: true, params: referencePathSchema, body: amendForm },
      attachValidation: true,
      preValidation: [takeUnits, takeRefund],
    },
    async (request, reply) => {
      const { body } = request
      const path = bookingPath(request.params.BookingReference)
      const confirm = (faults: FormFaults, status: number) =>
        sendChange(options, request, reply, {
          body,
          again: body.Show === 'party' ? null : { values: body, faults },
          status,
        })
      try {
        checkForm(request)
        if (body.Participants === undefined && !body.Units) throw noParty()
        if (body.Show) return await confirm(null, 200)
        const { Refund: refund, Leaving: leaving, TellCustomer: notifyCustomer = true } = body
        const amendment = { party: toParty(body), refund, leaving, notifyCustomer }
        const once = onceOf(request, 'booking.amend')
        const { answer } = await amendBooking(sql, once, subjectOf(request), amendment)
        const done = await doneWithRefund(sql, request.session.user.accountId, answer, 'amended')
        return reply.redirect(doneAt(path, done), 303)
      } catch (error) {
        const { faults, status } = faultsOf(error)
        if (isAboutConfirmation(faults)) return confirm(namedAmend(textsFor(request), faults), status)
        const { slug } = error as Problem
        return sendBooking(options, request, reply, {
          again: { form: 'amend', slug, values: body, faults, available: availableOf(error) },
          status,
        })
      }
    },
  )
}

function noParty(): Problem {
  return problems.validation([{ field: 'Participants', message: 'must be a whole number from 1 to 999' }])
}

/** Whether all faults are about the refund or about who leaves, so that the page of the change shows them. */
function isAboutConfirmation({ fields }: NonNullable<FormFaults>): boolean {
  return fields.size > 0 && [...fields.keys()].every((field) => /^(Refund|Leaving)/.test(field))
}

type Changing = { body: SentAmendment; again: ShownForm | null; status: number }

/**
 * Sends the page that confirms the change.
 * @param changing `again`: the sent form, refused with faults or sent for a preview; null for a new page.
 * @throws Problem booking-not-changeable unless the booking is confirmed; validation if the party is the same
 *   as before, and for an impossible refund in a form without faults; every Problem of previewParty().
 */
async function sendChange(
  { sql, renders }: EmailPreviewOptions,
  request: BookingDetailRequest,
  reply: FastifyReply,
  { body, again, status }: Changing,
): Promise<FastifyReply> {
  const { session, params } = request
  const { accountId } = session.user
  const reference = params.BookingReference
  const booking = await readBooking(sql, accountId, reference)
  if (booking.Status !== 'confirmed') throw problems.bookingNotChangeable(booking.Status)
  const preview = await previewParty(sql, accountId, { reference, party: toParty(body) })
  if (!preview) throw sameParty(body)
  const { bought, owedMinor, setOffMinor } = preview
  const priced = { bought, owedMinor: owedMinor ?? 0n, refundMinor: refundIn(preview, again), setOffMinor }
  const [notice, tickets, questions] = await Promise.all([
    previewChange(sql, accountId, { reference, becoming: { trigger: 'booking-amended', priced }, renders }),
    listTickets(sql, { accountId, reference }),
    listQuestionsOfBookings(sql, accountId, [booking]),
  ])
  const t = textsFor(request)
  const leaving = leavingOf(t, booking, preview, { tickets, questions })
  const { Participants } = boughtView(bought)
  const isMore = Participants > booking.Participants
  const stillToAsk = isMore ? openQuestionsText(t, questions, { ...booking, Participants }) : null
  return sendDashboard(reply, session, {
    ...bookingTitle(t, booking, 'booking.title.amend'),
    status,
    body: amendView(session, t, { booking, party: body, preview, leaving, stillToAsk, notice, again }),
    assets: ['bookings.css', 'emails.css'],
  })
}

function sameParty({ Units }: PartyRequest): Problem {
  const message = 'is the same as before: choose another party'
  return problems.validation([{ field: Units ? 'Units' : 'Participants', message }])
}

/**
 * The refund in minor units: the choice in the form. It is the proposed refund if no form was sent, or if the
 * form has faults and the choice is impossible.
 * @throws Problem validation for an impossible choice in a form without faults.
 */
function refundIn({ refund }: PartyPreview, again: ShownForm | null): bigint {
  if (!refund) return 0n
  const { Refund } = (again?.values ?? {}) as { Refund?: RefundChoiceRequest }
  const read = again && !again.faults ? chosenMinor : chosenOrProposedMinor
  return read(refund.options, Refund, refund.currency)
}
