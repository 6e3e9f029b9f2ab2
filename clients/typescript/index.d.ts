import type { Client } from 'openapi-fetch'
import type { components, operations, paths } from './schema.js'

export type { operations, paths }

/** Every error: a problem detail (RFC 9457) with the members of its type, such as `Alternatives` of a full timeslot. */
export type Problem = components['schemas']['Problem']

export type BookingClient = Client<paths, `${string}/${string}`>

/**
 * A client that sends the key with each request. It throws only when no response arrives. An error response is in `error`,
 * and the body `{"data": …}` of a success in `data`.
 *
 * @param options.baseUrl where the service is, without `/api/v2`
 * @param options.key an API key with the scope `ota`, or with a scope for usage
 * @param options.fetch instead of the global `fetch`
 */
export function createBookingClient(options: {
  baseUrl: string
  key: string
  fetch?: (request: Request) => Promise<Response>
}): BookingClient
