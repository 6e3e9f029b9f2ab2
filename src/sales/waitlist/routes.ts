/** The operator's routes for the waitlist. */

import { testModeView } from '../../accounts/test-mode-view.ts'
import { toActivityId } from '../../catalogue/model.ts'
import { openingView } from '../../catalogue/opening-hours.ts'
import { keyActor } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, reading, writingOnce } from '../../http/openapi.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import { withAlternatives } from '../../inventory/alternatives.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { boughtView } from '../booking/bought-view.ts'
import * as schemas from './schemas.ts'
import {
  findEntry,
  joinWaitlist,
  leaveWaitlist,
  listEntries,
  takeWaitlistOffer,
  type WaitlistEntryRow,
} from './service.ts'

export const waitlistRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.post(
    '/waitlist',
    {
      schema: {
        operationId: 'joinWaitlist',
        tags: ['Waitlist'],
        summary: 'Put a party on the waitlist of a full timeslot',
        description:
          'Places that become free are offered to those who wait, in the order of joining, before anybody can buy them. The entry has a booking of its own, which takes no places while it waits.',
        headers: idempotencyHeaders,
        body: schemas.joinRequestSchema,
        response: {
          201: envelope(schemas.entrySchema),
          ...problemResponses(...writingOnce, 'timeslot-unavailable', 'places-available'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const join = () =>
        runOnce(sql, idempotent(request, 'waitlist.join'), async (tx) =>
          entryView(await joinWaitlist(tx, accountId, keyActor(request.caller), request.body)),
        )
      return sendOnce(reply, 201, await withAlternatives(sql, join, { namesLine: false }))
    },
  )

  app.get(
    '/waitlist',
    {
      schema: {
        operationId: 'listWaitlist',
        tags: ['Waitlist'],
        summary: 'List waitlist entries',
        description: 'In the order of joining. `Link: rel="next"` leads to the rest.',
        querystring: schemas.entriesQuerySchema,
        response: { 200: envelope(Type.Array(schemas.entrySchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { TimeslotID = null, Status = null, Limit, Cursor } = request.query
      const [after] = readPosition(Cursor, ['number']) ?? [0]
      const filter = { timeslotId: TimeslotID, statuses: Status, after }
      const { rows, next } = await readPage(
        Limit,
        (limit) => listEntries(sql, request.caller.accountId, { ...filter, limit }),
        ({ id }) => [id],
      )
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: rows.map(entryView) }
    },
  )

  app.get(
    '/waitlist/:WaitlistID',
    {
      schema: {
        operationId: 'readWaitlistEntry',
        tags: ['Waitlist'],
        summary: 'Read a waitlist entry',
        description: 'The current state of the entry, and its offer if it has one.',
        params: schemas.entryPathSchema,
        response: { 200: envelope(schemas.entrySchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const entry = await findEntry(sql, request.caller.accountId, Number(request.params.WaitlistID))
      if (!entry) throw problems.waitlistEntryNotFound()
      return { data: entryView(entry) }
    },
  )

  const actions = {
    take: {
      act: takeWaitlistOffer,
      summary: 'Accept an offer for the customer',
      description:
        'The places stay held for the hold time of the account from now, or until the end of the offer if that is later. The basket must be paid within this time. A second request changes nothing.',
    },
    leave: {
      act: leaveWaitlist,
      summary: 'Remove a party from the waitlist',
      description: 'If it has an offer, the offer goes to the next party. A second request changes nothing.',
    },
  } as const
  for (const [action, { act, summary, description }] of Object.entries(actions)) {
    app.post(
      `/waitlist/:WaitlistID/${action}`,
      {
        schema: {
          operationId: `${action}Waitlist`,
          tags: ['Waitlist'],
          summary,
          description,
          headers: idempotencyHeaders,
          params: schemas.entryPathSchema,
          response: {
            200: envelope(schemas.entrySchema),
            ...problemResponses(...writingOnce, 'not-found', 'offer-over'),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = request.caller
        const id = Number(request.params.WaitlistID)
        const once = await runOnce(sql, idempotent(request, `waitlist.${action}`), async (tx) =>
          entryView(await act(tx, accountId, keyActor(request.caller), id)),
        )
        return sendOnce(reply, 200, once)
      },
    )
  }
}

function entryView(entry: WaitlistEntryRow): schemas.WaitlistEntryView {
  return {
    WaitlistID: entry.id,
    MultiBookingID: entry.bookingId,
    BookingReference: entry.reference,
    BasketID: entry.basketId,
    Status: entry.status,
    BookingStatus: entry.bookingStatus,
    Ahead: entry.ahead,
    OfferUntil: entry.offerUntil?.toISOString() ?? null,
    TimeslotID: entry.timeslotId,
    ActivityID: toActivityId(entry.activity),
    ProductName: entry.productName,
    Date: entry.date,
    Time: entry.time,
    ...openingView(entry.openingHours),
    ...boughtView(entry),
    Customer: {
      FirstName: entry.firstName,
      LastName: entry.lastName,
      Email: entry.email,
      Phone: entry.phone,
    },
    CreatedAt: entry.createdAt.toISOString(),
    OfferedAt: entry.offeredAt?.toISOString() ?? null,
    ...testModeView(entry),
  }
}
