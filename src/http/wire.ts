/**
 * The parts that operations of /api/v2 share: the envelope of responses, the idempotency header, paging, and
 * one-line texts.
 */
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from '../platform/schema/typebox.ts'

/** Sends text that is JSON already, in the envelope. It must have only fields of the response's schema. */
export function sendJson(reply: FastifyReply, data: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(`{"data":${data}}`)
}

/** The schema of `{"data": …}`. */
export function envelope<T extends TSchema>(data: T) {
  return Type.Object({ data }, { description: 'The response is in `data`.' })
}

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x20-\\x7e]{1,255}$',
      errorMessage: 'must be 1 to 255 printable ASCII characters',
      description:
        'Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.',
      examples: ['5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11'],
    }),
  ),
})

/** The parameters of lists that are read page by page. Lists of usage have parameters of their own. */
export const pageFields = {
  Limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      description: 'The maximum number of items in one response; 100 by default.',
      examples: [100],
    }),
  ),
  Cursor: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'From the `Link: rel="next"` of the previous response.',
      examples: ['WzEyXQ'],
    }),
  ),
}

/**
 * The `Link` header (RFC 8288) to the next part of a list: the requested address, in which `parameters` are
 * replaced.
 */
export function linkNext(publicUrl: string, requestUrl: string, parameters: Record<string, string>): string {
  const next = new URL(requestUrl, publicUrl)
  for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, value)
  return `<${publicUrl}${next.pathname}${next.search}>; rel="next"`
}

/** One line of text, without spaces around it. */
export function lineSchema(most: number, examples: string[], description: string) {
  return Type.String({
    pattern: `^[^\\s\\p{Cc}]([^\\p{Cc}]{0,${most - 2}}[^\\s\\p{Cc}])?$`,
    errorMessage: `must be one line of at most ${most} characters, without spaces around it`,
    description,
    examples,
  })
}
