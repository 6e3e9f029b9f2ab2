/** The operator's bookings, to change. */
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

/** What the document says of every change alike. */
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

/** The same of those that happen once for each idempotency key. */
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
          'Its places are free at once, for those who wait for them first. A booking that is cancelled already is answered as it is, and nothing changes. After the product’s cutoff only with `Override`. `Refund` chooses what is paid back.',
        body: schemas.cancelRequestSchema,
        ...actionSchema('cutoff-passed'),
      },
    },
    async (request, reply) => {
      const { Override: override = false, Reason, Refund: refund, TellCustomer: tell = true } = request.body
      const once = idempotent(request, 'booking.cancel')
      const reason = Reason?.trim() ?? null
      const cancellation = { by: 'operator', override, reason, refund, tell } as const
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
          'All at once: the places it has are kept until the new ones are taken. It keeps its prices, unless `Price` is `current`; with `Participants` or `Units` the party changes too, and what is added costs what it does there. Where it becomes cheaper, `Refund` chooses what is paid back; where it becomes dearer, the sale owes the rest, and what is due to be paid back of it is set off first. With `ExpectedTotal` it moves only at that total. On 409 nothing has changed; `Alternatives` are timeslots of a product in the shopfront that would fit.',
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
      const { Price: price = 'kept', ExpectedTotal: expectedTotal, TellCustomer: tell = true } = request.body
      const party = Participants === undefined && !Units ? null : toParty(request.body)
      const there = { activityId: ActivityID ?? null, date, time }
      const target = { ...there, party, price, expectedTotal, refund, tell }
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
          'What the booking keeps costs what it did; what is added costs today’s price. More need places that are free: `Available` says how many there are besides. Of fewer, the places are free at once, for those who wait for them first, and `Refund` chooses what is paid back, and `Leaving` who leaves. What is added is owed; what is due to be paid back of the sale is set off first.',
        body: schemas.amendRequestSchema,
        ...actionSchema('insufficient-capacity', 'timeslot-unavailable', 'quantity-below-redeemed'),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'booking.amend')
      const { Refund: refund, Leaving: leaving, TellCustomer: tell = true } = request.body
      const amendment = { party: toParty(request.body), refund, leaving, tell }
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
          'With `PeopleHere` a part of the party is checked in; `PeopleAbsent` says how many of the others did not come. `null` takes back what was said before.',
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
        description: 'By e-mail, to the address the booking has now. It is sent soon after the answer.',
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
          'Of `Customer` only the fields that are given; `Answers` as a whole. The history keeps which fields were changed, not what was in them.',
        body: schemas.descriptionRequestSchema,
        ...changeSchema(),
      },
    },
    async (request) => ({ data: await service.describeBooking(sql, subjectOf(request), request.body) }),
  )
}
