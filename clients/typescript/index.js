import createClient from 'openapi-fetch'

/** @type {typeof import('./index.js').createBookingClient} */
export function createBookingClient({ baseUrl, key, fetch }) {
  return createClient({ baseUrl, fetch, headers: { authorization: `Bearer ${key}` } })
}
