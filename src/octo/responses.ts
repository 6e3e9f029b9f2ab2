/** Sends OCTO's responses, and describes its errors in the OpenAPI document. */
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from '../platform/schema/typebox.ts'
import { octoErrorCodes } from './errors.ts'

const id = Type.Optional(Type.String({ description: 'The id that the error refers to.' }))

const octoErrorSchema = Type.Object(
  {
    error: Type.Enum([...octoErrorCodes], { description: 'OCTO’s code.' }),
    errorMessage: Type.String({ description: 'What was wrong, in words for people.' }),
    productId: id,
    optionId: id,
    unitId: id,
    availabilityId: id,
    uuid: id,
  },
  { title: 'OctoError' },
)

const retryAfter = { 'Retry-After': Type.String({ description: 'Seconds.' }) }

function refusal(description: string, headers: Record<string, TSchema> = {}) {
  return { description, headers, content: { 'application/json': { schema: octoErrorSchema } } }
}

/** The `response` entries that all operations of OCTO share. */
export const octoResponses = {
  400: refusal('The request is refused; `error` says why.'),
  429: refusal('Too many requests: try again after `Retry-After` seconds.', retryAfter),
  500: refusal('`INTERNAL_SERVER_ERROR`: the service failed unexpectedly.'),
  503: refusal('`INTERNAL_SERVER_ERROR`: try again after `Retry-After` seconds.', retryAfter),
}

/** The `response` entry 404 for operations on subscriptions, for which OCTO defines no error code. */
export const octoNotFound = { 404: refusal('`NOT_FOUND`: there is no subscription with this id.') }

/**
 * Sends an object as JSON without Fastify's serializer, which takes several times as long. The object must have only
 * fields of the response's schema, because nothing removes others.
 */
export function sendOcto(reply: FastifyReply, answer: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
}
