/** The operator's routes that change bookings. */
import type { FastifyRequest } from 'fastify'
import { keyActor } from '../../../events/actor.ts'
import { idempotent, sendOnce } from '../../../http/idempotent-request.ts'
import { problemResponses, writing } from '../../../http/openapi.ts'
import type { ProblemSlug } from '../../../http/problem-types.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { recordSchema, referencePathSchema } from '../desk/schemas.ts'
import { toParty } from '../pricing.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

/** The parts of the OpenAPI schema that all changes share. */
function changeSchema(...slugs: ProblemSlug[]) {
  return {
    tags: ['Operator: bookings'],
    params: referencePathSchema,
    response: {
      200: envelope(recordSchema),
      ...problemResponses(...writing, 'not-found', 'booking-not-changeable', ...slugs),
    },
  }
}

/** The same as changeSchema(), for changes with an idempotency key. */
function actionSchema(...slugs: ProblemSlug[]) {
  return { ...changeSchema(...slugs, 'idempotency-key-reused'), headers: idempotencyHeaders }
}

function subjectOf({ caller, params }: FastifyRequest<{ Params: { BookingReference: string } }>) {
  return { accountId: caller.accountId, reference: params.BookingReference, actor: keyActor(caller) }
}

export const changeRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post(
    '/bookings/:BookingReference/cancel',
    {
      schema: {
        operationId: 'cancelBooking',
        summary: 'Cancel a booking',
        description:
          'Frees its places at once; the waitlist gets them first. A booking that is already cancelled is returned unchanged. After the product’s cutoff, `Override` is required. `Refund` chooses what is paid back.',
        body: schemas.cancelRequestSchema,
        ...actionSchema('cutoff-passed'),
      },
    },
    async (request, reply) => {
      const {
        Override: override = false,
        Reason,
        Refund: refund,
        TellCustomer: notifyCustomer = true,
      } = request.body
      const once = idempotent(request, 'booking.cancel')
      const reason = Reason?.trim() ?? null
      const cancellation = { by: 'operator', override, reason, refund, notifyCustomer } as const
      return sendOnce(reply, 200, await service.cancelBooking(sql, once, subjectOf(request), cancellation))
    },
  )

  app.post(
    '/bookings/:BookingReference/move',
    {
      schema: {
        operationId: 'moveBooking',
        summary: 'Move a booking to another timeslot',
        description:
          'The booking keeps its places until it has the new ones. It keeps its prices, unless `Price` is `current`. With `Participants` or `Units` the party changes too, and added units have the price of the new timeslot. If the booking becomes cheaper, `Refund` chooses what is paid back. If it becomes dearer, the sale owes the difference, after refunds that are due for the sale have been set off. With `ExpectedTotal`, the booking moves only if its new total is that amount. After a 409 nothing has changed; `Alternatives` are timeslots of a product in the shopfront that would fit.',
        body: schemas.moveRequestSchema,
        ...actionSchema(
          'insufficient-capacity',
          'timeslot-unavailable',
          'quantity-below-redeemed',
          'total-differs',
        ),
      },
    },
    async (request, reply) => {
      const { ActivityID, Date: date, Time: time, Participants, Units, Refund: refund } = request.body
      const {
        Price: price = 'kept',
        ExpectedTotal: expectedTotal,
        TellCustomer: notifyCustomer = true,
      } = request.body
      const party = Participants === undefined && !Units ? null : toParty(request.body)
      const there = { activityId: ActivityID ?? null, date, time }
      const target = { ...there, party, price, expectedTotal, refund, notifyCustomer }
      const once = idempotent(request, 'booking.move')
      return sendOnce(reply, 200, await service.moveBooking(sql, once, subjectOf(request), target))
    },
  )

  app.post(
    '/bookings/:BookingReference/amend',
    {
      schema: {
        operationId: 'amendBooking',
        summary: 'Change who takes part',
        description:
          'Kept units keep their price; added units have today’s price. A larger party needs free places: `Available` says how many more are free. A smaller party frees places at once; the waitlist gets them first. `Refund` chooses what is paid back, and `Leaving` who leaves. The sale owes the price of added units, after refunds that are due for the sale have been set off.',
        body: schemas.amendRequestSchema,
        ...actionSchema('insufficient-capacity', 'timeslot-unavailable', 'quantity-below-redeemed'),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'booking.amend')
      const { Refund: refund, Leaving: leaving, TellCustomer: notifyCustomer = true } = request.body
      const amendment = { party: toParty(request.body), refund, leaving, notifyCustomer }
      const done = await service.amendBooking(sql, once, subjectOf(request), amendment)
      return sendOnce(reply, 200, done)
    },
  )

  app.post(
    '/bookings/:BookingReference/attendance',
    {
      schema: {
        operationId: 'recordAttendance',
        summary: 'Check a party in, or mark it as a no-show',
        description:
          'With `PeopleHere`, only that many people of the party are checked in; `PeopleAbsent` says how many of the others did not come. `null` removes the recorded attendance.',
        body: schemas.attendanceRequestSchema,
        ...actionSchema(),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'booking.attendance')
      const { Attendance: attendance, PeopleHere: people, PeopleAbsent: absent } = request.body
      const given = { attendance, people, absent }
      const done = await service.recordAttendance(sql, once, subjectOf(request), given)
      return sendOnce(reply, 200, done)
    },
  )

  app.post(
    '/bookings/:BookingReference/resend',
    {
      schema: {
        operationId: 'resendConfirmation',
        summary: 'Send the confirmation again',
        description: 'Sends it by e-mail to the present address of the booking, soon after the response.',
        ...actionSchema('no-email-address'),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'booking.resend')
      return sendOnce(reply, 200, await service.resendConfirmation(sql, once, subjectOf(request)))
    },
  )

  app.patch(
    '/bookings/:BookingReference',
    {
      schema: {
        operationId: 'describeBooking',
        summary: 'Change the customer or the answers',
        description:
          'Only the given fields of `Customer` change; `Answers` are replaced as a whole. The history stores the names of the changed fields, not their values.',
        body: schemas.descriptionRequestSchema,
        ...changeSchema('customer-erased'),
      },
    },
    async (request) => ({ data: await service.describeBooking(sql, subjectOf(request), request.body) }),
  )
}
