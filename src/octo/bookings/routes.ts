/** OCTO's routes for bookings. OCTO answers every success with 200. */
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import { isTestAccount } from '../../accounts/model.ts'
import { isAwaited } from '../../http/respond-within.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { Simulate } from '../../sales/booking/routes.ts'
import { capabilitiesOf } from '../capabilities.ts'
import { octoResponses } from '../responses.ts'
import { hasAnswers } from './answers.ts'
import * as requests from './request-schemas.ts'
import { octoBookingSchema } from './schemas.ts'
import type { OctoBookings, OctoRequest } from './service.ts'

const commonSchema = { tags: ['OCTO'], response: { 200: octoBookingSchema, ...octoResponses } }
const ofOne = { ...commonSchema, params: requests.uuidPathSchema }

/** Treats a missing body as an empty object. For the routes with PATCH and DELETE. */
const emptyBody: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

function octoRequestOf(request: FastifyRequest): OctoRequest {
  return {
    caller: request.caller,
    capabilities: capabilitiesOf(request),
    isAwaited: () => isAwaited(request),
  }
}

/** Whether a confirmation changes neither items nor answers, so that it can share a batch with other confirmations. */
function isPlain({ body }: FastifyRequest): boolean {
  return !hasAnswers(body as requests.ConfirmBody) && !(body as requests.ConfirmBody).unitItems
}

type Options = { bookings: OctoBookings; simulate: Simulate }

export const octoBookingRoutes: Routes<Options> = (app, { bookings, simulate }) => {
  /**
   * For a test booking whose contact requests a simulated case: throws the error, waits, or returns a function that
   * drops the response. Otherwise returns null.
   */
  const simulateTests = async (request: FastifyRequest, reply: FastifyReply) =>
    isTestAccount(request.caller.accountId) ? simulate(request, reply) : null

  app.post(
    '/bookings',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'octoReserve',
        summary: 'Reserve places',
        description:
          'Holds the places until `utcExpiresAt`; confirm the booking before then. Send a `uuid`, so that a retry after a lost response cannot reserve twice. With a test key, `contact.emailAddress` can request each error that you must handle: see “Going live”.',
        body: requests.reserveSchema,
        ...commonSchema,
      },
    },
    async (request, reply) => {
      const dropResponse = await simulateTests(request, reply)
      const { booking, replayed } = await bookings.reserve(octoRequestOf(request), request.body)
      if (replayed) reply.header('idempotency-replayed', 'true')
      return dropResponse && !replayed ? dropResponse() : booking
    },
  )

  app.get(
    '/bookings',
    {
      schema: {
        ...{ operationId: 'octoListBookings', tags: ['OCTO'] },
        summary: 'Find bookings',
        description:
          'The bookings that match all given filters, newest first, at most 500. One of `resellerReference`, `supplierReference`, `localDate`, or `localDateStart` and `localDateEnd` is required.',
        querystring: requests.listQuerySchema,
        response: { 200: Type.Array(octoBookingSchema), ...octoResponses },
      },
    },
    (request) => bookings.list(octoRequestOf(request), request.query),
  )

  app.get(
    '/bookings/:uuid',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'octoReadBooking',
        summary: 'Read a booking',
        description: 'The present state. A reseller sees only the bookings that it made.',
        ...ofOne,
      },
    },
    (request) => bookings.read(octoRequestOf(request), request.params.uuid),
  )

  app.patch(
    '/bookings/:uuid',
    {
      preValidation: emptyBody,
      schema: {
        operationId: 'octoUpdateBooking',
        summary: 'Change a booking',
        description:
          'Changes the timeslot, items, contacts, notes and references, before or after confirmation: all of the request, or nothing. Fields that are left out stay as they are.',
        body: requests.updateSchema,
        ...ofOne,
      },
    },
    (request) => bookings.update(octoRequestOf(request), request.params.uuid, request.body),
  )

  app.post(
    '/bookings/:uuid/confirm',
    {
      config: { takesNoTurn: isPlain },
      schema: {
        operationId: 'octoConfirmBooking',
        summary: 'Confirm a booking',
        description:
          'Sells the reserved places. A booking that is already confirmed is returned as it is. After its hold has expired, reserve again.',
        body: requests.confirmSchema,
        ...ofOne,
      },
    },
    async (request, reply) => {
      const { body, params } = request
      const octoRequest = octoRequestOf(request)
      const dropResponse = await simulateTests(request, reply)
      const isFirst =
        dropResponse !== null && (await bookings.read(octoRequest, params.uuid)).status === 'ON_HOLD'
      const booking = await bookings.confirm(octoRequest, params.uuid, body)
      return isFirst ? dropResponse() : booking
    },
  )

  app.post(
    '/bookings/:uuid/extend',
    {
      schema: {
        operationId: 'octoExtendBooking',
        summary: 'Hold places for longer',
        description: 'Only before the booking is confirmed and before its hold has expired.',
        body: requests.extendSchema,
        ...ofOne,
      },
    },
    (request) =>
      bookings.extend(octoRequestOf(request), request.params.uuid, request.body.expirationMinutes ?? null),
  )

  app.post(
    '/bookings/:uuid/cancel',
    {
      schema: {
        operationId: 'octoCancelBooking',
        summary: 'Cancel a booking',
        description:
          'The places become free at once. A booking that is already cancelled is returned as it is. A confirmed booking can be cancelled until the product’s cut-off, unless it is checked in or one of its tickets is redeemed.',
        body: requests.cancelSchema,
        ...ofOne,
      },
    },
    (request) => bookings.cancel(octoRequestOf(request), request.params.uuid, request.body),
  )

  app.delete(
    '/bookings/:uuid',
    {
      preValidation: emptyBody,
      schema: {
        operationId: 'octoDeleteBooking',
        summary: 'Cancel a booking (older form)',
        description: 'The same as `POST /bookings/:uuid/cancel`.',
        body: requests.cancelSchema,
        ...ofOne,
      },
    },
    (request) => bookings.cancel(octoRequestOf(request), request.params.uuid, request.body),
  )
}
