/** How the OpenAPI document describes OCTO's errors. */
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
