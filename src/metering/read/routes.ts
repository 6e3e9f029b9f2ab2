/** The usage routes: one entry, batches, summaries, the list of entries, voids. */
import type { FastifyReply } from 'fastify'
import { problemResponses, reading, writing, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { sendSpooled } from '../../http/spooled-text.ts'
import { takeTurns } from '../../http/turns.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { Recording } from '../ingest/recording.ts'
import * as schemas from '../schemas.ts'
import type { UsageEntryRow } from './queries.ts'
import { browseEntries, type Reading, voidUsage } from './service.ts'
import { summarize } from './summaries.ts'

const writeFailures = problemResponses(...writingOnce)
const readFailures = problemResponses(...reading)
const mebibyte = 1024 * 1024

/** The routes for keys with `usage:write`. */
export const usageWriteRoutes: Routes<{
  recording: Recording
  reading: Reading
}> = (app, { recording, reading }) => {
  app.post(
    '/meters',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'recordUsage',
        tags: ['Usage'],
        summary: 'Record a usage entry',
        description:
          'The entry is durable when 201 is sent, and is counted exactly once. Send an `Idempotency-Key`, so that a retry after a lost response or a 503 does not record another entry. The key stays bound to its body after a 503 too, because the entry may have been recorded: retry with the same body, and use a new key for another entry.',
        headers: idempotencyHeaders,
        body: schemas.submissionSchema,
        response: { 201: envelope(schemas.acceptedSchema), ...writeFailures },
      },
    },
    async (request, reply) => {
      const { accepted, replayed } = await recording.record({
        caller: request.caller,
        operation: 'usage.record',
        body: request.body,
        submissions: [request.body],
        idempotencyKey: request.headers['idempotency-key'],
      })
      return sendRecorded(reply, accepted, replayed)
    },
  )

  app.post(
    '/meters/batch',
    {
      config: { takesNoTurn: true },
      bodyLimit: 10 * mebibyte,
      schema: {
        operationId: 'recordUsageBatch',
        tags: ['Usage'],
        summary: 'Record up to 1000 usage entries',
        description:
          'Records all entries or none. The response lists them in the order of the request. An `Idempotency-Key` covers the whole batch, and stays bound to it after a 503. The body may have up to 10 MiB.',
        headers: idempotencyHeaders,
        body: schemas.submissionsSchema,
        response: { 201: envelope(Type.Array(schemas.acceptedSchema)), ...writeFailures },
      },
    },
    async (request, reply) => {
      const recorded = recording.record({
        caller: request.caller,
        operation: 'usage.record-batch',
        body: request.body,
        submissions: request.body.Entries,
        idempotencyKey: request.headers['idempotency-key'],
      })
      // Frees the parsed entries while the request waits for the store. One entry stays, because the schema requires
      // one.
      request.body = { Entries: request.body.Entries.slice(0, 1) }
      const { accepted, replayed } = await recorded
      return sendRecorded(reply, `[${accepted}]`, replayed)
    },
  )

  app.post(
    '/entries/:ID/void',
    {
      schema: {
        operationId: 'voidUsageEntry',
        tags: ['Usage'],
        summary: 'Take an entry out of the totals',
        description:
          'The entry is still listed, marked with the reason. Voiding it again changes nothing. The response is 503 while an accepted entry is not stored: it still waits, or it could not be stored and the operator must resolve it.',
        params: schemas.entryPathSchema,
        body: schemas.voidRequestSchema,
        response: {
          200: envelope(schemas.entrySchema),
          ...problemResponses(...writing, 'not-found'),
        },
      },
    },
    async (request) => {
      const voided = { id: Number(request.params.ID), reason: request.body.Reason }
      return { data: entryView(await voidUsage(reading, request.caller, voided)) }
    },
  )
}

/** The routes for keys with `usage:read`. */
export const usageReadRoutes: Routes<{
  reading: Reading
  publicUrl: string
}> = (app, { reading, publicUrl }) => {
  app.get(
    '/meters',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'summarizeUsage',
        tags: ['Usage'],
        summary: 'Sum up usage by meter',
        description:
          'Counts the entries whose 201 was sent, and the events that count as usage and were committed, before this request. It waits up to 2 seconds for entries that are not stored yet; the header `Usage-Pending` says how many entries it does not count. Days are local to the account. A range may have any length; the sums are of all meters, or of up to 100 that you name. `granularity=day` has limits, above which the response is 422.',
        querystring: schemas.summaryQuerySchema,
        response: {
          200: { ...envelope(schemas.summarySchema), headers: schemas.summaryHeaders },
          ...readFailures,
        },
      },
    },
    async (request, reply) => {
      const { caller, query } = request
      const takeTurn = takeTurns(reading.shares, caller.accountId, reply)
      const { text, pending } = await summarize(reading, caller, query, takeTurn)
      reply.header('usage-pending', pending).type('application/json; charset=utf-8')
      return sendSpooled(reply, text)
    },
  )

  app.get(
    '/entries',
    {
      schema: {
        operationId: 'listUsageEntries',
        tags: ['Usage'],
        summary: 'List usage entries',
        description:
          'Stored entries of a range of days, by day, meter and ID, including voided entries. `Link: rel="next"` leads to the rest.',
        querystring: schemas.entriesQuerySchema,
        response: { 200: envelope(Type.Array(schemas.entrySchema)), ...readFailures },
      },
    },
    async (request, reply) => {
      const { entries, next } = await browseEntries(reading, request.caller, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { cursor: next }))
      return { data: entries.map(entryView) }
    },
  )
}

function sendRecorded(reply: FastifyReply, json: string, replayed: boolean): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(201).type('application/json; charset=utf-8').send(`{"data":${json}}`)
}

function entryView(entry: UsageEntryRow): schemas.UsageEntryView {
  return {
    ID: entry.id,
    Meter: entry.meter,
    Usage: Number(entry.usage),
    ExtraInfo: entry.extraInfo,
    Day: entry.day,
    OccurredAt: entry.occurredAt,
    AcceptedAt: entry.acceptedAt,
    VoidedAt: entry.voidedAt,
    VoidReason: entry.voidReason,
  }
}
