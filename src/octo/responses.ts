/** How OCTO's answers are sent, and how the OpenAPI document describes its errors. */
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from '../platform/schema/typebox.ts'
import { octoErrorCodes } from './errors.ts'

const id = Type.Optional(Type.String({ description: 'The id that the error is about.' }))

const octoErrorSchema = Type.Object(
  {
    error: Type.Enum([...octoErrorCodes], { description: 'OCTO’s code.' }),
    errorMessage: Type.String({ description: 'What was wrong, for people.' }),
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

/** The `response` entries that every operation of OCTO has beside its own. */
export const octoResponses = {
  400: refusal('The request is refused; `error` says why.'),
  429: refusal('Too many requests: try again after `Retry-After` seconds.', retryAfter),
  500: refusal('`INTERNAL_SERVER_ERROR`: the service failed in a way it did not foresee.'),
  503: refusal('`INTERNAL_SERVER_ERROR`: try again after `Retry-After` seconds.', retryAfter),
}

/** Beside them, of operations on what OCTO has no error of its own for. */
export const octoNotFound = { 404: refusal('`NOT_FOUND`: there is nothing of this id.') }

/** Sends what the schema of the answer allows; it is written in a fraction of the time that the schema's own function takes. */
export function sendOcto(reply: FastifyReply, answer: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
}
